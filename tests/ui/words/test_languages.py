"""Which language a session speaks; two at once, in runs, fragments and caches."""

import threading
from collections.abc import Callable, Iterator

import pytest
from streamlit.runtime.fragment import MemoryFragmentStorage
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager
from streamlit.runtime.pages_manager import PagesManager
from streamlit.runtime.scriptrunner_utils.script_run_context import (
    ScriptRunContext,
    add_script_run_ctx,
)
from streamlit.runtime.state import SafeSessionState, SessionState
from streamlit.testing.v1 import AppTest

from posenc.words import say
from tests.conftest import PATIENCE
from ui.words import languages, translate
from ui.words.languages import best, has_chapter, has_screen
from ui.words.pseudo import NAME as MADE_UP
from ui.words.pseudo import pseudo

SCREEN = """
import streamlit as st
from posenc.words import say
from ui.words import _, choose_language, translate

wrong = choose_language()
if wrong is not None:
    st.warning(translate(wrong))

@st.cache_data
def cached():
    return say("cached for all readers")

@st.fragment
def part():
    st.button("again", key="again")
    st.caption(_("told in a fragment"))

st.text(_("told at once"))
st.text(translate(cached()))
part()
"""
TEXTS = ["told at once", "cached for all readers"]


@pytest.fixture(autouse=True)
def _made_up(monkeypatch):
    monkeypatch.setenv("POSENC_PSEUDO", "1")
    languages.languages.cache_clear()
    yield
    languages.languages.cache_clear()


def session(**query: str) -> AppTest:
    app = AppTest.from_string(SCREEN, default_timeout=PATIENCE)
    for name, value in query.items():
        app.query_params[name] = value
    return app.run()


def said(app: AppTest) -> list[str]:
    assert not app.exception
    return [text.value for text in app.text]


def test_the_address_chooses() -> None:
    assert said(session()) == TEXTS
    assert said(session(lang=MADE_UP)) == [pseudo(text) for text in TEXTS]


def test_a_language_that_is_not_here_is_named_once() -> None:
    app = session(lang="tlh")
    assert said(app) == TEXTS
    assert "en, en-XA" in app.warning[0].value
    assert not app.run().warning


def test_the_language_outlasts_the_address() -> None:
    app = session(lang=MADE_UP)
    app.query_params.clear()  # as a change of screen does
    assert said(app.run())[0] == pseudo(TEXTS[0])


def test_the_made_up_language_needs_its_setting(monkeypatch) -> None:
    monkeypatch.delenv("POSENC_PSEUDO")
    languages.languages.cache_clear()
    assert MADE_UP not in languages.languages()
    assert said(session(lang=MADE_UP)) == TEXTS


def test_fragments_speak_the_language_of_their_session() -> None:
    app = session(lang=MADE_UP)
    app.button[0].click().run()
    assert app.caption[0].value == pseudo("told in a fragment")


def run_context(session: str, language: str) -> ScriptRunContext:
    """Context that Streamlit gives to the thread of one session's run."""
    state = SessionState()
    state["_app"] = {"_app_language": language}
    return ScriptRunContext(
        session_id=session,
        _enqueue=lambda message: None,
        query_string="",
        session_state=SafeSessionState(state, lambda: None),
        uploaded_file_mgr=MemoryUploadedFileManager("/upload"),
        main_script_path="",
        user_info={},
        fragment_storage=MemoryFragmentStorage(),
        pages_manager=PagesManager(""),
    )


def test_sessions_in_threads_never_mix() -> None:
    """Many runs at once in two languages, with threads of their own that the runs have started."""
    sentence, told = say("{n:,} tokens of {name}", n=16384, name=say("the key")), {}
    start = threading.Barrier(8)

    def helper(context: ScriptRunContext, texts: set[str]) -> None:
        add_script_run_ctx(threading.current_thread(), context)
        texts.update(translate(sentence) for _ in range(200))

    def run(number: int, language: str) -> None:
        context = run_context(f"session {number}", language)
        add_script_run_ctx(threading.current_thread(), context)
        start.wait(PATIENCE)
        texts = told[number, language] = set()
        worker = threading.Thread(target=helper, args=(context, texts))
        worker.start()
        texts.update(translate(sentence) for _ in range(200))
        worker.join()

    runs = [
        threading.Thread(target=run, args=(number, ("en", MADE_UP)[number % 2]))
        for number in range(8)
    ]
    for one in runs:
        one.start()
    for one in runs:
        one.join()
    english, made_up = "16,384 tokens of the key", pseudo("{n} tokens of {name}")
    made_up = made_up.format(n="16,384", name=pseudo("the key"))
    assert len(told) == 8
    for (_, language), texts in told.items():
        assert texts == {english if language == "en" else made_up}


