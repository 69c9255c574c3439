"""What the Dockerfile promises, read from the file."""

import fnmatch
import json
import re
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent


class Instruction(NamedTuple):
    word: str
    rest: str


def parse(text: str) -> list[Instruction]:
    """Instructions of a Dockerfile, continued lines joined and comments left out."""
    lines = [line for line in text.splitlines() if not line.lstrip().startswith("#")]
    joined = re.sub(r"\\\n\s*", "", "\n".join(lines))
    pairs = [line.split(None, 1) for line in joined.splitlines() if line.strip()]
    return [Instruction(word.upper(), rest) for word, rest in pairs]


def without_options(rest: str) -> str:
    return re.sub(r"^(--\S+\s+)+", "", rest)


STEPS = parse((ROOT / "Dockerfile").read_text("utf-8"))
LAST_FROM = max(i for i, step in enumerate(STEPS) if step.word == "FROM")


def rests(word: str, steps: list[Instruction] = STEPS) -> list[str]:
    return [step.rest for step in steps if step.word == word]


def test_two_stages_from_a_slim_base() -> None:
    images = [rest.split()[0] for rest in rests("FROM")]
    assert images == ["python:${PYTHON_VERSION}-slim${PYTHON_DIGEST}"] * 2


def test_the_image_runs_as_a_user_without_rights() -> None:
    user, group = rests("USER", STEPS[LAST_FROM:])[-1].split(":")
    assert int(user) > 0
    assert int(group) > 0
    after = STEPS[max(i for i, step in enumerate(STEPS) if step.word == "USER") :]
    assert not rests("RUN", after)
    assert not rests("COPY", after)


def test_health_is_asked_at_streamlits_own_endpoint() -> None:
    (health,) = rests("HEALTHCHECK", STEPS[LAST_FROM:])
    program = json.loads(without_options(health).removeprefix("CMD "))
    assert program[1] == "-c"
    assert "/_stcore/health" in program[2]
    compile(program[2], "HEALTHCHECK", "exec")


def test_the_server_is_the_first_process() -> None:
    (command,) = rests("CMD", STEPS[LAST_FROM:])
    assert json.loads(command)[1:4] == ["-m", "uvicorn", "asgi:app"]
    assert STEPS[-1].word == "CMD"


def test_nothing_comes_from_the_network_but_by_pip() -> None:
    assert not rests("ADD")
    assert [r for r in rests("RUN") if any(word in r for word in ("curl", "wget", "://"))] == []


def copied() -> list[str]:
    """Sources that COPY takes from the checkout."""
    sources = []
    for rest in rests("COPY"):
        if "--from=" not in rest:
            sources += without_options(rest).split()[:-1]
    return sources


def test_what_is_copied_exists_and_is_not_ignored() -> None:
    ignored = (ROOT / ".dockerignore").read_text("utf-8").split()
    assert copied()
    for source in copied():
        assert (ROOT / source).exists(), source
        parts = Path(source).parts
        assert not any(fnmatch.fnmatch(parts[0], pattern) for pattern in ignored), source


def test_everything_the_app_needs_is_copied() -> None:
    code = {"pages", "plots", "ui", "exhibits", "lab", "models", "encodings", "app.py", "asgi.py"}
    assert code | {"data", "static", ".streamlit"} <= set(copied())


def test_the_image_has_what_a_large_server_uses() -> None:
    assert any("scripts/install.py --server" in rest for rest in rests("RUN"))
    assert "requirements-server.txt" in copied()


def test_the_build_of_torch_is_an_argument() -> None:
    assert 'TORCH_INDEX=""' in rests("ARG")
    assert any("scripts/install.py" in rest and "TORCH_INDEX" in rest for rest in rests("RUN"))
