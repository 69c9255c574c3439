"""The server's program: the language model is there before the first reader."""

import multiprocessing
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

import app as entry
from models.files.find import installed
from models.files.gguf import is_converted
from models.home import Home
from serving import course
from serving import model as program
from serving.__main__ import parser
from tests.conftest import ROOT, awaited


def test_a_server_is_started_for_its_own_machine() -> None:
    """Who wants another address says so."""
    assert parser().parse_args([]).host == "127.0.0.1"
    makefile = (ROOT / "Makefile").read_text("utf-8")
    assert "\nHOST ?= 127.0.0.1\n" in makefile
    assert makefile.count("--server.address $(HOST)") == makefile.count("streamlit run") == 2


@pytest.mark.slow
def test_the_model_is_converted_before_anybody_can_ask_for_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("POSENC_MODELS_HOME", str(tmp_path))
    found = installed()
    assert found is not None
    assert not is_converted(found.path, Home(tmp_path))
    program.prepare_model()
    assert is_converted(found.path, Home(tmp_path))
    monkeypatch.setattr(program, "converted", pytest.fail)
    monkeypatch.setattr(program.multiprocessing, "get_context", pytest.fail)
    program.prepare_model()


def test_a_server_without_the_model_starts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("POSENC_NO_MODEL", "1")
    monkeypatch.setattr(program.multiprocessing, "get_context", pytest.fail)
    program.prepare_model()


def test_a_model_that_cannot_be_converted_is_a_line_of_the_log(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("POSENC_MODELS_HOME", str(tmp_path / "file"))
    program._convert()
    assert "the language model is not converted: The folder of models" in caplog.text


def test_a_death_while_converting_is_a_line_of_the_log(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """It may have no memory left, or not be allowed to start; then a reader waits for the model."""
    monkeypatch.setenv("POSENC_MODELS_HOME", str(tmp_path))
    multiprocessing.set_executable("/nothing/python")
    try:
        program.prepare_model()
    finally:
        multiprocessing.set_executable(sys.executable)
    assert "the language model is not converted: status 255" in caplog.text


def test_pages_are_made_once_for_a_class_at_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Forty at once, each with the numbers of all chapters, took minutes and gigabytes."""
    made = []

    def part(name: str, _voice: object) -> tuple[()]:
        made.append(name)
        time.sleep(0.05)
        return ()

    monkeypatch.setattr(course.build, "part", part)
    course._answers.cache_clear()
    try:
        with ThreadPoolExecutor(8) as pool:
            assert list(pool.map(lambda _: course._made("rope"), range(8))) == [{}] * 8
            course.prepare()
    finally:
        course._answers.cache_clear()
    assert made[0] == "rope"
    assert sorted(made) == sorted(course.build.parts())


def test_a_server_has_made_its_pages_before_anybody_asks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its first readers waited for seconds."""
    done: list[str] = []
    monkeypatch.setattr(course, "prepare", lambda: done.append("pages"))

    async def starts() -> list[str]:
        async with entry.start_up(None):
            return [*done]

    assert awaited(starts()) == ["pages"]
