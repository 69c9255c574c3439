"""The run of a script that this thread is in: of which session, why, and with what values."""

from typing import Any

from ui.streamlit.private import private

_context = private(
    "runtime.scriptrunner",
    "get_script_run_ctx",
    lambda **_: None,
    "readers get English, whole screens and addresses that do not follow",
)
_in_cache = private(
    "runtime.scriptrunner_utils.script_run_context",
    "in_cached_function.get",
    lambda: False,
    "words of one reader's language may be cached for all",
)
_runtime = private(
    "runtime", "Runtime", None, "long pictures are computed for readers who have left"
)


def is_running() -> bool:
    """Whether a session runs in this thread: a worker has none."""
    return _of_run() is not None


def only_a_part() -> bool:
    """Whether only a part of the screen runs, a fragment of Streamlit's."""
    return bool(getattr(_of_run(), "fragment_ids_this_run", None))


def is_history() -> bool:
    """Whether this run answers the reader's going back or forward."""
    return bool(getattr(_of_run(), "is_history_navigation", False))


def is_cached() -> bool:
    """Whether a cached function runs, whose result readers of every language get."""
    return bool(_in_cache())


def session() -> str:
    """The id of the session that runs; "" where none does."""
    return str(getattr(_of_run(), "session_id", ""))


def is_gone() -> bool:
    """Whether the page of the session that runs is closed."""
    return bool(session()) and not is_open(session())


def is_open(session: str) -> bool:
    """Whether this server has a page of that session; True where it cannot know."""
    if _runtime is None or not _runtime.exists():
        return True
    return bool(_runtime.instance().is_active_session(session))


def held_by_browser() -> dict[str, str]:
    """The widgets whose values the browser has sent, by key, with what it says as JSON."""
    state: Any = getattr(_of_run(), "session_state", None)
    widgets = state.get_widget_states() if hasattr(state, "get_widget_states") else []
    # An id is "$$ID-hash-key".
    return {one.id.split("-", 2)[-1]: one.json_value for one in widgets}


def _of_run() -> Any:
    return _context(suppress_warning=True)
