import pytest
import torch

from posenc import (
    apply_rope,
    rope_cos_sin,
    rope_inv_freq,
)
from posenc.rope.fast import rotate_pairs
from posenc.rope.table import RopeCache


def random(*shape: int, seed: int = 0, dtype: torch.dtype = torch.float64) -> torch.Tensor:
    return torch.randn(*shape, generator=torch.Generator().manual_seed(seed), dtype=dtype)


def test_cache_of_cos_and_sin_looks_up_any_positions():
    inv_freq = rope_inv_freq(8)[0]
    cache = RopeCache(inv_freq, 100, attention_factor=1.1, dtype=torch.float64)
    at = torch.tensor([[3, 99, 0], [7, 7, 8]])
    cos, sin = cache.at(at)
    expected = rope_cos_sin(at, inv_freq, 1.1)
    assert torch.equal(cos, expected[0])
    assert torch.equal(sin, expected[1])
    x = random(2, 4, 3, 8)
    assert torch.equal(rotate_pairs(x, cos, sin), apply_rope(x, at, inv_freq, "interleaved", 1.1))
    for wrong in (100, -1):
        with pytest.raises(ValueError, match="positions must lie between 0 and 99"):
            cache.at(torch.tensor([0, wrong]))
