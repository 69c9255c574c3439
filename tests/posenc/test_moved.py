"""Names that left the root are found there with a warning; a model's import loads no course."""

import subprocess
import sys

import pytest

import posenc
from posenc import study
from tests.conftest import ROOT


@pytest.mark.parametrize("name", posenc.MOVED)
def test_an_old_name_says_where_it_is(name):
    room = {"posenc.scaling": posenc.scaling, "posenc.study": study}[posenc.MOVED[name]]
    assert name in room.__all__
    assert name not in posenc.__all__
    with pytest.warns(DeprecationWarning, match=f"{posenc.MOVED[name]}.{name}$"):
        assert getattr(posenc, name) is getattr(room, name)


def test_other_names_are_unknown():
    with pytest.raises(AttributeError, match="has no attribute 'Rope'"):
        posenc.Rope  # noqa: B018


def test_what_a_model_imports_is_no_course():
    code = "import sys, posenc; print(*[m for m in sys.modules if m.startswith('posenc')])"
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT / "encodings", capture_output=True, text=True
    )
    loaded = done.stdout.split()
    assert len(loaded) > 30, done.stderr
    course = ("catalogue", "picture", "steps", "step", "study", "methods", "remap", "reading")
    assert [name for name in loaded if {*course} & {*name.split(".")}] == []
