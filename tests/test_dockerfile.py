"""Promises of the Dockerfile, read from the file."""

import fnmatch
import re
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LINES = re.sub(r"\\\n\s*", "", (ROOT / "Dockerfile").read_text("utf-8")).splitlines()
"""Instructions, one a line."""


def copied() -> list[str]:
    """Sources that COPY takes from the checkout."""
    words = [line.split()[1:-1] for line in LINES if line.startswith("COPY ")]
    return [word for some in words if "--from=" not in some[0] for word in some if word[0] != "-"]


def test_the_image_runs_as_a_user_without_rights() -> None:
    user = max(at for at, line in enumerate(LINES) if line.startswith("USER "))
    assert re.fullmatch(r"USER [1-9]\d*:[1-9]\d*", LINES[user])
    assert not [line for line in LINES[user:] if line.startswith(("RUN ", "COPY "))]


def test_what_is_copied_exists_and_is_not_ignored() -> None:
    ignored = (ROOT / ".dockerignore").read_text("utf-8").split()
    assert copied()
    for source in copied():
        assert (ROOT / source).exists(), source
        first = Path(source).parts[0]
        assert not any(fnmatch.fnmatch(first, pattern) for pattern in ignored), source


def test_everything_the_app_needs_is_copied() -> None:
    code = {
        "pages",
        "plots",
        "ui",
        "course",
        "exhibits",
        "lab",
        "models",
        "encodings",
        "advisor",
        "app.py",
        "navigation.py",
    }
    assert code | {"data", "static", ".streamlit", "requirements-server.txt"} <= {*copied()}


def test_the_pages_are_made_in_the_image() -> None:
    """By its own code: whoever copied them from a checkout would have older ones."""
    assert 'RUN [".venv/bin/python", "-m", "course.build"]' in LINES
    assert "course/made.json" in (ROOT / ".dockerignore").read_text("utf-8").split()
