"""The commands of docs/explain.md, run as they are written there."""

import json
import os
import re
import shlex
import subprocess
import sys
from glob import glob
from pathlib import Path

import pytest
import yaml
from typer.testing import CliRunner

from advisor import known_models
from advisor.__main__ import app
from tests.conftest import ROOT

DOCUMENT = (ROOT / "docs" / "explain.md").read_text("utf-8")
RIGHT = known_models()["Qwen3-8B"].config
WRONG = {**known_models()["Llama-2-7B"].config, "rope_scaling": {"factor": 4.0}}
LONG = {**RIGHT, "max_position_embeddings": 131072}
LONG |= {"rope_scaling": {"rope_type": "yarn", "factor": 4.0}}
LONG["rope_scaling"]["original_max_position_embeddings"] = 32768


def blocks(heading: str, language: str) -> list[str]:
    """The blocks of code under a heading."""
    part = DOCUMENT.split(f"\n## {heading}\n")[1].split("\n## ")[0]
    return re.findall(rf"```{language}\n(.*?)```", part, re.DOTALL)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A repository with one good file, and `posenc` on the path."""
    program = tmp_path / "bin" / "posenc"
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -m advisor "$@"\n')
    program.chmod(0o755)
    put(tmp_path, LONG)
    return tmp_path


def put(folder: Path, config: dict) -> None:
    file = folder / "models" / "chat" / "config.json"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(json.dumps(config, indent=2))


def run(command: str, folder: Path) -> subprocess.CompletedProcess[str]:
    path = f"{folder / 'bin'}:{os.environ['PATH']}"
    names = dict.fromkeys(("GIT_AUTHOR_NAME", "GIT_COMMITTER_NAME"), "a")
    mails = dict.fromkeys(("GIT_AUTHOR_EMAIL", "GIT_COMMITTER_EMAIL"), "a@example.org")
    environment = {**os.environ, "PATH": path, "GIT_CONFIG_GLOBAL": os.devnull, **names, **mails}
    return subprocess.run(
        ["sh", "-e", "-c", command], cwd=folder, env=environment, capture_output=True, text=True
    )


def fails(command: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> bool:
    """Whether a line that only calls `posenc` fails; in this process, which has imported it."""
    program, *arguments = shlex.split(command)
    assert program == "posenc"
    monkeypatch.chdir(folder)
    found = [sorted(glob(one)) if "*" in one else [one] for one in arguments]
    return CliRunner().invoke(app, [word for words in found for word in words]).exit_code == 1


@pytest.mark.slow
def test_the_job_in_ci(folder: Path) -> None:
    (lines,) = blocks("A job in CI", "sh")
    assert run(lines, folder).returncode == 0
    put(folder, RIGHT)
    short = run(lines, folder)
    assert short.returncode == 1
    assert '+  "max_position_embeddings": 131072' in short.stdout


def test_the_steps_of_the_job(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (job,) = blocks("A job in CI", "yaml")
    *_, strict = yaml.safe_load(job)["jobs"]["configs"]["steps"]
    (lines,) = blocks("A job in CI", "sh")
    assert strict["run"] == lines.splitlines()[0]
    assert not fails(strict["run"], folder, monkeypatch)
    put(folder, WRONG)
    assert fails(strict["run"], folder, monkeypatch)


@pytest.mark.slow
def test_the_hook_of_git(folder: Path) -> None:
    (hook,) = blocks("Before a commit", "sh")
    assert run("git init -q .", folder).returncode == 0
    file = folder / ".git" / "hooks" / "pre-commit"
    file.parent.mkdir(exist_ok=True)
    file.write_text(hook)
    file.chmod(0o755)
    commit = "git add models && git commit -q -m x"
    done = run(commit, folder)
    assert done.returncode == 0, done.stderr
    put(folder, WRONG)
    refused = run(commit, folder)
    assert refused.returncode == 1
    assert "has something to say" in refused.stderr


def test_the_hook_of_pre_commit(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (given,) = blocks("Before a commit", "yaml")
    ((hook,),) = (repo["hooks"] for repo in yaml.safe_load(given)["repos"])
    name = "models/chat/config.json"
    assert re.search(hook["files"], name)
    assert not re.search(hook["files"], "generation_config.json")
    assert not fails(f"{hook['entry']} {name}", folder, monkeypatch)
    put(folder, WRONG)
    assert fails(f"{hook['entry']} {name}", folder, monkeypatch)


def test_a_diff_says_on_standard_error_why_it_exits_with_1(tmp_path: Path) -> None:
    file = tmp_path / "config.json"
    scaling = {**LONG["rope_scaling"], "beta_fats": 16}
    file.write_text(json.dumps({**LONG, "rope_scaling": scaling}))
    result = CliRunner().invoke(app, ["explain", str(file), "--diff"])
    assert (result.exit_code, result.stdout) == (1, "")
    assert "beta_fats is read by neither" in result.stderr


@pytest.mark.parametrize("engine", ["llama_cpp", "ollama", "koboldcpp", "webui_llama_cpp"])
def test_arguments_that_need_another_model_file_are_not_printed(
    tmp_path: Path, engine: str
) -> None:
    file = tmp_path / "config.json"
    file.write_text(json.dumps({**known_models()["Llama-3.1-8B"].config, "rope_scaling": None}))
    command = ["explain", str(file), "--target", "100k", "--print", engine]
    result = CliRunner().invoke(app, command)
    assert (result.exit_code, result.stdout) == (5, "")
    assert "Convert the model again" in result.stderr


@pytest.mark.parametrize("model_type", ["muse_glimmer_text", "granite_swa", "inkling_text"])
def test_a_line_that_stays_at_the_old_length_is_not_printed(
    tmp_path: Path, model_type: str
) -> None:
    """Where the name is not known that llama.cpp has for the architecture."""
    file = tmp_path / "config.json"
    sizes = {"hidden_size": 4096, "num_attention_heads": 32, "num_hidden_layers": 4}
    file.write_text(
        json.dumps({"model_type": model_type, "max_position_embeddings": 8192, **sizes})
    )
    command = ["explain", str(file), "--target", "16384", "--print", "llama_cpp"]
    result = CliRunner().invoke(app, command)
    assert (result.exit_code, result.stdout) == (5, "")
    assert "ARCH.context_length=int:16384" in result.stderr
    within = CliRunner().invoke(app, [*command[:3], "8192", *command[4:]])
    assert (within.exit_code, within.stdout.split()[:1]) == (0, ["--ctx-size"])
