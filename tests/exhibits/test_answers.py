"""The named answers, each against a number worked out elsewhere."""

import math
import re

import pandas as pd
import pytest

from exhibits.answers import ANSWERS, answer
from exhibits.real import REAL
from tests.conftest import ROOT


def stale_angles(key: int) -> list[float]:
    """By how much a key of Llama 2 is off, 64 tokens after a prompt of 4096 under dynamic NTK."""
    lengths = max(key + 1, 4096), 4160
    bases = [10000 * (2 * length / 4096 - 1) ** (128 / 126) for length in lengths]
    return [key * (bases[0] ** (-i / 64) - bases[1] ** (-i / 64)) for i in range(64)]


def stale_score() -> float:
    """Mean over the keys of sqrt(8/d · Σ sin²(φ/2))."""
    squares = (sum(math.sin(a / 2) ** 2 for a in stale_angles(key)) for key in range(4160))
    return sum(math.sqrt(8 / 128 * one) for one in squares) / 4160


EXPECTED = {
    "rope_parameters": 0,
    "learned_parameters": 4096 * 4096,
    "similarity_at_50": 15.673796955513,  # golden: sinusoidal_dot_product_d64
    "similarity_at_100": 17.874668785066,
    "t5_last_bucket_from": 113,  # golden: t5_bucket
    "alibi_first_window": 5,  # 1 - exp(-5/2) > 0.9 > 1 - exp(-4/2)
    "alibi_last_window": math.ceil(256 * math.log(10)),
    "rope_slowest_turn": 2 * math.pi * 10000 ** (126 / 128),
    "forget_gate": 0.9,
    "forget_half": math.log2(0.5) / math.log2(0.9),
    "forget_slope": math.log(10 / 9),
    "after_image": 10 + 30,  # past the columns
    "after_image_by_tokens": 10 + 600,
    "after_image_by_one": 11,
    "cope_own_position": 1,
    "cope_next_position": 2,
    "rotated_on_write": 999,
    "rotated_on_read": 1000 * 1001 // 2 - 1,
    "flat_share_of_10": 10.0,
    "alibi_step_of_4_heads": 0.25,
    "llama3_kept_pairs": sum(8192 * 500000 ** (-i / 64) / (2 * math.pi) >= 4 for i in range(64)),
    "llama2_unfinished_pairs": sum(4095 * 10000 ** (-i / 64) < 2 * math.pi for i in range(64)),
    "lab_unfinished_pairs": sum(127 * 128 ** (-i / 16) < 2 * math.pi for i in range(16)),
    "alpha_base": 10000 * 2.5 ** (128 / 126),
    "first_wrong_bfloat16_position": 257,
    "slowest_of_16": 100 * 10000 ** (-1 / 8),
    "slowest_of_64": 100 * 10000 ** (-1 / 32),
    "alibi_slope_0": 0.5,
    "alibi_fade": 1 / math.sqrt(math.e),
    "turn_0": 2 * math.pi,
    "llama2_pairs": 64,
    # Eight pairs: θ = 10^(-i/2), 4096 tokens trained, 16,384 read.
    "factor_of_8": 4,
    **{f"turns_of_8_{i}": 4096 * 10 ** (-i / 2) / (2 * math.pi) for i in (2, 7)},
    "yarn_of_8_7": 4,
    "yarn_factor": 1 + math.log(4) / 10,
    "yarn_squared": (1 + math.log(4) / 10) ** 2,
    # Layers · numbers of a token and layer · 2 bytes · 2^17 tokens, in GiB.
    "book": 2**17,
    "kv_llama2": 32 * (2 * 32 * 128) * 2 / 2**13,
    "kv_llama3": 32 * (2 * 8 * 128) * 2 / 2**13,
    "group_llama3": 4,
    # Two tables of words, and in each layer four square matrices and three of the gated MLP.
    "stale_decoded": 64,
    "stale_alpha": 2,
    "stale_score": stale_score(),
    "round_again": 44,  # 7.003 turns
    "round_turns": 7,
    "opposite": 22,
    "diagonal_cells": 97,
    "alibi_fade_4": math.exp(-2),
    "alibi_ten": 5,
    "alibi_flattest": 1 / 256,
    "alibi_first_of_16": math.sqrt(0.5),
    # Slowed by 4^(i/63), and short of a turn in 4,095 steps; the slowest is slowed by 4 itself.
    "ntk_new_pairs": sum(
        4095 * 10000 ** (-i / 64) < min(2 * math.pi, 16383 * 10000 ** (-i / 64) * 4 ** (-i / 63))
        for i in range(63)
    ),
    "yarn_reach": 131072,
    "yarn_reach_down": 8192,
    "used_up": 512,
    "lost_base": 100 ** (126 / 128),
    "lost_base_middle": 10,
    "yarn_twice": 2 + math.log(4) / 5,
    "cope_ann": 2,
    "cope_ann_tokens": 7,
    "cope_shared_from": 4,
    "cope_width": 64,
    "cope_product": 4,
    "cope_paper_gate": 1 / (1 + math.exp(-4)),
    "cope_code_gate": 1 / (1 + math.exp(-4 / 8)),
    "kv_half": 32,
    "kv_group_twice": 4,
}
SMALLER_THAN = {  # roundings: nothing to expect but their size
    "shuffled_without_position": 1e-14,
    "same_distance_difference": 1e-12,
    "rope_moved_on": 1e-11,
    "float32_cosine_error": 4095 * 2**-23,
}


