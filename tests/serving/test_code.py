"""The project's code, as a visitor gets it."""

import io
import subprocess
import sys
from zipfile import ZipFile

import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient

from serving import code


def test_a_visitor_gets_the_code_and_nothing_else(tmp_path):
    got = TestClient(Starlette(routes=code.routes("/base"))).get("/base/code.zip")
    assert got.headers["content-disposition"] == 'attachment; filename="positional-encodings.zip"'
    with ZipFile(io.BytesIO(got.content)) as file:
        names = file.namelist()
        file.extractall(tmp_path)
    assert len(got.content) < 30e6
    tracked = subprocess.run(
        ["git", "ls-files"], cwd=code.ROOT, capture_output=True, text=True, check=False
    )
    if tracked.returncode:
        pytest.skip("the project lies here without its history")
    inside = {name.removeprefix(f"{code.INSIDE}/") for name in names}
    assert inside <= set(tracked.stdout.splitlines())
    assert {"Makefile", "app.py", ".streamlit/config.toml", "scripts/install.py"} <= inside
    # The command of the screen runs in what was unpacked.
    help = subprocess.run(
        [sys.executable, "-m", "lab", "train", "--help"],
        cwd=tmp_path / code.INSIDE,
        capture_output=True,
        text=True,
        check=False,
    )
    assert help.returncode == 0, help.stderr
    assert "--seed" in help.stdout
