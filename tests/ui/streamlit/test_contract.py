"""Everything used of Streamlit beside its documented interface is there, and does what we need."""

import dataclasses
import importlib
import json
import logging
import pkgutil
import re
import runpy
from functools import cache
from pathlib import Path

import pytest
import streamlit as st
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.runtime import Runtime, RuntimeConfig
from streamlit.runtime.memory_media_file_storage import MemoryMediaFileStorage
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager
from streamlit.runtime.pages_manager import PagesManager
from streamlit.runtime.scriptrunner_utils.script_run_context import ScriptRunContext
from streamlit.runtime.uploaded_file_manager import UploadedFileRec
from streamlit.testing.v1 import AppTest

import ui.streamlit
from tests.conftest import PATIENCE, ROOT
from ui.streamlit import messages, page, private, run, server

MODULES = [one.name for one in pkgutil.iter_modules(ui.streamlit.__path__)]
FOLDER = Path(ui.streamlit.__path__[0])


@cache
def bundle() -> str:
    """All of Streamlit's scripts: read by the tests that ask for them, not whenever tests are."""
    return "".join(file.read_text("utf-8") for file in (page.STATIC / "static/js").glob("*.js"))


@cache
def words() -> set[str]:
    return {*re.findall(r"\w+", bundle())}


def test_every_name_is_there():
    for name in MODULES:
        importlib.import_module(f"ui.streamlit.{name}")
    assert len(private.NAMES) > 8
    assert [name for name, is_there in private.NAMES.items() if not is_there] == []
    ours = {"session_id", "session_state", "fragment_ids_this_run", "is_history_navigation"}
    assert ours < {field.name for field in dataclasses.fields(ScriptRunContext)}
    assert "uses_pages_directory" in vars(PagesManager)
    server.show_app_first()
    assert PagesManager.uses_pages_directory is False


@pytest.mark.parametrize(
    ("module", "name", "call", "instead"),
    [
        ("run", "runtime.scriptrunner.get_script_run_ctx", "is_running", False),
        ("run", "runtime.scriptrunner.get_script_run_ctx", "held_by_browser", {}),
        ("run", "runtime.Runtime", "is_gone", False),
        ("server", "runtime.Runtime", "held_bytes", (0, 0)),
        ("server", "web.server.server_util.get_url", "address", ""),
        ("server", "runtime.pages_manager.PagesManager", "show_app_first", None),
    ],
)
def test_a_name_that_is_gone_is_told_and_the_rest_goes_on(
    module, name, call, instead, monkeypatch, caplog
):
    monkeypatch.delattr(f"streamlit.{name}")
    with caplog.at_level(logging.WARNING, "posenc.streamlit"):
        functions = runpy.run_path(str(FOLDER / f"{module}.py"))
    (told,) = caplog.messages
    assert told.startswith(f"Streamlit {st.__version__} has no streamlit.{name}: ")
    assert functions[call]() == instead
    private.NAMES[f"streamlit.{name}"] = True


RUN = """
import streamlit as st
from ui.streamlit import run
from ui.streamlit.containers import Unsent
from ui.streamlit.server import SignInError, page_hash

try:
    st.login()
except SignInError as error:
    st.error(type(error).__name__)
page = st.Page(lambda: None, title="RoPE", url_path="rope")

@st.cache_data
def cached():
    return run.is_cached()

st.number_input("Sent", key="a-b", value=3)
number = Unsent().number_input("Unsent", key="unsent", value=7)
st.json({
    "number": number, "running": run.is_running(), "cached": cached(), "plain": run.is_cached(),
    "session": bool(run.session()), "part": run.only_a_part(), "back": run.is_history(),
    "held": sorted(run.held_by_browser()), "page": page._script_hash == page_hash("rope"),
})
"""


def test_a_run_knows_where_it_is():
    assert not run.is_running()
    app = AppTest.from_string(RUN, default_timeout=PATIENCE).run()
    assert not app.exception
    assert [one.key for one in app.number_input] == ["a-b"]
    app.number_input(key="a-b").set_value(4).run()
    assert [one.value for one in app.error] == ["StreamlitAuthError"]
    told = json.loads(app.json[0].value)
    assert told.pop("held") == ["a-b"]
    yes = ("running", "cached", "session", "page")
    assert told == {"number": 7} | dict.fromkeys(yes, True) | dict.fromkeys(
        ("plain", "part", "back"), False
    )


@pytest.fixture
def files(tmp_path, monkeypatch):
    """The uploaded files of a server that has no session."""
    monkeypatch.setattr(Runtime, "_instance", None)
    manager = MemoryUploadedFileManager("/files")
    Runtime(
        RuntimeConfig(
            script_path=str(tmp_path / "app.py"),
            media_file_storage=MemoryMediaFileStorage("/media"),
            uploaded_file_manager=manager,
        )
    )
    return manager