def test_a_thread_without_a_session_speaks_english() -> None:
    texts: list[str] = []
    thread = threading.Thread(target=lambda: texts.append(translate(say("the key"))))
    thread.start()
    thread.join()
    assert texts == ["the key"]


@pytest.mark.parametrize(
    ("header", "chosen"),
    [
        ("de-AT,de;q=0.9,en;q=0.8", "de"),
        ("fr;q=0.3, ru;q=0.7, de;q=0.5", "ru"),
        ("nl,fr", "en"),
        ("en-US,de;q=0.5", "en"),
        ("de;q=x", "de"),
        ("en-XA", "en"),
        ("", "en"),
    ],
)
def test_the_browser_is_asked(header: str, chosen: str) -> None:
    assert best(header, ("en", "de", "ru", MADE_UP)) == chosen


HEAD = 'msgid ""\nmsgstr "Content-Type: text/plain; charset=utf-8\\n"\n'
CACHED = ("languages", "catalogue", "has_screen", "has_chapter", "_lacking")


@pytest.fixture
def german(tmp_path, monkeypatch) -> Iterator[Callable[..., None]]:
    """A second language, in which two screens and two chapters have their words."""
    monkeypatch.setattr(languages, "LOCALES", tmp_path / "locales")
    monkeypatch.setattr(languages, "LESSONS", tmp_path / "pages")
    monkeypatch.setattr(languages, "CHAPTERS", tmp_path / "chapters")
    (tmp_path / "locales" / "de").mkdir(parents=True)
    for screen in ("rope", "alibi"):
        for path in (
            tmp_path / "pages" / screen / "lesson.en.md",
            tmp_path / "pages" / screen / "lesson.de.md",
            tmp_path / "chapters" / screen / "words.de.md",
        ):
            path.parent.mkdir(parents=True, exist_ok=True)
            path.touch()

    def written(*entries: str) -> None:
        text = "\n".join([HEAD, *entries])
        (tmp_path / "locales" / "de" / "messages.po").write_text(text, "utf-8")
        for name in CACHED:
            getattr(languages, name).cache_clear()

    yield written
    for name in CACHED:
        getattr(languages, name).cache_clear()


def entry(place: str, text: str, told: str, mark: str = "") -> str:
    return f'#: {place}\n{mark}msgid "{text}"\nmsgstr "{told}"\n'


def test_a_language_is_offered_screen_by_screen(german, tmp_path) -> None:
    german(entry("pages/rope/screen.py", "key", "Schlüssel"))
    assert "de" in languages.languages()
    assert has_screen("de", "rope")
    assert has_screen("de", "alibi")
    german(entry("pages/rope/screen.py", "key", ""))
    assert "de" in languages.languages()
    assert not has_screen("de", "rope"), "a text without translation"
    assert has_screen("de", "alibi"), "which has all of its own"
    german(entry("pages/rope/screen.py", "key", "Schlüssel", "#, fuzzy\n"))
    assert not has_screen("de", "rope"), "a guess"
    german(entry("ui/screen/layout.py", "Controls", ""))
    assert not has_screen("de", "alibi"), "all screens show it"
    german(entry("encodings/posenc/alibi/steps.py", "slope", ""))
    assert has_screen("de", "alibi"), "the library is told text by text"
    (tmp_path / "pages" / "rope" / "lesson.de.md").unlink()
    german()
    assert not has_screen("de", "rope"), "a lesson is missing"
    assert has_screen("de", "alibi")


def test_a_language_is_offered_chapter_by_chapter(german, tmp_path) -> None:
    (tmp_path / "chapters" / "alibi" / "words.de.md").unlink()
    german(entry("pages/rope/screen.py", "key", ""))
    assert has_chapter("de", "rope")
    assert not has_chapter("de", "alibi")
    german(entry("course/page/chapter.py", "Next", ""))
    assert not has_chapter("de", "rope"), "what stands around its words"


def test_an_untranslated_screen_is_english_and_says_so(german) -> None:
    german(
        entry("pages/rope/screen.py", "told at once", ""),
        entry("pages/alibi/screen.py", "told in a fragment", "im Teil"),
        entry("ui/words/languages.py", languages.UNTOLD, "Noch nicht hier."),
    )
    app = AppTest.from_string(SETTLED, default_timeout=PATIENCE)
    app.query_params["lang"] = "de"
    app.query_params["screen"] = "alibi"
    assert app.run().text[0].value == "im Teil"
    assert not app.caption
    app.query_params["screen"] = "rope"
    app.run()
    assert app.text[0].value == "told in a fragment"
    assert app.caption[0].value == "Noch nicht hier."
    app.query_params["screen"] = "alibi"
    assert app.run().text[0].value == "im Teil"


SETTLED = """
import streamlit as st
from ui.words import _, choose_language, settle_screen

choose_language()
if untold := settle_screen(st.query_params["screen"]):
    st.caption(untold)
st.text(_("told in a fragment"))
"""
