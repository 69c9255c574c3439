"""The terminal: what it prints, its exit status, and Ctrl-C."""

import json
import os
import re
import signal
import subprocess
import sys
from functools import partial
from pathlib import Path

import pytest
from typer.testing import CliRunner

from lab.cli.commands import app
from lab.cli.progress import summary
from lab.queue.jobs import Lab
from tests.conftest import ROOT
from tests.lab.conftest import toy_settings
from tests.lab.processes import PATIENCE, pick, until, worker
from tests.lab.toy import undisturbed


@pytest.fixture
def terminal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, toys: None):
    """Runs a command line in a lab of toys; (exit status, stdout, stderr)."""
    # A long lease: nobody dies here, and who follows a job starts no second supervisor beside one
    # that is slow to speak.
    for name, value in toy_settings(tmp_path, silence=60.0).variables().items():
        monkeypatch.setenv(name, value)

    def run(*arguments: str) -> tuple[int, str, str]:
        result = CliRunner().invoke(app, arguments)
        return result.exit_code, result.stdout, result.stderr

    return run


def test_help_names_every_command_and_the_exit_statuses(terminal) -> None:
    status, text, _ = terminal("--help")
    assert status == 0
    assert "Exit status: 0 fine, 1 a job failed, 2 bad input" in text
    commands = re.findall(r"^  ([\w-]+)  +[A-Z]", text, re.MULTILINE)
    assert {"train", "evaluate", "sweep", "export-hf", "list", "worker"} <= set(commands)
    for command in commands:
        status, text, _ = terminal(command, "--help")
        assert status == 0
        assert "Usage: " in text


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["train", "nosuch"], "Error: encoding must be one of"),
        (["train", "rope", "--task", "poetry"], "Error: task must be one of recall, text, count"),
        (["train", "rope", "--set", "base"], "Error: --set takes NAME=NUMBER, got 'base'."),
        (["train", "rope", "--set", "basis=3"], "Error: rope has no setting 'basis'"),
        (["train", "rope", "--updates", "0"], "Error: updates must be a whole number from 1"),
        (["train", "rope", "--task", "text", "--corpus", "no.txt"], "No such file"),
        (["pause", "99"], "Error: There is no job 99."),
        (["results", "99"], "Error: There is no job 99."),
        (["export-hf", "nosuch", "out"], "Error: There is no checkpoint 'nosuch'"),
        (["sweep", *["rope"] * 7], "with 21 more"),
        (["nonsense"], "No such command"),
    ],
)
def test_bad_input_is_a_sentence_and_status_2(terminal, arguments, sentence: str) -> None:
    status, out, err = terminal(*arguments)
    assert (status, out) == (2, "")
    assert sentence in err
    assert "Traceback" not in err
    assert terminal("list")[:2] == (0, "")


def test_jobs_are_ordered_followed_and_read(terminal, tmp_path: Path) -> None:
    with Lab() as lab, worker(lab.settings):
        status, out, err = terminal("train", "rope", "--updates", "30")
        assert (status, err.count("Error")) == (0, 0)
        assert re.match(r" +1  done +30/30 ", out)
        status, out, _ = terminal("results", "1")
        assert status == 0
        assert [json.loads(line) for line in out.splitlines()] == lab.results(job=1)
        assert lab.results()[0] == {**undisturbed(30), "job": 1}

        status, out, _ = terminal("train", "rope", "--updates", "30", "--seed", "13")
        assert status == 1
        assert "failed" in out
        assert "The corpus is empty" in out

        assert terminal("sweep", "rope", "alibi", "--seeds", "2", "--updates", "9")[0] == 0
        assert terminal("train", "rope", "--detach")[0] == 0
        number = lab.jobs()[0].id
        assert terminal("cancel", str(number))[0] == 0
        until(lambda: lab.job(number).ended, "the cancelling")
        assert terminal("watch", str(number))[0] == 1
        assert terminal("remove", str(number))[0] == 0
        assert len(terminal("list")[1].splitlines()) == len(lab.jobs())


@pytest.mark.slow
def test_control_c_pauses_and_says_how_to_resume(terminal, tmp_path: Path) -> None:
    with Lab() as lab, worker(lab.settings):
        command = [
            sys.executable,
            "-m",
            "tests.lab.toy_worker",
            "train",
            "rope",
            "--updates",
            "150",
            "--seed",
            "14",
        ]
        pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
        # What a shell runs in the background ignores Ctrl-C, and so do its children.
        heard = {"preexec_fn": partial(signal.signal, signal.SIGINT, signal.SIG_DFL)}
        with subprocess.Popen(
            command, cwd=ROOT, stdin=subprocess.DEVNULL, **pipes, **heard
        ) as process:
            until(lab.jobs, "a job")
            pick(lab, 1, 10)
            os.kill(process.pid, signal.SIGINT)
            out, err = process.communicate(timeout=PATIENCE)
        assert process.returncode == 130, err
        assert b"paused" in out
        assert b"resume" in err
        assert b"Traceback" not in err
        assert lab.job(1).state == "paused"
        assert terminal("resume", "1")[0] == 0
        assert lab.job(1).state in ("queued", "running")


def test_a_summary_pools_the_rows_of_each_length() -> None:
    rows = [
        {"table": "recall", "method": "none", "length": 256, "asked": 10, "right": 1},
        {"table": "recall", "method": "none", "length": 128, "asked": 10, "right": 9},
        {"table": "recall", "method": "none", "length": 128, "asked": 30, "right": 27},
        {"table": "text", "method": "yarn", "length": 128, "measure": "tail", "bits": 2.0},
        {"table": "text", "method": "yarn", "length": 128, "measure": "tail", "bits": 3.0},
        {"table": "text", "method": "yarn", "length": 128, "measure": "mean", "bits": 9.0},
        {"table": "positions", "method": "yarn", "length": 128, "bits": 9.0},
    ]
    assert summary(rows) == [
        "accuracy by length, none: 128: 0.900  256: 0.100",
        "bits per byte by length, yarn: 128: 2.500",
    ]
