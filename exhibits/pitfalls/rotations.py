"""Mistakes in rotations: which channels form a pair, which axis counts."""

import math
from collections.abc import Callable

import torch
from torch import Tensor

from exhibits.pitfalls.case import Pitfall, normal
from posenc.quantity.step import Step, factor, number, number_sum
from posenc.rope.formula import apply_rope, rope_inv_freq
from posenc.rope.layouts import layout_permutation
from posenc.rope.pairs import Layout
from posenc.rope.score import rope_score_terms
from posenc.words import say

# Interleaved weights in a half-split model: q, k (n, d), positions -> scores (n, n)


def wrong_layout(q: Tensor, k: Tensor, positions: Tensor) -> Tensor:
    """Rotate channels i and i + d/2 of vectors whose pairs are 2i and 2i + 1."""
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
    q = normal(24, 16)
    k = normal(24, 16, seed=1)
    p = torch.arange(24)
    inv_freq, _ = rope_inv_freq(16)
    trained = apply_rope(q, p, inv_freq) @ apply_rope(k, p, inv_freq).mT
    return float((scores(q, k, p) - trained).abs().max())


def common_shift_keeps_scores(scores: Scores) -> float:
    """Scores stay when all positions move on together."""
    q = normal(24, 16)
    k = normal(24, 16, seed=1)
    p = torch.arange(24)
    return float((scores(q, k, p) - scores(q, k, p + 100)).abs().max())


def _pair_sum(formula: str, q: Tensor, k: Tensor, distance: int, layout: Layout) -> Step:
    """A score as the sum of what each pair c adds."""
    inv_freq, _ = rope_inv_freq(len(q))
    terms = rope_score_terms(q, k, inv_freq, torch.tensor([distance]), layout)[0].tolist()
    return Step("", rf"\textstyle\sum_c {formula}", number_sum(terms), sum(terms))


def _layout_lines(query: int, key: int) -> tuple[Step, Step]:
    q, k = normal(32, 16)[query], normal(32, 16, seed=1)[key]
    turn = r"\,R_{(j - i)\,\theta_c}\,"
    wrong = rf"(q_c, q_{{c+d/2}}){turn}(k_c, k_{{c+d/2}})^\top"
    right = rf"(q_{{2c}}, q_{{2c+1}}){turn}(k_{{2c}}, k_{{2c+1}})^\top"
    return (
        _pair_sum(wrong, q, k, query - key, "half"),
        _pair_sum(right, q, k, query - key, "interleaved"),
    )


LAYOUT = Pitfall(
    say("Layout not converted"),
    wrong=wrong_layout,
    right=right_layout,
    check=conversion_keeps_scores,
    others=(common_shift_keeps_scores,),
    draw=lambda scores: scores(normal(32, 16), normal(32, 16, seed=1), torch.arange(32)),
    lines=_layout_lines,
    rows=say("query i"),
    cols=say("key j"),
    value=say("score"),
)


# Which axis counts: q, k (n, heads, d) -> scores (heads, n, n)


def wrong_axis(q: Tensor, k: Tensor) -> Tensor:
    """Rotate while the heads still stand where the rotation expects the positions."""
    inv_freq, _ = rope_inv_freq(q.shape[-1])
    q = apply_rope(q, torch.arange(q.shape[-2]), inv_freq)  # arange(heads)
    k = apply_rope(k, torch.arange(k.shape[-2]), inv_freq)  # arange(heads)
    q, k = q.transpose(0, 1), k.transpose(0, 1)
    return q @ k.mT


def right_axis(q: Tensor, k: Tensor) -> Tensor:
    """Bring the heads to the front before rotating."""
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
    """A query and the key at its own place are rotated alike: their score is q·k."""
    q = normal(24, 4, 16)
    k = normal(24, 4, 16, seed=1)
    own = scores(q, k).diagonal(dim1=-2, dim2=-1)
    return float((own - (q * k).sum(dim=-1).mT).abs().max())


def _one_head(scores: HeadScores) -> Tensor:
    x = normal(1, 4, 16).expand(32, 4, 16)
    return scores(x, x)[3]


def _axis_lines(query: int, key: int) -> tuple[Step, Step]:
    x = normal(1, 4, 16)[0, 3]
    x_c = "(x_{2c}, x_{2c+1})"
    wrong = rf"{x_c}\,R_{{(3 - 3)\,\theta_c}}\,{x_c}^\top"  # head 3, taken for the position
    right = rf"{x_c}\,R_{{({key} - {query})\,\theta_c}}\,{x_c}^\top"
    return (
        _pair_sum(wrong, x, x, 0, "interleaved"),
        _pair_sum(right, x, x, query - key, "interleaved"),
    )


AXIS = Pitfall(
    say("Heads taken for positions"),
    wrong=wrong_axis,
    right=right_axis,
    check=distance_changes_the_score,
    others=(own_key_is_not_turned,),
    draw=_one_head,
    lines=_axis_lines,
    rows=say("query i"),
    cols=say("key j"),
    value=say("score"),
)


# A switch between layouts: x (n, d), positions, layout -> (n, d)


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


def _switch_lines(position: int, channel: int) -> tuple[Step, Step]:
    pair, second = divmod(channel, 2)
    half, pair_of_half = divmod(channel, 8)
    return (
        _turned(position, channel, pair, second, 1),
        _turned(position, channel, pair_of_half, half, 8),
    )


def _turned(position: int, channel: int, pair: int, second: int, apart: int) -> Step:
    """A channel after the rotation with its partner, which is `apart` channels away."""
    x = normal(1, 16)[0].tolist()
    angle = position * rope_inv_freq(16)[0][pair].item()
    other, sign = (channel - apart, 1) if second else (channel + apart, -1)
    written = number(angle)
    plus = "+" if second else "-"
    return Step(
        "",
        rf"x_{{{channel}}} \cos p\theta_{{{pair}}} {plus} x_{{{other}}} \sin p\theta_{{{pair}}}",
        rf"{number(x[channel])} \cos({written}) {plus} {factor(x[other])} \sin({written})",
        x[channel] * math.cos(angle) + sign * x[other] * math.sin(angle),
    )


SWITCH = Pitfall(
    say("Switch always on"),
    wrong=wrong_switch,
    right=right_switch,
    check=half_layout_turns_halves,
    others=(interleaved_layout_turns_neighbours,),
    draw=lambda rotate: rotate(normal(1, 16).expand(48, 16), torch.arange(48), "half"),
    lines=_switch_lines,
    rows=say("position p"),
    cols=say("channel"),
    value=say("rotated vector"),
)
