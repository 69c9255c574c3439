"""The advisor as a package: every file of it, what it asks for, and its command line."""

import json
import subprocess
import zipfile
from pathlib import Path

import pytest
from hatchling import build

from tests.conftest import ROOT
from tests.posenc.test_wheel import NOT_SHIPPED, lend, python, run, wheel

ADVISOR = ROOT / "advisor"
__all__ = ["python", "wheel"]  # fixtures


@pytest.fixture(scope="module")
def advisor(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("advisor")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(ADVISOR)
        return folder / build.build_wheel(str(folder))


def test_the_wheel_has_every_file_and_asks_for_the_library(advisor: Path) -> None:
    with zipfile.ZipFile(advisor) as archive:
        packed = {name for name in archive.namelist() if name.startswith("advisor/")}
        (about,) = [name for name in archive.namelist() if name.endswith("/METADATA")]
        metadata = archive.read(about).decode()
    ours = {
        path.relative_to(ADVISOR).as_posix()
        for path in (ADVISOR / "advisor").rglob("*")
        if path.is_file() and not NOT_SHIPPED & set(path.parts)
    }
    assert packed == ours
    assert "advisor/known_models.json" in packed
    library = (ROOT / "encodings").as_uri()
    asked = [line.split(": ", 1)[1] for line in metadata.splitlines() if "Requires-Dist" in line]
    assert [one.replace(" ", "") for one in asked] == [
        f"posenc@{library}",
        "torch>=2.13",
        "transformers>=5.23",
        "typer>=0.15",
    ]


def test_a_wheel_that_goes_elsewhere_names_no_place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("POSENC_AT", "")
    monkeypatch.chdir(ADVISOR)
    with zipfile.ZipFile(tmp_path / build.build_wheel(str(tmp_path))) as archive:
        (about,) = [name for name in archive.namelist() if name.endswith("/METADATA")]
        metadata = archive.read(about).decode()
    assert "Requires-Dist: posenc\n" in metadata
    assert "file:" not in metadata


@pytest.mark.slow
def test_with_what_it_asks_for_its_command_line_explains_a_model(
    python: Path, advisor: Path, tmp_path: Path
) -> None:
    home = python.parent.parent
    lend(home, "transformers", "typer")
    (site,) = (home / "lib").glob("python*/site-packages")
    with zipfile.ZipFile(advisor) as archive:
        archive.extractall(site)
    config = {
        "model_type": "llama",
        "hidden_size": 4096,
        "num_attention_heads": 32,
        "num_hidden_layers": 32,
        "max_position_embeddings": 4096,
        "rope_theta": 10000.0,
    }
    (tmp_path / "config.json").write_text(json.dumps(config))
    command = ("-m", "advisor", "explain", "config.json", "--target", "16384", "--json")
    done: subprocess.CompletedProcess[str] = run(python, tmp_path, *command)
    assert done.returncode == 0, done.stderr
    decision = json.loads(done.stdout)["decision"]
    assert (decision["target"], decision["method"], decision["factor"]) == (16384, "yarn", 4.0)
