"""The small GPT runs in every way with an encoding of each kind; the rest is `make bench`'s."""

import inspect
import re

import pytest
import torch

from benchmarks.gpt import Attention, measure, own_text
from tests.conftest import ROOT


@pytest.mark.slow
@pytest.mark.parametrize("name", ["learned", "t5", "rope", "cope"])
def test_it_learns_and_every_way_to_run_it_gives_the_same(name: str) -> None:
    found = measure(name, own_text(), 30, 24, "eager")
    assert found["loss"] < 0.8 * found["first loss"]
    for way in ("export", "compile", "decode"):
        assert found[f"{way}, error"] < 1e-4, way


def test_the_readme_shows_its_core_and_both_ways_to_run_it_agree() -> None:
    text = (ROOT / "README.md").read_text("utf-8")
    (program,) = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    assert inspect.getsource(Attention) in program
    names: dict[str, object] = {}
    exec(program, names)
    one_by_one = torch.cat(names["one_by_one"], dim=1)
    torch.testing.assert_close(one_by_one, names["at_once"], atol=1e-5, rtol=0)
