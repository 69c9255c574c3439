"""Mistakes in attention and its cache: the scale, and keys rotated under another base."""

from collections.abc import Callable

import torch
from torch import Tensor

from exhibits.pitfalls.case import SAMPLED, Pitfall, normal
from posenc.attention.formula import attend
from posenc.cache.kv import KVCache
from posenc.rope.formula import RoPE
from posenc.scaling.dynamic import DynamicNTK
from posenc.words import say

# Attention: q, k (n, d) -> weights (n, n)


def wrong_scale(q: Tensor, k: Tensor) -> Tensor:
    """Forget the scale."""
    scores = q @ k.mT  # their spread grows like √d
    return torch.softmax(scores, dim=-1)


def right_scale(q: Tensor, k: Tensor) -> Tensor:
    """Divide by √d."""
    scores = q @ k.mT * q.shape[-1] ** -0.5  # spread 1 for any d
    return torch.softmax(scores, dim=-1)


Attention = Callable[[Tensor, Tensor], Tensor]


def spread_of_scores_is_one(attention: Attention) -> float:
    """Standard deviation of the logarithms in a row, against 1 (normal q and k, 64 channels)."""
    weights = attention(normal(512, 64), normal(512, 64, seed=1))
    return float((weights.log().std(dim=-1).mean() - 1).abs())


def rows_sum_to_one(attention: Attention) -> float:
    """Attention of a query sums to 1."""
    weights = attention(normal(64, 64), normal(64, 64, seed=1))
    return float((weights.sum(dim=-1) - 1).abs().max())


SCALE = Pitfall(
    say("Scale forgotten"),
    wrong=wrong_scale,
    right=right_scale,
    check=spread_of_scores_is_one,
    others=(rows_sum_to_one,),
    draw=lambda attention: attention(normal(32, 64), normal(32, 64, seed=1)),
    rows=say("query i"),
    cols=say("key j"),
    value=say("attention"),
    tolerance=SAMPLED,
)


# A cache under a base that grows: q, k (n, d), trained length -> scores (n, n)


def wrong_cache(q: Tensor, k: Tensor, trained: int) -> Tensor:
    """Keep keys as they were rotated when they were written."""
    rope = RoPE(q.shape[-1], scaling=DynamicNTK(2.0, trained))
    cache = KVCache(rope, rotate_on_write=True)  # old keys, old base
    return _decoded_scores(cache, q, k)


def right_cache(q: Tensor, k: Tensor, trained: int) -> Tensor:
    """Keep keys as they are and rotate all of them at each step."""
    rope = RoPE(q.shape[-1], scaling=DynamicNTK(2.0, trained))
    cache = KVCache(rope, rotate_on_write=False)  # every key by the present base
    return _decoded_scores(cache, q, k)


def _decoded_scores(cache: KVCache, q: Tensor, k: Tensor) -> Tensor:
    scores = torch.full((len(q), len(k)), torch.nan, dtype=torch.float64)
    for t in range(len(q)):
        new_q, new_k = q[None, None, t : t + 1], k[None, None, t : t + 1]
        trace = cache.step(new_q, new_k, new_k, torch.tensor([t]), trace=True)
        scores[t, : t + 1] = trace.scaled[0, 0, 0]
    return scores


Cached = Callable[[Tensor, Tensor, int], Tensor]


def decoding_equals_the_full_pass(decode: Cached) -> float:
    """The last row of scores is that of one pass over the whole text."""
    q = normal(24, 16)
    k = normal(24, 16, seed=1)
    rope = RoPE(16, scaling=DynamicNTK(2.0, 8))
    keys = k[None, None]
    full = attend(q[None, None], keys, keys, rope, mask="causal", trace=True).scaled[0, 0, -1]
    return float((decode(q, k, 8)[-1] - full).abs().max())


def fresh_keys_are_right(decode: Cached) -> float:
    """A token's score with its own key is q·k / √d."""
    q = normal(24, 16)
    k = normal(24, 16, seed=1)
    own = decode(q, k, 8).diagonal()
    return float((own - (q * k).sum(dim=-1) / 4).abs().max())


CACHE = Pitfall(
    say("Cached keys, new base"),
    wrong=wrong_cache,
    right=right_cache,
    check=decoding_equals_the_full_pass,
    others=(fresh_keys_are_right,),
    draw=lambda decode: decode(normal(48, 16), normal(48, 16, seed=1), 16),
    rows=say("query i"),
    cols=say("key j"),
    value=say("score"),
)
