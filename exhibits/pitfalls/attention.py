"""Mistakes in attention and its cache: the scale, and keys rotated under another base."""

import math
from collections.abc import Callable

import torch
from torch import Tensor

from exhibits.pitfalls.case import SAMPLED, Pitfall, normal
from posenc.attention.formula import attend
from posenc.cache.kv import KVCache
from posenc.cache.stale_keys import rotate_when_written
from posenc.places import NoPE
from posenc.quantity.lines import dot_step
from posenc.quantity.step import Step, fraction, number
from posenc.rope.formula import RoPE, apply_rope, rope_inv_freq
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


def _scale_lines(query: int, key: int) -> tuple[Step, Step]:
    scores = (normal(32, 64) @ normal(32, 64, seed=1).mT)[query]
    return (
        _share(scores, key, r"q_i \cdot k_{0}", 1),
        _share(scores, key, r"q_i \cdot k_{0}/\sqrt d", 8),
    )


def _share(scores: Tensor, key: int, exponent: str, scale: int) -> Step:
    """A softmax, all of its scores divided by a scale."""
    below = (scores / scale).exp().sum().item()
    score = scores[key].item()
    power = number(score) if scale == 1 else f"{number(score)}/{scale}"
    above, others = exponent.replace("{0}", "j"), exponent.replace("{0}", "t")
    return Step(
        "",
        rf"e^{{{above}}}/\textstyle\sum_t e^{{{others}}}",
        fraction(f"e^{{{power}}}", below),
        math.exp(score / scale) / below,
    )


SCALE = Pitfall(
    say("Scale forgotten"),
    wrong=wrong_scale,
    right=right_scale,
    check=spread_of_scores_is_one,
    others=(rows_sum_to_one,),
    draw=lambda attention: attention(normal(32, 64), normal(32, 64, seed=1)),
    lines=_scale_lines,
    rows=say("query i"),
    cols=say("key j"),
    value=say("attention"),
    tolerance=SAMPLED,
)


# A cache under a base that grows: q, k (n, d), trained length -> scores (n, n)


def wrong_cache(q: Tensor, k: Tensor, trained: int) -> Tensor:
    """Keep keys as they were rotated when they were written."""
    rope = RoPE(q.shape[-1], scaling=DynamicNTK(2.0, trained))
    q, k = rotate_when_written(rope, q[None, None], k[None, None])  # old keys, old base
    cache = KVCache(NoPE())  # and never rotated again
    return _decoded_scores(cache, q, k)


def right_cache(q: Tensor, k: Tensor, trained: int) -> Tensor:
    """Keep keys as they are and rotate all of them at each step."""
    rope = RoPE(q.shape[-1], scaling=DynamicNTK(2.0, trained))
    q, k = q[None, None], k[None, None]  # as they are
    cache = KVCache(rope, rotate_on_write=False)  # every key by the present base
    return _decoded_scores(cache, q, k)


def _decoded_scores(cache: KVCache, q: Tensor, k: Tensor) -> Tensor:
    length = q.shape[-2]
    scores = torch.full((length, length), torch.nan, dtype=torch.float64)
    for t in range(length):
        new_q, new_k = q[..., t : t + 1, :], k[..., t : t + 1, :]
        trace = cache.traced_step(new_q, new_k, new_k, torch.tensor([t]))
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


def _cache_lines(query: int, key: int) -> tuple[Step, Step]:
    return _cached_score(query, key, "j", key + 1), _cached_score(query, key, "i", query + 1)


def _cached_score(query: int, key: int, name: str, length: int) -> Step:
    """A score whose key was rotated with the base b in force when the text had this length."""
    scaling = DynamicNTK(2.0, 16)
    now, then = (rope_inv_freq(16, scaling=scaling, length=n)[0] for n in (query + 1, length))
    q = apply_rope(normal(48, 16)[query : query + 1], torch.tensor([query]), now)[0]
    k = apply_rope(normal(48, 16, seed=1)[key : key + 1], torch.tensor([key]), then)[0]
    product = dot_step("", q, k, "", "")
    base = number(round(scaling.new_base(8, 10000.0, length)))
    return Step(
        "",
        rf"(R_{{i\,\theta(b_i)}}\,q_i) \cdot (R_{{j\,\theta(b_{name})}}\,k_j)/\sqrt d"
        rf"\quad(b_{name} \approx {base})",
        rf"({product.substituted})/\sqrt{{16}}",
        product.value / 4,
    )


CACHE = Pitfall(
    say("Cached keys, new base"),
    wrong=wrong_cache,
    right=right_cache,
    check=decoding_equals_the_full_pass,
    others=(fresh_keys_are_right,),
    draw=lambda decode: decode(normal(48, 16), normal(48, 16, seed=1), 16),
    lines=_cache_lines,
    rows=say("query i"),
    cols=say("key j"),
    value=say("score"),
)
