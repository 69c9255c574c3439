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
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import UTC, datetime

FORMS = ("text", "json")
REQUEST_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")
"""Pattern of an accepted id; anything else could write lines of its own into a log."""
Source = Callable[[], Mapping[str, object]]
SOURCES: list[Source] = []
"""Who else knows something of whoever is served in this thread."""
KNOWN: ContextVar[Mapping[str, object]] = ContextVar("known", default={})  # noqa: B039, never written


def form(environment: Mapping[str, str] = os.environ) -> str:
    """How lines are written: "text" or "json".

    Raises:
        ValueError: If the variable is neither, in a sentence that names it.
    """
    asked = environment.get("POSENC_LOG") or FORMS[0]
    if asked not in FORMS:
        raise ValueError(f"POSENC_LOG is {asked!r:.40}; it must be one of {', '.join(FORMS)}.")
    return asked


def request_id(told: str = "") -> str:
    """The id that a proxy told, if it is one, else a new one."""
    return told if REQUEST_ID.fullmatch(told) else secrets.token_hex(8)


@contextmanager
def knowing(**facts: object) -> Iterator[None]:
    """Let every line of a block say so, beside what is known already: `knowing(request="…")`."""
    before = KNOWN.set({**KNOWN.get(), **facts})
    try:
        yield
    finally:
        KNOWN.reset(before)


def known(name: str) -> str:
    """A fact that lines say here; "" where it is not known."""
    return str(_all_known().get(name, ""))


class Lines(logging.Formatter):
    """Lines for people: time, words, what is known."""

    def __init__(self) -> None:
        super().__init__("%(asctime)s %(message)s", "%Y-%m-%d %H:%M:%S")

    def formatMessage(self, record: logging.LogRecord) -> str:
        """The words of a record, and nothing in them that begins a line or steers a terminal."""
        facts = "".join(f" {name}={fact}" for name, fact in _facts(record).items())
        words = super().formatMessage(record)
        return "".join(c if c.isprintable() else repr(c)[1:-1] for c in words) + facts


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
    return {**_all_known(), **getattr(record, "facts", {})}


def _all_known() -> dict[str, object]:
    found = {name: fact for source in SOURCES for name, fact in source().items()}
    return {name: fact for name, fact in {**found, **KNOWN.get()}.items() if fact != ""}


def settle() -> None:
    """Write what is logged here to standard error, in the form that is asked for.

    As JSON all lines of the process, also those of others. May be called again: servers put their
    own handlers in place when they start.
    """
    ours = logging.getLogger("posenc")
    ours.setLevel(logging.INFO)
    if not any(isinstance(handler, _Handler) for handler in ours.handlers):
        ours.addHandler(_Handler())
    # They hold addresses of readers, and what readers typed: texts stand in addresses of pages.
    logging.getLogger("uvicorn.access").disabled = True
    logging.getLogger("uvicorn.error").addFilter(_names_no_reader)
    is_json = form() == "json"
    for handler in ours.handlers:
        handler.setFormatter(JsonLines() if is_json else Lines())
    if is_json:
        names = list(logging.root.manager.loggerDict)
        for other in (logging.root, *map(logging.getLogger, names)):
            for handler in other.handlers:
                handler.setFormatter(JsonLines())


def _names_no_reader(record: logging.LogRecord) -> bool:
    """False for the lines in which uvicorn names who opens a line."""
    return '"WebSocket %s"' not in str(record.msg)


class _Handler(logging.StreamHandler):
    """Writes to what standard error is now; tests and servers replace it."""

    def __init__(self) -> None:
        logging.Handler.__init__(self)

    @property
    def stream(self) -> object:
        return sys.stderr
