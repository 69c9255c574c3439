"""Asking one server over HTTP: with time limits, with a limit on what is read, no redirects."""

import http.client
import json
import time
import urllib.error
import urllib.request
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

LARGEST_ANSWER = 1 << 24
"""Bytes of one answer that are read at most."""
LOOPBACK = ("localhost", "127.0.0.1", "::1")


class NoAnswerError(Exception):
    """The server gave no answer that can be read; the message is a sentence."""


class LateError(NoAnswerError):
    """No answer came in time; a later one might be right."""


class SpentError(Exception):
    """The next request would go over the budget; the message is a sentence."""


class _Stay(urllib.request.HTTPRedirectHandler):
    """Follow no redirect: the key and the prompts are for the address that was typed."""

    def redirect_request(self, *_: Any, **__: Any) -> None:
        """Leave the redirect as the answer."""


@dataclass(frozen=True)
class Reply:
    """A server's reply to one request.

    Attributes:
        status: HTTP status.
        body: The JSON in it; its text where it is none.
        seconds: From sending to the last byte.
    """

    status: int
    body: Any
    seconds: float

    @property
    def fine(self) -> bool:
        """Whether the request was answered and not refused: some servers refuse with status 200."""
        return 200 <= self.status < 300 and not self._is_error

    @property
    def _is_error(self) -> bool:
        body = self.body
        if not isinstance(body, dict) or body.get("choices"):
            return False
        return bool(body.get("error")) or body.get("object") == "error"

    @property
    def message(self) -> str:
        """Why it was refused, in the server's words, at most 300 characters."""
        found = self.body
        for name in ("error", "message", "detail"):
            if isinstance(found, dict) and found.get(name):
                found = found[name]
        text = found if isinstance(found, str) else json.dumps(found)
        return "".join(c if c.isprintable() else " " for c in text)[:300]


@dataclass
class Client:
    """One server, and what may still be asked of it.

    Args:
        url: As typed: http://localhost:8000, with or without /v1.
        key: Sent as a bearer token where it is not "".
        seconds: Most that one request may take.
        tokens: Prompt tokens that may be sent in all.

    Raises:
        ValueError: If the address is none that can be asked.
    """

    url: str
    key: str = ""
    seconds: float = 600.0
    tokens: int = 10**6
    requests: int = field(default=0, init=False)
    """Sent so far, those for lengths included."""
    sent: int = field(default=0, init=False)
    """Prompt tokens sent so far, as estimated before sending."""

    def __post_init__(self) -> None:
        """Take the address apart."""
        self.root = _root(self.url)
        # A proxy does not know this machine's own addresses.
        local = urlsplit(self.root).hostname in LOOPBACK
        proxies = (urllib.request.ProxyHandler({}),) if local else ()
        self._opener = urllib.request.build_opener(_Stay(), *proxies)

    def get(self, path: str) -> Reply:
        """Ask for a path, such as /v1/models."""
        return self._send(urllib.request.Request(self.root + path))

    def post(self, path: str, body: dict[str, Any], tokens: int = 0) -> Reply:
        """Send JSON to a path.

        Args:
            path: Such as /v1/completions.
            body: What is sent.
            tokens: Prompt tokens in it, estimated.

        Raises:
            NoAnswerError: If nothing can be read.
            SpentError: If the budget does not cover the tokens.
        """
        if self.sent + tokens > self.tokens:
            raise SpentError(
                f"The budget of {self.tokens:,} prompt tokens does not cover the next {tokens:,}."
            )
        self.sent += tokens
        data = json.dumps(body).encode()
        kind = {"Content-Type": "application/json"}
        return self._send(urllib.request.Request(self.root + path, data, kind))

    def _send(self, request: urllib.request.Request) -> Reply:
        if self.key:
            request.add_unredirected_header("Authorization", f"Bearer {self.key}")
        self.requests += 1
        start = time.monotonic()
        try:
            try:
                answer = self._opener.open(request, timeout=self.seconds)
            except urllib.error.HTTPError as error:  # an answer as well
                answer = error
            with answer:
                data = self._read(answer, start)
                status = int(answer.status)
        except urllib.error.URLError as error:
            raise self._gone(error.reason) from None
        except (OSError, http.client.HTTPException, ValueError) as error:
            raise self._gone(error) from None
        text = data.decode("utf-8", "replace")
        try:
            body = json.loads(text)
        except (ValueError, RecursionError):
            body = text
        return Reply(status, body, time.monotonic() - start)

    def _read(self, answer: Any, start: float) -> bytes:
        data = b""
        while piece := answer.read1(1 << 16):
            data += piece
            if len(data) > LARGEST_ANSWER:
                raise OSError(f"the answer is longer than {LARGEST_ANSWER:,} bytes")
            if time.monotonic() - start > self.seconds:
                raise TimeoutError("timed out")
        missing = getattr(answer, "length", None)
        if missing:
            raise OSError(f"the answer broke off, {missing:,} bytes before its end")
        return data

    def _gone(self, reason: object) -> NoAnswerError:
        if isinstance(reason, TimeoutError):
            told = f"none within {self.seconds:g} seconds, which --timeout sets"
            return LateError(f"{self.root} gives no answer: {told}.")
        told = str(reason)[:200] or type(reason).__name__
        if isinstance(reason, http.client.IncompleteRead):
            told = f"the answer broke off after {len(reason.partial):,} bytes"
        return NoAnswerError(f"{self.root} gives no answer: {told}.")


def _root(url: str) -> str:
    """The address without a path of the API.

    Raises:
        ValueError: If it is no address of a server.
    """
    typed = url if "://" in url else f"http://{url}"
    try:
        parts = urlsplit(typed)
        port = parts.port
    except ValueError:
        parts = urlsplit("")
        port = None
    if parts.scheme not in ("http", "https") or not parts.hostname or not typed.isprintable():
        raise ValueError(f"URL must be an address such as http://localhost:8000, got {url[:80]!r}.")
    if "@" in parts.netloc or parts.query or parts.fragment:
        raise ValueError(
            "URL must hold no password, no ? and no #; a key goes into POSENC_API_KEY."
        )
    host = f"[{parts.hostname}]" if ":" in parts.hostname else parts.hostname
    path = parts.path.rstrip("/").removesuffix("/v1")
    return f"{parts.scheme}://{host}{'' if port is None else f':{port}'}{path}"