def test_uploaded_files_are_counted_where_streamlit_holds_them(files):
    assert server.held_bytes() == (0, 0)
    files.add_file("one", UploadedFileRec("1", "a.json", "text/plain", bytes(100)))
    files.add_file("other", UploadedFileRec("2", "b.json", "text/plain", bytes(20)))
    assert server.held_bytes("one") == (100, 120)
    assert server.held_bytes()[1] == 120
    assert not run.is_open("one")


def test_the_server_knows_its_address():
    assert server.address().startswith("http://localhost:")


def test_moves_are_read_from_what_a_page_and_its_session_say():
    asked = BackMsg(rerun_script={"page_script_hash": "abc"}).SerializeToString()
    assert messages.read(asked) == ("abc", True)
    assert messages.read(BackMsg(stop_script=True).SerializeToString()) == (None, True)
    assert messages.read(BackMsg(clear_cache=True).SerializeToString()) == (None, False)
    assert messages.read(b"\xff") is None
    ends = {
        "ended": ForwardMsg.FINISHED_SUCCESSFULLY,
        "replaced": ForwardMsg.FINISHED_EARLY_FOR_RERUN,
    }
    for how, status in ends.items():
        assert messages.ending(ForwardMsg(script_finished=status).SerializeToString()) == how
    assert messages.ending(ForwardMsg(ref_hash="abc").SerializeToString()) == ""


class Renamed:
    """Messages of a Streamlit whose names are others."""

    def __init__(self, **fields):
        raise ValueError(f'Protocol message BackMsg has no "{next(iter(fields))}" field.')


@pytest.mark.parametrize("instead", [None, Renamed])
def test_messages_with_other_names_pass_unread(instead, monkeypatch, caplog):
    monkeypatch.setattr("streamlit.proto.BackMsg_pb2.BackMsg", instead)
    with caplog.at_level(logging.WARNING, "posenc.streamlit"):
        renamed = runpy.run_path(str(FOLDER / "messages.py"))
    assert "runs take no turns" in caplog.text
    assert renamed["read"](BackMsg(clear_cache=True).SerializeToString()) == (None, True)
    assert renamed["ending"](ForwardMsg(script_finished=0).SerializeToString()) == ""


def test_streamlits_page_has_what_is_read_of_it():
    html = (page.STATIC / "index.html").read_bytes()
    assert page.is_page(html)
    assert page.inline_scripts()
    assert "window.__streamlit" in page.BEGIN
    assert re.search(r"window\.__streamlit\b.*BACKEND_BASE_URL", bundle())


STATICS = ROOT / "static"
# The second is what the course has on Streamlit's page: how far a reader has come.
ON_THE_PAGE = [STATICS / "streamlit.js", STATICS.parent / "course" / "page" / "progress.js"]
PAGE_PART = re.compile(r'data-testid[\^]?=\\?"?(st\w+)|\.(st[A-Z]\w+)|part\("(st\w+)"\)')


def parts_of_the_page(text):
    return {"".join(found) for found in PAGE_PART.findall(text)}


def is_in_bundle(name):
    kind = re.sub("[A-Z][a-z]+$", "", name) + "${"  # stAlertContent${"Error"}
    return name in words() or kind in bundle()


def test_what_styles_and_scripts_look_for_is_in_streamlits_page():
    files = [*STATICS.glob("*.css"), *ON_THE_PAGE]
    looked_for = {name for file in files for name in parts_of_the_page(file.read_text("utf-8"))}
    assert looked_for > {"stApp", "stMain", "stHeader", "stMainBlockContainer"}
    assert [name for name in sorted(looked_for) if not is_in_bundle(name)] == []
    for state in ("data-test-connection-state", "data-test-script-state"):
        assert state in bundle()


# Nowhere else

FOREIGN = re.compile(
    r"(?:from|import) streamlit\.(?!delta_generator import DeltaGenerator\b)"
    r"|get_script_run_ctx|fragment_ids_this_run|is_history_navigation|get_widget_states|_cursor\b"
    r"|uses_pages_directory|uploaded_file_mgr|is_active_session|__streamlit|index\.html"
)


def test_undocumented_names_of_streamlit_stand_here_alone():
    assert FOREIGN.search("from streamlit.runtime import Runtime")
    assert not FOREIGN.search("from streamlit.delta_generator import DeltaGenerator")
    files = [ROOT / "app.py", ROOT / "navigation.py"]
    for folder in ("ui", "pages", "serving", "lab", "exhibits", "plots", "models"):
        files += (ROOT / folder).rglob("*.py")
    elsewhere = [file for file in files if file.parent != FOLDER]
    assert len(elsewhere) > 200
    found = [str(file) for file in elsewhere if FOREIGN.search(file.read_text("utf-8"))]
    assert found == []


def test_scripts_find_parts_of_streamlits_page_in_one_place():
    scripts = {*STATICS.rglob("*.js")} - {*ON_THE_PAGE}
    assert [str(file) for file in scripts if parts_of_the_page(file.read_text("utf-8"))] == []
