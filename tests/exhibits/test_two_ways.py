import pytest
import torch

from exhibits import two_ways
from exhibits.two_ways import two_ways_differences


@pytest.mark.parametrize("seed", range(5))
def test_two_ways_agree_to_a_few_roundings(seed):
    differences = two_ways_differences(seed)
    assert len(differences) == 13
    for name, difference in differences.items():
        assert 0 <= difference < 1e-13, name


def test_float32_differs_by_its_own_roundings():
    differences = two_ways_differences(dtype=torch.float32)
    assert 1e-8 < max(differences.values()) < 1e-5


def test_a_difference_would_be_seen(monkeypatch):
    monkeypatch.setattr(two_ways, "apply_rope_complex", lambda x, *_: x + 0.25)
    assert two_ways_differences()["RoPE: the fast way, and complex numbers"] > 0.1
