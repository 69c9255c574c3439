"""Mistakes that real code makes with positions: each beside its right form and what catches it.

A `wrong_` function differs from the `right_` one in the lines with a comment. A check takes any
form of the function, wrong or right, and measures by how much its invariant is broken; 0 (or a
rounding) says that it holds. Nothing in the library uses this file: `pitfall_cases` lists it.
"""

from collections.abc import Callable

import torch
from torch import Tensor

from posenc.attention.formula import attend
from posenc.attention.masks import causal_mask
from posenc.cache.kv import KVCache
from posenc.reading.coverage import angle_coverage
from posenc.rope.formula import RoPE, apply_rope, rope_inv_freq
from posenc.rope.layouts import layout_permutation
from posenc.rope.pairs import Layout
from posenc.scaling.dynamic import DynamicNTK
from posenc.scaling.yarn import YaRN
from posenc.t5.formula import t5_bucket

TRAINED, FACTOR, ROTARY_DIM = 64, 4, 32


def normal(*shape: int, seed: int = 0) -> Tensor:
    """Seeded standard normal numbers, float64."""
    generator = torch.Generator().manual_seed(seed)
    return torch.randn(*shape, generator=generator, dtype=torch.float64)


# ---- ALiBi's slopes: num_heads -> (num_heads,) ------------------------------------------------


def wrong_slopes(num_heads: int) -> Tensor:
    """Start the series at exponent 0."""
    h = torch.arange(num_heads, dtype=torch.float64)  # head 0 gets slope 1
    return 2.0 ** (-8 * h / num_heads)


def right_slopes(num_heads: int) -> Tensor:
    """Start the series at its own ratio."""
    h = torch.arange(1, num_heads + 1, dtype=torch.float64)  # head 0 gets the ratio, 2^(-8/n)
    return 2.0 ** (-8 * h / num_heads)


def first_slope_is_the_ratio(slopes: Callable[[int], Tensor]) -> float:
    """m_0 = m_1 / m_0."""
    m = slopes(8)
    return float((m[0] - m[1] / m[0]).abs())


def slopes_share_one_ratio(slopes: Callable[[int], Tensor]) -> float:
    """m_{h+1} / m_h is the same for all heads."""
    ratios = slopes(8)[1:] / slopes(8)[:-1]
    return float((ratios - ratios[0]).abs().max())


# ---- Angles: positions, width -> (positions, d / 2) --------------------------------------------


