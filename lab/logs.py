"""Lines of the log, for people or for programs, each with what is known of who asked.

| variable | meaning | default |
|---|---|---|
| POSENC_LOG | text: lines for people; json: one JSON object in each line | text |

A request has an id: the proxy's `X-Request-ID`, or one that is made here. Whatever happens for it
is logged with it: in the app, in the reader's session, and where another process does the job that
was ordered.
"""

import json
import logging
import os
import re
import secrets
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import UTC, datetime

from posenc.words import say

FORMS = ("text", "json")
REQUEST_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")
"""What is taken for an id; anything else could write lines of its own into a log."""
KNOWN: ContextVar[Mapping[str, object]] = ContextVar("known", default={})  # noqa: B039, never written


def form(environment: Mapping[str, str] = os.environ) -> str:
    """How lines are written: "text" or "json".

    Raises:
        ValueError: If the variable is neither, in a sentence that names it.
    """
    asked = environment.get("POSENC_LOG") or FORMS[0]
    if asked not in FORMS:
        raise ValueError(
            say(
                "POSENC_LOG is {value!r:.40}; it must be one of {allowed}.",
                value=asked, allowed=", ".join(FORMS),
            )
        )  # fmt: skip
    return asked


def request_id(told: str = "") -> str:
    """The id that a proxy told, if it is one, else a new one."""
    return told if REQUEST_ID.fullmatch(told) else secrets.token_hex(8)


def know(**facts: object) -> None:
    """Let every later line of this thread, or of this task, say so: `know(request="…")`."""
    KNOWN.set({name: fact for name, fact in facts.items() if fact != ""})


@contextmanager
def knowing(**facts: object) -> Iterator[None]:
    """The same for a block, beside what is known already."""
    before = KNOWN.set({**KNOWN.get(), **facts})
    try:
        yield
    finally:
        KNOWN.reset(before)


def known(name: str) -> str:
    """A fact that lines say here; "" where it is not known."""
    return str(KNOWN.get().get(name, ""))


class Lines(logging.Formatter):
    """Lines for people: time, words, what is known."""

    def __init__(self) -> None:
        super().__init__("%(asctime)s %(message)s", "%Y-%m-%d %H:%M:%S")

    def formatMessage(self, record: logging.LogRecord) -> str:
        """The words of a record; a line break in them begins no line of its own."""
        facts = "".join(f" {name}={fact}" for name, fact in _facts(record).items())
        return super().formatMessage(record).replace("\n", "\\n").replace("\r", "\\r") + facts


class JsonLines(logging.Formatter):
    """One JSON object for each record."""

    def format(self, record: logging.LogRecord) -> str:
        """A record as a line."""
        at = datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")
        line: dict[str, object] = {"time": at.replace("+00:00", "Z"), "level": record.levelname}
        line |= {"logger": record.name, "message": record.getMessage()} | _facts(record)
        if record.exc_info:
            line["error"] = self.formatException(record.exc_info)
        return json.dumps(line, ensure_ascii=False, default=str)


def _facts(record: logging.LogRecord) -> dict[str, object]:
    return {**KNOWN.get(), **getattr(record, "facts", {})}


def settle(theirs: tuple[str, ...] = ()) -> None:
    """Write what is logged here to standard error, in the form that is asked for.

    May be called again: servers put their own handlers in place when they start.

    Args:
        theirs: Loggers of others whose handlers write the same form, where that is JSON.
    """
    ours = logging.getLogger("posenc")
    ours.setLevel(logging.INFO)
    kept = [handler for handler in ours.handlers if isinstance(handler, _Handler)]
    handler = kept[0] if kept else _Handler()
    if not kept:
        ours.addHandler(handler)
    json_lines = form() == "json"
    handler.setFormatter(JsonLines() if json_lines else Lines())
    for name in theirs if json_lines else ():
        for other in logging.getLogger(name).handlers:
            other.setFormatter(JsonLines())


class _Handler(logging.StreamHandler):
    """Writes to what standard error is now; tests and servers replace it."""

    def __init__(self) -> None:
        logging.Handler.__init__(self)

    @property
    def stream(self) -> object:
        return sys.stderr