@pytest.mark.parametrize("name", EXPECTED)
def test_number(name):
    assert answer(name) == pytest.approx(EXPECTED[name], rel=1e-12)


@pytest.mark.parametrize("name", SMALLER_THAN)
def test_rounding(name):
    assert 0 <= answer(name) < SMALLER_THAN[name]


def test_float32_costs_what_the_question_says():
    assert answer("float32_cosine_error") > 5e-5


def test_the_factor_of_ntk_leaves_no_new_angle():
    """Speeds are base^(-i/64), slowed by k^(i/63); a step past the trained angle is allowed."""

    def new_pairs(factor: float) -> int:
        seen = [min(2 * math.pi, 4096 * 10000 ** (-i / 64)) for i in range(64)]
        reached = [65535 * 10000 ** (-i / 64) * factor ** (-i / 63) for i in range(64)]
        return sum(min(2 * math.pi, r) > s for r, s in zip(reached, seen, strict=True))

    needed = answer("ntk_needed")
    assert new_pairs(1.0001 * needed) == 0 < new_pairs(0.999 * needed)


def test_rope_sees_a_shuffle():
    assert answer("shuffled_with_rope") > 0.1


def test_the_real_model_s_numbers_are_those_of_its_files() -> None:
    """Pandas on the files, where the answers go through `models.results`."""
    rows = pd.read_csv(ROOT / "data/models/losses.csv")
    fits = rows[rows.factor.isin([1, 2]) & (rows.length == 16384)]
    rows = rows[rows.factor.isin([1, 4])]
    longest = rows[rows.length == 32768]
    shorts, rows = rows[rows.length == 2048], rows[rows.length == 16384]

    def costs(low: int, high: int, *methods: str, rows: pd.DataFrame = rows) -> pd.Series:
        part = rows[rows["first"].between(low, high - 1) & rows.method.isin(methods)]
        by = [part.text, part.method]
        its = (part.bits * part.tokens).groupby(by).sum() / part.tokens.groupby(by).sum()
        one = its.unstack().dropna()[list(methods)]
        return one.diff(axis=1).iloc[:, -1] if len(methods) > 1 else one.iloc[:, 0]

    def cost(low: int, high: int, *methods: str, rows: pd.DataFrame = rows) -> float:
        return float(costs(low, high, *methods, rows=rows).mean())

    inside, behind, last = (0, 8192), (8192, 16384), (15360, 16384)
    every = pd.read_csv(ROOT / "data/models/losses.csv").query("length in (12288, 16384)")
    every = every[every.factor.isin([1, 4]) & (every["first"] < 12288)]
    wider_end = costs(11264, 12288, "yarn", "none", rows=every)
    wider_inside = costs(*inside, "none", "yarn", rows=every)
    keys = pd.read_csv(ROOT / "data/models/passkeys.csv")
    keys = keys[keys.factor.isin([1, 4])]
    found = keys.groupby(["length", "method"]).right.sum()
    at = {"2k": 2048, "8k": 8192, "16k": 16384, "32k": 32768}
    shown = {
        "2k": ("yarn", "ntk_by_parts", "yarn_no_temperature", "yarn_paper"),
        "8k": ("none", "yarn", "linear", "ntk_by_parts", "yarn_no_temperature", "yarn_paper"),
        "16k": ("none", "yarn", "ntk"),
        "32k": ("yarn", "ntk"),
    }
    ranges = {
        "yarn_saves": costs(*behind, "yarn", "none"),
        "ntk_saves": costs(*behind, "ntk", "none"),
        "yarn_window": costs(*behind, "slide", "yarn"),
        "ntk_window": costs(*behind, "slide", "ntk"),
        "sharp_saves": costs(*behind, "yarn", "yarn_no_temperature"),
        "linear_inside": costs(*inside, "none", "linear"),
    }
    end = longest[longest["first"] >= 24576].pivot(index="first", columns="method", values="bits")
    heads = pd.read_csv(ROOT / "data/models/induction.csv")
    heads = heads[heads.factor.isin([1, 4])].set_index("method")
    expected = {
        "real_trained": 8192,
        "real_shortest": 2048,
        "real_inside": cost(*inside, "none"),
        "real_behind": cost(*behind, "none"),
        "real_last": cost(*last, "none"),
        "real_window_last": cost(*last, "slide"),
        "real_last_ratio": cost(*last, "none") / cost(*inside, "none"),
        "real_yarn_saves": cost(*behind, "yarn", "none"),
        "real_yarn_window": cost(*behind, "slide", "yarn"),
        "real_yarn_inside": cost(*inside, "none", "yarn"),
        "real_yarn_by_2": cost(*behind, "slide", "yarn", rows=fits),
        "real_ntk_saves": cost(*behind, "ntk", "none"),
        "real_ntk_window": cost(*behind, "slide", "ntk"),
        "real_linear_inside": cost(*inside, "none", "linear"),
        "real_longest": 32768,
        **{
            f"real_longest_{name}": cost(24576, 32768, "slide", name, rows=longest)
            for name in ("none", "yarn", "ntk")
        },
        **{
            f"real_short_{name}": cost(0, 2048, "none", name, rows=shorts)
            for name in ("yarn", "ntk", "linear")
        },
        "real_wider_texts": len(wider_end),
        "real_wider_end": 11264,
        "real_wider_inside_low": wider_inside.min(),
        "real_wider_inside_high": wider_inside.max(),
        "real_wider_end_low": wider_end.min(),
        "real_wider_end_high": wider_end.max(),
        "real_texts": len(costs(*behind, "slide", "none")),
        **{f"real_{name}_low": its.min() for name, its in ranges.items()},
        **{f"real_{name}_high": its.max() for name, its in ranges.items()},
        "real_sharp_saves": ranges["sharp_saves"].mean(),
        "real_sharp_texts": len(ranges["sharp_saves"]),
        "real_longest_yarn_rest": (end.yarn - end.slide).drop([25600, 26624, 27648]).mean(),
        **{
            f"real_{size}_{name}": found[at[size], name]
            for size, names in shown.items()
            for name in names
        },
        **{f"real_{size}_asked": 30 for size in at},
        "real_32k_yarn_low": 36.1423,  # Wilson's interval of 16 of 30
        "real_32k_yarn_high": 69.76761,
        "real_heads": 270,
        **{
            f"real_copying_{name}": (heads.loc[name].after_copy >= 0.4).sum()
            for name in ("none", "yarn", "ntk", "llama3", "linear")
        },
        **{
            f"real_previous_{name}": (heads.loc[name].previous >= 0.4).sum()
            for name in ("none", "linear")
        },
    }
    assert {name: answer(name) for name in REAL} == pytest.approx(expected)


def test_every_answer_is_held_and_asked_for():
    assert {*EXPECTED, *SMALLER_THAN, "shuffled_with_rope", "ntk_needed", *REAL} == set(ANSWERS)
    files = [path for name in ("pages", "course") for path in (ROOT / name).rglob("*.en.md")]
    lessons = "".join(path.read_text("utf-8") for path in files)
    assert {name for name in ANSWERS if re.search(r"\{" + name + r"[:}]", lessons)} == set(ANSWERS)


def test_an_unknown_name_is_refused():
    with pytest.raises(ValueError, match="must be one of"):
        answer("seven")
