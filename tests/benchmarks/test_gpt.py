"""The small GPT runs in every way with an encoding of each kind; the rest is `make bench`'s."""

import pytest

from benchmarks.gpt import measure, own_text


@pytest.mark.slow
@pytest.mark.parametrize("name", ["learned", "t5", "rope", "cope"])
def test_it_learns_and_every_way_to_run_it_gives_the_same(name: str) -> None:
    found = measure(name, own_text(), 30, 24, "eager")
    assert found["loss"] < 0.8 * found["first loss"]
    for way in ("export", "compile", "decode"):
        assert found[f"{way}, error"] < 1e-4, way
