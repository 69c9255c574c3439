"""Measurements for those who run models: read as a cache reads, and kept as they were found."""

import json

import torch

from advisor.comparing.layer import RopeLayer
from course.chapters.running.data import BLOCK, MEASURED, PAST, TEXTS, growing
from posenc import KVCache, NoPE, RoPE, attend
from posenc.cache.stale_keys import rotate_when_written
from posenc.scaling.dynamic import DynamicNTK
from tests.kinds import known

KEPT = json.loads(MEASURED.read_text("utf-8"))


def test_one_pass_reads_as_a_cache_of_turned_keys() -> None:
    prompt, length, scaling = 6, 16, DynamicNTK(2.0, 6)
    config = known("SmolLM2-135M")
    (layer,) = {*config.rotary.values()}
    assert isinstance(layer, RopeLayer)
    seed = torch.Generator().manual_seed(3)
    q, k, v = torch.randn(3, 1, 1, length, layer.head_dim, generator=seed, dtype=torch.float64)
    at = torch.arange(length)
    rope = RoPE(layer.head_dim, layer.base, layout=layer.pairing, scaling=scaling)
    q_then, k_then = rotate_when_written(rope, q, k, prompt)
    cache = KVCache(NoPE())
    outputs = [
        cache.step(
            q_then[..., :prompt, :], k_then[..., :prompt, :], v[..., :prompt, :], at[:prompt]
        )
    ]
    for t in range(prompt, length):
        new = slice(t, t + 1)
        outputs.append(
            cache.step(q_then[..., new, :], k_then[..., new, :], v[..., new, :], at[new])
        )
    turned = growing(prompt, scaling)(q, k, at, at, layer)
    found = attend(*turned, v, mask="causal")
    torch.testing.assert_close(found, torch.cat(outputs, dim=-2), rtol=0, atol=1e-12)


def test_kept_keys_cost_bits_only_past_the_prompt() -> None:
    assert KEPT["texts"] == list(TEXTS)
    bits = {way: torch.tensor(found) for way, found in KEPT["bits"].items()}
    more = bits["frozen"] - bits["none"]
    assert more.shape == (len(TEXTS), PAST // BLOCK + 1)
    assert more[:, 0].abs().max() < 0.01
    assert (more[:, 1:] > 0).all()
