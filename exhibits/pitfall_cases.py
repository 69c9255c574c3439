"""The pitfalls by name: wrong and right form, the check that catches it, and what to draw."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor

from exhibits import pitfalls as p
from posenc.attention.masks import causal_mask
from posenc.quantity.step import Step, factor, masked, number, words

Form = Callable[..., Tensor]
Check = Callable[[Any], float]
TOLERANCE = 1e-9
SAMPLED = 0.1  # tolerance of a check on a sample of random numbers


@dataclass(frozen=True)
class Pitfall:
    """One mistake."""

    wrong: Form
    right: Form
    check: Check
    """Breaks on the wrong form: how far from the invariant it is, 0 where it holds."""
    others: tuple[Check, ...]
    """Hold for both forms: why such a mistake goes unseen."""
    draw: Callable[[Form], Tensor]
    """What a form gives, float64 (rows, cols); NaN where there is nothing to see."""
    rows: str
    cols: str
    value: str
    """What a cell is."""
    tolerance: float = TOLERANCE

    def pictures(self) -> tuple[Tensor, Tensor]:
        """The matrix of the wrong form and that of the right one."""
        return self.draw(self.wrong), self.draw(self.right)

    def first_difference(self) -> int | None:
        """The first row in which the two matrices differ by more than rounding."""
        wrong, right = self.pictures()
        rows = ((wrong - right).nan_to_num().abs() > TOLERANCE).any(dim=-1).nonzero()
        return int(rows[0]) if len(rows) else None

    def largest_difference(self) -> tuple[int, int]:
        """Row and column in which the two matrices differ most."""
        wrong, right = self.pictures()
        place = int((wrong - right).nan_to_num().abs().argmax())
        return place // wrong.shape[1], place % wrong.shape[1]

    def steps(self, row: int, col: int) -> tuple[Step, Step, Step]:
        """One cell in the wrong form, in the right one, and the difference."""
        index = rf"{{{row},{col}}}"
        wrong, right = (picture[row, col].item() for picture in self.pictures())
        if math.isnan(wrong - right):
            return masked(f"w_{index}"), masked(f"r_{index}"), masked(f"(w - r)_{index}")
        return (
            Step(f"w_{index}", words("the wrong form gives"), "", wrong),
            Step(f"r_{index}", words("the right form gives"), "", right),
            Step(f"(w - r)_{index}", "w - r", f"{number(wrong)} - {factor(right)}", wrong - right),
        )


def _penalty(slopes: Form) -> Tensor:
    return -slopes(8)[:, None] * torch.arange(32, dtype=torch.float64)


def _waves(angles: Form) -> Tensor:
    return angles(torch.arange(64), 64).sin()


def _rounded_waves(angles: Form) -> Tensor:
    return angles(torch.arange(384), 64).sin()


def _scaled_waves(frequencies: Form) -> Tensor:
    positions = torch.arange(p.FACTOR * p.TRAINED, dtype=torch.float64)
    return (positions[:, None] * frequencies(p.TRAINED, p.FACTOR)).sin()


def _added(add: Form) -> Tensor:
    return add(torch.zeros(1, 48, 32, dtype=torch.float64), p.right_exponents(64, 32)[None])[0]


def _visible(values: Tensor) -> Tensor:
    """What a causal mask leaves."""
    values = values.to(torch.float64)
    return values.masked_fill(~causal_mask(*values.shape), torch.nan)


def _one_head(scores: Form) -> Tensor:
    x = p.normal(1, 4, 16).expand(32, 4, 16)
    return scores(x, x)[3]


PITFALLS = {
    "Slopes from 1": Pitfall(
        p.wrong_slopes,
        p.right_slopes,
        p.first_slope_is_the_ratio,
        (p.slopes_share_one_ratio,),
        _penalty,
        "head h",
        "distance i − j",
        "bias",
    ),
    "Power before division": Pitfall(
        p.wrong_precedence,
        p.right_angles,
        p.first_pair_turns_one_radian,
        (p.later_pairs_are_slower, p.steps_are_equal),
        _waves,
        "position p",
        "pair i",
        "sin pθ",
    ),
    "Times for divided by": Pitfall(
        p.wrong_operator,
        p.right_angles,
        p.later_pairs_are_slower,
        (p.first_pair_turns_one_radian, p.steps_are_equal),
        _waves,
        "position p",
        "pair i",
        "sin pθ",
    ),
    "Own exponent for cosines": Pitfall(
        p.wrong_exponents,
        p.right_exponents,
        p.pairs_lie_on_the_circle,
        (p.position_0_is_0_and_1,),
        lambda table: table(48, 32),
        "position p",
        "dimension",
        "PE",
    ),
    "One row for all": Pitfall(
        p.wrong_slice,
        p.right_slice,
        p.equal_tokens_become_different,
        (p.addition_keeps_the_embedding,),
        _added,
        "position p",
        "dimension",
        "added to the embedding",
    ),
    "Gram matrix turned": Pitfall(
        p.wrong_gram,
        p.right_gram,
        p.similarity_follows_distance,
        (p.similarity_is_symmetric,),
        lambda gram: gram(p.right_exponents(64, 64)),
        "position m",
        "position n",
        "similarity",
    ),
    "Distance turned round": Pitfall(
        p.wrong_sign,
        p.right_sign,
        p.near_keys_have_their_own_bucket,
        (p.buckets_are_in_the_table,),
        lambda buckets: _visible(buckets(64)),
        "query i",
        "key j",
        "bucket",
    ),
    "Layout not converted": Pitfall(
        p.wrong_layout,
        p.right_layout,
        p.conversion_keeps_scores,
        (p.common_shift_keeps_scores,),
        lambda scores: scores(p.normal(32, 16), p.normal(32, 16, seed=1), torch.arange(32)),
        "query i",
        "key j",
        "score",
    ),
    "Switch always on": Pitfall(
        p.wrong_switch,
        p.right_switch,
        p.half_layout_turns_halves,
        (p.interleaved_layout_turns_neighbours,),
        lambda rotate: rotate(p.normal(1, 16).expand(48, 16), torch.arange(48), "half"),
        "position p",
        "channel",
        "turned vector",
    ),
    "Heads taken for positions": Pitfall(
        p.wrong_axis,
        p.right_axis,
        p.distance_changes_the_score,
        (p.own_key_is_not_turned,),
        _one_head,
        "query i",
        "key j",
        "score",
    ),
    "Positions in bfloat16": Pitfall(
        p.wrong_precision,
        p.right_angles,
        p.steps_are_equal,
        (p.first_pair_turns_one_radian, p.later_pairs_are_slower),
        _rounded_waves,
        "position p",
        "pair i",
        "sin pθ",
    ),
    "Wrong trained length": Pitfall(
        p.wrong_original_length,
        p.right_original_length,
        p.no_angle_is_unseen,
        (p.slowest_pair_is_divided,),
        _scaled_waves,
        "position p",
        "pair i",
        "sin pθ′",
    ),
    "Cached keys, new base": Pitfall(
        p.wrong_cache,
        p.right_cache,
        p.decoding_equals_the_full_pass,
        (p.fresh_keys_are_right,),
        lambda decode: decode(p.normal(48, 16), p.normal(48, 16, seed=1), 16),
        "query i",
        "key j",
        "score",
    ),
    "Mask after the gates": Pitfall(
        p.wrong_gates,
        p.right_gates,
        p.later_keys_change_nothing,
        (p.nearer_keys_have_lower_positions,),
        lambda gates: _visible(gates(p.normal(32, 32), causal_mask(32, 32))),
        "query i",
        "key j",
        "position",
    ),
    "Scale forgotten": Pitfall(
        p.wrong_scale,
        p.right_scale,
        p.spread_of_scores_is_one,
        (p.rows_sum_to_one,),
        lambda attention: attention(p.normal(32, 64), p.normal(32, 64, seed=1)),
        "query i",
        "key j",
        "attention",
        SAMPLED,
    ),
}
"""Name to mistake, in the order from tables to caches."""
