"""`python -m models losses` and the others: a run that can be stopped and continued."""

import csv
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from models.cli import app
from models.measuring import loss
from models.measuring.loss import FILE as LOSSES
from models.measuring.passkey import FILE as PASSKEYS
from models.measuring.run import duration
from tests.models import tiny

TRAINED = 64


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("POSENC_MODELS_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("POSENC_NO_MODEL", "1")
    tiny.save("llama", tmp_path / "home" / "tiny", max_position_embeddings=TRAINED)


def spied(monkeypatch: pytest.MonkeyPatch, stop: int | None = None) -> list[Any]:
    """Length, method, factor of what is measured from now on; it is stopped after `stop`."""
    calls: list[Any] = []
    own = loss.bits

    def spy(model: Any, ids: list[int], method: str, factor: float) -> Any:
        if len(calls) == stop:
            calls.append(None)
            raise KeyboardInterrupt
        calls.append((len(ids), method, factor))
        return own(model, ids, method, factor)

    monkeypatch.setattr(loss, "bits", spy)
    return calls


def command(name: str, folder: Path, *more: str) -> Any:
    return CliRunner().invoke(app, [name, "--model", "tiny", "--out", str(folder), *more])


def rows(path: Path) -> list[dict[str, str]]:
    with path.open(newline="") as file:
        return list(csv.DictReader(file))


def test_a_stopped_run_goes_on_and_measures_nothing_twice(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    measured = spied(monkeypatch, stop=5)
    asked = ["--texts", "topics,decimal", "--methods", "none,slide,yarn", "--lengths", "96,48"]
    plan = command("losses", tmp_path, *asked, "--plan")
    assert plan.exit_code == 0
    assert plan.stdout.startswith(f"12 passes, 0 of them in {tmp_path / LOSSES} already.\n")
    assert "  topics, yarn ×4, 96 tokens: about 0 s\n" in plan.stdout
    assert measured == []

    stopped = command("losses", tmp_path, *asked)
    assert stopped.exit_code == 130
    assert "the same command continues" in stopped.stderr
    first = rows(tmp_path / LOSSES)
    assert [(row["text"], row["method"], row["factor"], row["length"]) for row in first] == [
        ("topics", "none", "1.0", "48"),
        ("topics", "slide", "1.0", "48"),
        ("topics", "yarn", "4.0", "48"),
        ("decimal", "none", "1.0", "48"),
        ("decimal", "slide", "1.0", "48"),
    ]
    again = command("losses", tmp_path, *asked)
    assert again.exit_code == 0
    assert "12 passes, 5 of them" in again.stdout
    assert "7 of 7: decimal, yarn ×4, 96 tokens: " in again.stdout
    everything = rows(tmp_path / LOSSES)
    assert everything[:5] == first
    assert len(measured) == 13 == len(everything) + 1
    assert len(set(measured) - {None}) == 6
    assert "12 passes, 12 of them" in command("losses", tmp_path, *asked).stdout
    assert len(measured) == 13
    assert [path.name for path in tmp_path.glob("*.csv*")] == [LOSSES]
    assert not list(tmp_path.glob(".*"))


def test_factors_that_fit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    measured = spied(monkeypatch)
    asked = ["--texts", "topics", "--methods", "yarn,ntk", "--lengths", "32,128"]
    done = command("losses", tmp_path, *asked, "--factor", "fit,4")
    assert done.exit_code == 0, done.stderr
    assert measured == [
        (32, "yarn", 1.0),
        (32, "ntk", 1.0),
        (32, "yarn", 4.0),
        (32, "ntk", 4.0),
        (128, "yarn", 2.0),
        (128, "ntk", 2.0),
        (128, "yarn", 4.0),
        (128, "ntk", 4.0),
    ]


def test_keys_go_into_a_table_of_their_own(tmp_path: Path) -> None:
    asked = ["2", "--methods", "none,linear", "--lengths", "1400"]
    done = command("keys", tmp_path, *asked)
    assert done.exit_code == 0, done.stderr
    assert "4 of 4: keys of text 1, linear ×4, 1,400 tokens: 0 of 10 keys, " in done.stdout
    found = rows(tmp_path / PASSKEYS)
    assert len(found) == 40
    assert len({(row["text"], row["method"], row["name"]) for row in found}) == 40
    assert "4 passes, 4 of them" in command("keys", tmp_path, *asked).stdout
    assert rows(tmp_path / PASSKEYS) == found
    refused = command("keys", tmp_path, "2", "--methods", "slide", "--lengths", "1400")
    assert refused.exit_code == 2
    assert "leave slide out" in refused.stderr


HEAD = ",".join(loss.COLUMNS)
GOOD = "tiny,topics,python,ab,none,1.0,48,0,47,3.2,0.1,x"
BROKEN = {
    "": "line 1: the columns must be model,text,",
    "model,text\n": "line 1: the columns must be model,text,",
    f"{HEAD}\n{GOOD}\n{GOOD},1\n": "line 3: 13 values for 12 columns",
    f"{HEAD}\n{GOOD.replace('48', 'x')}\n": "line 2: length is 'x'",
    f'{HEAD}\n"{GOOD}\n': "line 1: unexpected end of data",
}


@pytest.mark.parametrize("content", BROKEN)
def test_a_broken_file_is_told_and_left_alone(tmp_path: Path, content: str) -> None:
    (tmp_path / LOSSES).write_text(content)
    done = command("losses", tmp_path, "--texts", "topics", "--lengths", "48")
    assert done.exit_code == 2
    assert BROKEN[content] in done.stderr
    assert "Repair the file, or move it away" in done.stderr
    assert (tmp_path / LOSSES).read_text() == content


WRONG = {
    "There is no method 'rerope'; these can": ["losses", "--methods", "rerope"],
    "There is no method 'longrope_long'": ["losses", "--methods", "longrope_long"],
    "There is no method 'declared'": ["losses", "--methods", "declared"],
    "--lengths must be whole numbers": ["losses", "--lengths", "1e3"],
    "--lengths must be whole numbers by commas; got ','": ["keys", "1", "--lengths", ","],
    "length must be": ["losses", "--lengths", "1000000"],
    "length must be an integer from 2": ["pitfalls", "--length", "1"],
    "--factor must be numbers by commas, or fit": ["losses", "--factor", "much"],
    "factor must be": ["heads", "1", "--factor", "nan"],
    "must each name something": ["losses", "--methods", ","],
    "There is no model 'huge' here; there are: tiny": ["losses", "--model", "huge"],
    "texts must be": ["keys", "0"],
    "There is no text 'x'": ["losses", "--texts", "x"],
}


@pytest.mark.parametrize("sentence", WRONG)
def test_what_cannot_be_measured_is_refused(tmp_path: Path, sentence: str) -> None:
    name, *more = WRONG[sentence]
    done = command(name, tmp_path, *more)
    assert done.exit_code == 2
    assert sentence in done.stderr
    assert not (tmp_path / LOSSES).exists()


@pytest.mark.parametrize(
    ("seconds", "words"), [(3.4, "3 s"), (89, "89 s"), (600, "10 min"), (9000, "2 h 30 min")]
)
def test_durations(seconds: float, words: str) -> None:
    assert duration(seconds) == words