def right_angles(positions: Tensor, d: int) -> Tensor:
    """p / base^(2i/d)."""
    i = torch.arange(d // 2, dtype=torch.float64)
    p = positions.to(torch.float64)  # exact
    div_term = 10000.0 ** (2 * i / d)  # the division belongs to the exponent
    return p[:, None] / div_term  # positions are divided


def wrong_precedence(positions: Tensor, d: int) -> Tensor:
    """Leave out the brackets: the power is taken before the division."""
    i = torch.arange(d // 2, dtype=torch.float64)
    p = positions.to(torch.float64)
    div_term = 10000.0 ** (2 * i) / d  # (base ** 2i) / d
    return p[:, None] / div_term


def wrong_operator(positions: Tensor, d: int) -> Tensor:
    """Multiply by the divisor."""
    i = torch.arange(d // 2, dtype=torch.float64)
    p = positions.to(torch.float64)
    div_term = 10000.0 ** (2 * i / d)
    return p[:, None] * div_term  # the slow pairs become the fastest


def wrong_precision(positions: Tensor, d: int) -> Tensor:
    """Hold positions in bfloat16, which has 8 significant bits."""
    i = torch.arange(d // 2, dtype=torch.float64)
    p = positions.to(torch.bfloat16)  # 257 becomes 256
    div_term = 10000.0 ** (2 * i / d)
    return p[:, None] / div_term


Angles = Callable[[Tensor, int], Tensor]


def first_pair_turns_one_radian(angles: Angles) -> float:
    """Angle of pair 0 at position 1 is 1."""
    return float((angles(torch.arange(2), 64)[1, 0] - 1).abs())


def later_pairs_are_slower(angles: Angles) -> float:
    """Pairs that turn as fast as the one before, or faster."""
    return float((angles(torch.arange(2), 64)[1].diff() >= 0).sum())


def steps_are_equal(angles: Angles) -> float:
    """From each position to the next every pair turns by the same angle (share of that angle)."""
    at = angles(torch.arange(512), 64)
    return float((at.diff(dim=0) / at[1] - 1).abs().max())


# ---- A sinusoidal table: length, width -> (length, d) ------------------------------------------


def wrong_exponents(length: int, d: int) -> Tensor:
    """Give every column its own exponent."""
    p = torch.arange(length, dtype=torch.float64)
    column = torch.arange(d, dtype=torch.float64)
    exponent = column / d  # a cosine is slower than its sine
    angles = p[:, None] / 10000.0**exponent
    return torch.where(column % 2 == 0, angles.sin(), angles.cos())


def right_exponents(length: int, d: int) -> Tensor:
    """Give both columns of a pair the exponent of the sine."""
    p = torch.arange(length, dtype=torch.float64)
    column = torch.arange(d, dtype=torch.float64)
    exponent = (column - column % 2) / d  # 2i for the columns 2i and 2i + 1
    angles = p[:, None] / 10000.0**exponent
    return torch.where(column % 2 == 0, angles.sin(), angles.cos())


Table = Callable[[int, int], Tensor]


def pairs_lie_on_the_circle(table: Table) -> float:
    """sin² + cos² = 1 for each pair of columns."""
    squares = table(64, 16).square()
    return float((squares[:, 0::2] + squares[:, 1::2] - 1).abs().max())


def position_0_is_0_and_1(table: Table) -> float:
    """Row 0 holds sin 0 = 0 and cos 0 = 1."""
    first = table(64, 16)[0]
    return float(torch.maximum(first[0::2].abs(), (first[1::2] - 1).abs()).max())


# ---- Adding a table: embeddings (1, n, d), table (1, length, d) -> (1, n, d) -------------------


def wrong_slice(x: Tensor, pe: Tensor) -> Tensor:
    """Take one row, which broadcasting adds to every token."""
    n = x.shape[1]
    return x + pe[:, n]  # row n alone


def right_slice(x: Tensor, pe: Tensor) -> Tensor:
    """Take the first n rows."""
    n = x.shape[1]
    return x + pe[:, :n]  # rows 0 … n - 1


Add = Callable[[Tensor, Tensor], Tensor]


def equal_tokens_become_different(add: Add) -> float:
    """Tokens of a text of one repeated word that equal the token before them."""
    x = add(normal(1, 1, 16).expand(1, 48, 16), right_exponents(64, 16)[None])[0]
    return float((x.diff(dim=0).abs().amax(dim=-1) < 1e-12).sum())


def addition_keeps_the_embedding(add: Add) -> float:
    """What is added does not depend on the embedding."""
    x, y, pe = normal(1, 48, 16), normal(1, 48, 16, seed=1), right_exponents(64, 16)[None]
    return float(((add(x, pe) - x) - (add(y, pe) - y)).abs().max())


# ---- T5's buckets in a decoder: length -> (length, length) -------------------------------------


def wrong_sign(length: int) -> Tensor:
    """Count query minus key."""
    p = torch.arange(length)
    relative = p[:, None] - p[None, :]  # i - j: the past is positive
    return t5_bucket(relative, bidirectional=False)


def right_sign(length: int) -> Tensor:
    """Count key minus query, as the buckets expect."""
    p = torch.arange(length)
    relative = p[None, :] - p[:, None]  # j - i: the past is negative
    return t5_bucket(relative, bidirectional=False)


Buckets = Callable[[int], Tensor]


def near_keys_have_their_own_bucket(buckets: Buckets) -> float:
    """Of past keys nearer than 16, the bucket is the distance."""
    return float((buckets(16)[-1].flip(0) - torch.arange(16)).abs().max())


def buckets_are_in_the_table(buckets: Buckets) -> float:
    """Cells whose bucket is not in 0 … 31."""
    found = buckets(256)
    return float(((found < 0) | (found > 31)).sum())


# ---- Similarity of positions: table (n, d) -> one number for each pair of positions ------------


def wrong_gram(pe: Tensor) -> Tensor:
    """Compare the columns with each other; where n = d the shape gives nothing away."""
    return pe.T @ pe  # (d, d)


def right_gram(pe: Tensor) -> Tensor:
    """Compare the rows with each other."""
    return pe @ pe.T  # (n, n)


Gram = Callable[[Tensor], Tensor]


def similarity_follows_distance(gram: Gram) -> float:
    """Every diagonal holds one value."""
    s = gram(right_exponents(64, 64))
    return float((s[1:, 1:] - s[:-1, :-1]).abs().max())


def similarity_is_symmetric(gram: Gram) -> float:
    """s_mn = s_nm."""
    s = gram(right_exponents(64, 64))
    return float((s - s.mT).abs().max())


# ---- Interleaved weights in a half-split model: q, k (n, d), positions -> scores (n, n) --------


def wrong_layout(q: Tensor, k: Tensor, positions: Tensor) -> Tensor:
    """Turn channels i and i + d/2 of vectors whose pairs are 2i and 2i + 1."""
    inv_freq, _ = rope_inv_freq(q.shape[-1])
    q = apply_rope(q, positions, inv_freq, "half")  # interleaved as it is
    k = apply_rope(k, positions, inv_freq, "half")  # interleaved as it is
    return q @ k.mT


def right_layout(q: Tensor, k: Tensor, positions: Tensor) -> Tensor:
    """Permute the channels first (in a checkpoint: the rows of the two projections)."""
    inv_freq, _ = rope_inv_freq(q.shape[-1])
    order = layout_permutation(q.shape[-1])  # 0, 2, 4, …, 1, 3, 5, …
    q = apply_rope(q[..., order], positions, inv_freq, "half")  # permuted
    k = apply_rope(k[..., order], positions, inv_freq, "half")  # permuted
    return q @ k.mT


Scores = Callable[[Tensor, Tensor, Tensor], Tensor]


def conversion_keeps_scores(scores: Scores) -> float:
    """Scores are those of the layout that the weights were trained in."""
    q, k, p = normal(24, 16), normal(24, 16, seed=1), torch.arange(24)
    inv_freq, _ = rope_inv_freq(16)
    trained = apply_rope(q, p, inv_freq) @ apply_rope(k, p, inv_freq).mT
    return float((scores(q, k, p) - trained).abs().max())


def common_shift_keeps_scores(scores: Scores) -> float:
    """Scores stay when all positions move on together."""
    q, k, p = normal(24, 16), normal(24, 16, seed=1), torch.arange(24)
    return float((scores(q, k, p) - scores(q, k, p + 100)).abs().max())


# ---- Which axis counts: q, k (n, heads, d) -> scores (heads, n, n) -----------------------------


def wrong_axis(q: Tensor, k: Tensor) -> Tensor:
    """Turn while the heads still stand where the rotation expects the positions."""
    inv_freq, _ = rope_inv_freq(q.shape[-1])
    q = apply_rope(q, torch.arange(q.shape[-2]), inv_freq)  # arange(heads)
    k = apply_rope(k, torch.arange(k.shape[-2]), inv_freq)  # arange(heads)
    q, k = q.transpose(0, 1), k.transpose(0, 1)
    return q @ k.mT


def right_axis(q: Tensor, k: Tensor) -> Tensor:
    """Bring the heads to the front before turning."""
    inv_freq, _ = rope_inv_freq(q.shape[-1])
    q, k = q.transpose(0, 1), k.transpose(0, 1)
    q = apply_rope(q, torch.arange(q.shape[-2]), inv_freq)  # arange(n)
    k = apply_rope(k, torch.arange(k.shape[-2]), inv_freq)  # arange(n)
    return q @ k.mT


HeadScores = Callable[[Tensor, Tensor], Tensor]


def distance_changes_the_score(scores: HeadScores) -> float:
    """Scores of one repeated token that are the same one key further on."""
    x = normal(1, 4, 16).expand(24, 4, 16)
    return float((scores(x, x).diff(dim=-1).abs() < 1e-12).sum())


def own_key_is_not_turned(scores: HeadScores) -> float:
    """A query and the key at its own place are turned alike: their score is q·k."""
    q, k = normal(24, 4, 16), normal(24, 4, 16, seed=1)
    own = scores(q, k).diagonal(dim1=-2, dim2=-1)
    return float((own - (q * k).sum(dim=-1).mT).abs().max())


# ---- A switch between layouts: x (n, d), positions, layout -> (n, d) ---------------------------


# fmt: off
def wrong_switch(x: Tensor, positions: Tensor, layout: Layout) -> Tensor:
    """Leave a comma behind the condition: a tuple of one, and a tuple is true."""
    inv_freq, _ = rope_inv_freq(x.shape[-1])
    interleaved = layout == "interleaved",  # (False,) is true
    return apply_rope(x, positions, inv_freq, "interleaved" if interleaved else "half")
# fmt: on


def right_switch(x: Tensor, positions: Tensor, layout: Layout) -> Tensor:
    """Follow the layout."""
    inv_freq, _ = rope_inv_freq(x.shape[-1])
    interleaved = layout == "interleaved"  # False is false
    return apply_rope(x, positions, inv_freq, "interleaved" if interleaved else "half")


Switch = Callable[[Tensor, Tensor, Layout], Tensor]


def half_layout_turns_halves(rotate: Switch) -> float:
    """In the half layout channels i and i + d/2 keep their common length."""
    x = normal(24, 16)
    before, after = (v.unflatten(-1, (2, 8)) for v in (x, rotate(x, torch.arange(24), "half")))
    return float((before.norm(dim=-2) - after.norm(dim=-2)).abs().max())


def interleaved_layout_turns_neighbours(rotate: Switch) -> float:
    """In the interleaved layout channels 2i and 2i + 1 keep their common length."""
    x = normal(24, 16)
    after = rotate(x, torch.arange(24), "interleaved")
    lengths = [v.unflatten(-1, (8, 2)).norm(dim=-1) for v in (x, after)]
    return float((lengths[0] - lengths[1]).abs().max())


# ---- YaRN's trained length: trained length, factor -> frequencies (d / 2,) ---------------------


def wrong_original_length(trained: int, factor: int) -> Tensor:
    """Take the new length for the trained one."""
    scaling = YaRN(factor, original_length=factor * trained)  # max_position_embeddings
    return rope_inv_freq(ROTARY_DIM, scaling=scaling)[0]


def right_original_length(trained: int, factor: int) -> Tensor:
    """Tell YaRN how far training went."""
    scaling = YaRN(factor, original_length=trained)  # original_max_position_embeddings
    return rope_inv_freq(ROTARY_DIM, scaling=scaling)[0]


Frequencies = Callable[[int, int], Tensor]


def no_angle_is_unseen(frequencies: Frequencies) -> float:
    """Pairs that meet an angle at the new length which training never showed them."""
    plain, scaled = rope_inv_freq(ROTARY_DIM)[0], frequencies(TRAINED, FACTOR)
    coverage = angle_coverage(plain, TRAINED, FACTOR * TRAINED, scaled)
    return float((coverage.unseen > plain).sum())  # more than one position's step


def slowest_pair_is_divided(frequencies: Frequencies) -> float:
    """The slowest pair is slower by the factor."""
    ratio = rope_inv_freq(ROTARY_DIM)[0][-1] / frequencies(TRAINED, FACTOR)[-1]
    return float((ratio - FACTOR).abs())


# ---- CoPE's gates: scores (n, n), who sees whom (n, n) -> positions (n, n) ---------------------


def wrong_gates(scores: Tensor, mask: Tensor) -> Tensor:
    """Mask after the sum: gates of later keys have counted by then."""
    gates = torch.sigmoid(scores)  # later keys open gates too
    positions = gates.flip(-1).cumsum(-1).flip(-1)
    return positions.masked_fill(~mask, 0.0)


def right_gates(scores: Tensor, mask: Tensor) -> Tensor:
    """Mask the scores: σ(-∞) = 0."""
    gates = torch.sigmoid(scores.masked_fill(~mask, -torch.inf))  # later keys count 0
    positions = gates.flip(-1).cumsum(-1).flip(-1)
    return positions.masked_fill(~mask, 0.0)


Gates = Callable[[Tensor, Tensor], Tensor]


def later_keys_change_nothing(positions: Gates) -> float:
    """Positions stay when the scores of keys that a query may not see change."""
    scores, mask = normal(24, 24), causal_mask(24, 24)
    changed = torch.where(mask, scores, normal(24, 24, seed=1))
    return float((positions(scores, mask) - positions(changed, mask)).abs().max())


def nearer_keys_have_lower_positions(positions: Gates) -> float:
    """Pairs of neighbouring keys of which the nearer one has the higher position."""
    mask = causal_mask(24, 24)
    steps = positions(normal(24, 24), mask).diff(dim=-1)
    return float((steps[mask[:, 1:]] > 0).sum())


# ---- Attention: q, k (n, d) -> weights (n, n) --------------------------------------------------


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


# ---- A cache under a base that grows: q, k (n, d), trained length -> scores (n, n) -------------


def wrong_cache(q: Tensor, k: Tensor, trained: int) -> Tensor:
    """Keep keys as they were turned when they were written."""
    rope = RoPE(q.shape[-1], scaling=DynamicNTK(2.0, trained))
    cache = KVCache(rope, rotate_on_write=True)  # old keys, old base
    return _decoded_scores(cache, q, k)


def right_cache(q: Tensor, k: Tensor, trained: int) -> Tensor:
    """Keep keys as they are and turn all of them at each step."""
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
    q, k = normal(24, 16), normal(24, 16, seed=1)
    rope = RoPE(16, scaling=DynamicNTK(2.0, 8))
    batch = q[None, None], k[None, None], k[None, None]
    full = attend(*batch, rope, mask="causal", trace=True).scaled[0, 0, -1]
    return float((decode(q, k, 8)[-1] - full).abs().max())


def fresh_keys_are_right(decode: Cached) -> float:
    """A token's score with its own key is q·k / √d."""
    q, k = normal(24, 16), normal(24, 16, seed=1)
    own = decode(q, k, 8).diagonal()
    return float((own - (q * k).sum(dim=-1) / 4).abs().max())
