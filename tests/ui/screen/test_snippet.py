"""A snippet gets the imports of the names that it uses, and prints what it computed."""

import contextlib
import io

import pytest

from ui.screen.snippet import runnable

PLAIN = """\
slopes = alibi_slopes(8)
values = torch.stack([slopes, slopes])
"""
OWN = """\
# In the project's folder.
from pathlib import Path

path = Path("data")
values = [pitfall for pitfall in PITFALLS]
print(path, values)
"""


def run(code: str) -> dict:
    names: dict = {}
    with contextlib.redirect_stdout(io.StringIO()):
        exec(compile(runnable(code), "snippet", "exec"), names)
    return names


def test_names_are_imported_and_values_printed() -> None:
    assert runnable(PLAIN) == (
        f"import torch\nfrom posenc import alibi_slopes\n\n{PLAIN}print(values)\n"
    )
    assert run(PLAIN)["values"].shape == (2, 8)


def test_own_imports_and_comments_stand_first() -> None:
    lines = runnable(OWN).splitlines()
    assert lines[:2] == OWN.splitlines()[:2]
    assert lines[2].startswith("from exhibits.")
    assert lines[3:] == OWN.splitlines()[2:]
    assert run(OWN)["values"]


@pytest.mark.parametrize(
    "body",
    [
        "def double(x):\n    return 2 * x\n\nvalues = double(3)\n",
        "values = [head for head in range(3)]\n",
        "values = (lambda q, k: q + k)(1, 2)\n",
        "values = f'{sum([1, 2])}'\n",
    ],
)
def test_what_a_program_makes_itself_is_not_imported(body) -> None:
    assert runnable(body) == f"\n{body}print(values)\n".lstrip("\n")
