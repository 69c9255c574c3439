import pytest
import torch

from exhibits.two_ways import all as every
from exhibits.two_ways.all import two_ways


@pytest.mark.parametrize("seed", range(5))
def test_two_ways_agree_to_a_few_roundings(seed):
    ways = two_ways(seed)
    assert len(ways) == len({one.title for one in ways}) == 13
    for one in ways:
        assert 0 <= one.difference < 1e-13, one.title


def test_float32_differs_by_its_own_roundings():
    assert 1e-8 < max(one.difference for one in two_ways(dtype=torch.float32)) < 1e-5


def test_a_difference_would_be_seen(monkeypatch):
    monkeypatch.setattr(every, "apply_rope_complex", lambda x, *_: x + 0.25)
    seen = [one.title for one in two_ways() if one.difference > 0.1]
    assert seen == ["RoPE: the fast way, and complex numbers"]
