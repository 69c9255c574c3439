"""Numbers of the answers, each against one worked out elsewhere."""

import ast
import math

import numpy as np
import pandas as pd
import pytest
import torch

from advisor.known_models import known_models
from course.questions.facts.draws import DRAWS, bound, drawn
from course.questions.numbers import NUMBERS, number
from exhibits.real import REAL
from tests.conftest import ROOT

TEXT = pd.read_csv(ROOT / "data/lab/text.csv")
KEYS = pd.read_csv(ROOT / "data/models/passkeys.csv")
PRICES = pd.read_csv(ROOT / "data/models/pitfalls.csv")
MOVED = pd.read_csv(ROOT / "data/models/moved.csv").pivot(
    index=["text", "passage", "place"], columns="way", values="bits"
)
EXTRA = MOVED.sub(MOVED.recomputed, axis=0)
"""Extra bits behind each passage at each place, by way."""
BEHIND = EXTRA.query("place > 0")
FRONT = EXTRA.query("place == 0")
ROUNDED = pd.read_csv(ROOT / "data/models/quantised.csv")
LOST = (
    (ROUNDED.rounded_bits - ROUNDED.exact_bits)
    .groupby([ROUNDED.scale, ROUNDED.bits, ROUNDED.when, ROUNDED.text])
    .first()
    .unstack()
)
"""Bits lost by scale, bits and when, a column for each text."""
ORDERS = pd.read_csv(ROOT / "data/models/orders.csv")
DRAWN = pd.read_csv(ROOT / "data/models/orders_drawn.csv")
RATES = ["nearer", "flipped"]
ROUNDING = 1e-11


def stale_score(key: int) -> float:
    """Error of a score with a key of Llama 2, 64 tokens after a prompt of 4,096, factor 2."""
    lengths = max(key + 1, 4096), 4160
    bases = [10000 * (2 * length / 4096 - 1) ** (128 / 126) for length in lengths]
    angles = [key * (bases[0] ** (-i / 64) - bases[1] ** (-i / 64)) for i in range(64)]
    return math.sqrt(8 / 128 * sum(math.sin(a / 2) ** 2 for a in angles))


def switched_score(key: int) -> float:
    """Error of a score with a key of Phi-3.5-mini that was turned by the short list."""
    lists = known_models()["Phi-3.5-mini"].config["rope_scaling"]
    both = enumerate(zip(lists["short_factor"], lists["long_factor"], strict=True))
    angles = [key * 10000 ** (-i / 48) * (1 / short - 1 / long) for i, (short, long) in both]
    return math.sqrt(8 / 96 * sum(math.sin(a / 2) ** 2 for a in angles))


def price(mistake: str, column: str = "wrong_bits") -> float:
    """Mean over the texts of what a mistake costs, from the file itself."""
    return float(PRICES[PRICES.mistake == mistake][column].mean())


def first_below(base: float) -> int:
    """First distance at which the mean cosine of 64 pairs is below zero."""
    theta = base ** (-np.arange(64) / 64)
    return next(
        start + int(below[0])
        for start in range(0, 10**6, 1000)
        if len(below := np.flatnonzero(np.cos(np.outer(start + np.arange(1000), theta)).sum(1) < 0))
    )


def llama3_turns(pair: int) -> float:
    """Turns of a pair of Llama 3.1 within the length that it was trained on first."""
    return float(8192 * 500_000 ** (-pair / 64) / (2 * math.pi))


def llama3_frequency(pair: int) -> float:
    """Frequency of Llama 3.1, by the rule of its makers: low 1, high 4, factor 8."""
    theta = 500_000 ** (-pair / 64)
    smooth = min(max((llama3_turns(pair) - 1) / (4 - 1), 0), 1)
    return float((1 - smooth) * theta / 8 + smooth * theta)


def half_turn(base: float) -> int:
    """First distance at which a pair is off by half a turn when it has a base and no scaling."""
    apart = max(abs(base ** (-i / 64) - llama3_frequency(i)) for i in range(64))
    return math.ceil(math.pi / apart)


def gpt_oss_drift() -> float:
    """Largest difference of frequencies under YaRN, 4,096 · 32, base 150,000, without rounding."""

    def corner(turns: float) -> float:
        return 32 * math.log(4096 / (turns * 2 * math.pi)) / math.log(150_000)

    def slowed(pair: int) -> float:
        ramp = min(max((pair - corner(32)) / (corner(1) - corner(32)), 0), 1)
        return float(150_000 ** (-pair / 32) * ramp * (1 - 1 / 32))

    return max(map(slowed, range(32)))


def keys_found(method: str, length: int) -> float:
    """Share of keys found, from the file itself."""
    rows = KEYS[(KEYS.method == method) & (KEYS.length == length)]
    return float(rows[rows.factor == (4 if method == "yarn" else 1)].right.mean())


def bits(model: str, method: str, length: int) -> float:
    """Mean over seeds of the mean over chunks, from the file itself."""
    rows = TEXT[TEXT.run.str.fullmatch(rf"text-{model}-s\d") & (TEXT.measure == "tail")]
    rows = rows[(rows.method == method) & (rows.length == length) & (rows.tuned == 0)]
    return float(rows.groupby("run").bits.mean().mean())


def head_rate(rate: str, length: int, keys: str = "any") -> float:
    """Mean over the texts of the median head, from the file itself."""
    return float(ORDERS[(ORDERS["keys"] == keys) & (ORDERS.length == length)][rate].mean())


def drawn_rate(rate: str, base: float, lead: int, length: int) -> float:
    """Share of random vectors of 128 channels, from the file itself."""
    (found,) = DRAWN.query("channels == 128 and base == @base and lead == @lead").loc[
        lambda rows: rows.length == length, rate
    ]
    return float(found)


EXPECTED = {
    "paper_width": 512,
    "narrow_head": 4,
    "wide_head": 64,
    "some_keys": 16,
    "queries": 5000,
    "row_length": math.sqrt(512 / 2),
    "shared_token_length": 1,
    "scaled_token_length": math.sqrt(512),
    "twice_scaled_length": 512,
    "projection": 2**18,
    "joined_projection": 2**19,
    "fastest_wave": 2 * math.pi,
    "slowest_wave": 2 * math.pi * 10000 ** (510 / 512),
    "slowest_wave_of_100": 2 * math.pi * 100 ** (510 / 512),
    "usual_base": 10000,
    "small_base": 100,
    "sine_twin": 22,  # 22/7 is close to π
    "shift_step": 7,
    "gpt2_rows": 1024,
    "gpt2_width": 768,
    "gpt2_table": 786432,
    "bert_rows": 512,
    "lab_length": 128,
    "lab_double": 256,
    "learned_at_trained": bits("learned", "none", 128),
    "learned_at_double": bits("learned", "none", 256),
    "stretched_at_double": bits("learned", "interpolate", 256),
    "alibi_at_double": bits("alibi", "none", 256),
    "nope_at_trained": bits("nope", "none", 128),
    "rope_at_trained": bits("rope", "none", 128),
    "tenth_share": 0.1,
    "draws": 300,
    "scored": 2000,
    "moved": 1000,
    "head": 128,
    "query_place": 7,
    "key_place": 3,
    "query_later": 1007,
    "key_later": 1003,
    "distance": 4,
    "ones_near": math.sqrt(128),
    "ones_far": 2 * sum(math.cos(1000 * 10000 ** (-i / 64)) for i in range(64)) / math.sqrt(128),
    "orders_base": 100_000,
    "orders_channels": 64,
    "orders_heads": 30 * 9,
    "orders_texts": ORDERS.text.nunique(),
    "orders_read": 1024,
    "orders_draws": DRAWN.draws.min(),
    "orders_low": 0.05,
    "orders_high": 0.95,
    "orders_lead": 2,
    "orders_far": 8 * 8192,
    "orders_points": 100
    * float(ORDERS.groupby(["keys", "length"])[RATES].agg(np.ptp).to_numpy().max()),
    "widths_points": 100
    * float(DRAWN.groupby(["base", "lead", "length"])[RATES].agg(np.ptp).to_numpy().max()),
    "large_base": 5_000_000,
    "large_lead": 4,
    **{
        f"{start}{rate}_{name}": head_rate(rate, times * 8192, keys)
        for start, keys in (("", "any"), ("most_", "most"))
        for rate in RATES
        for name, times in (("trained", 1), ("twice", 2), ("far", 8))
    },
    "nearer_trained_low": head_rate("nearer_low", 8192),
    "nearer_trained_high": head_rate("nearer_high", 8192),
    "nearer_short": min(head_rate("nearer", length) for length in (64, 512, 2048)),
    "drawn_led_small": drawn_rate("flipped", 1e4, 4, 8192),
    "drawn_led_small_far": drawn_rate("flipped", 1e4, 4, 65536),
    "drawn_led_large": drawn_rate("flipped", 5e6, 4, 8192),
    "drawn_led_large_far": drawn_rate("flipped", 5e6, 4, 65536),
    "drawn_near_small": drawn_rate("nearer", 1e4, 4, 8192),
    "drawn_near_small_far": drawn_rate("nearer", 1e4, 4, 65536),
    "drawn_near_large": drawn_rate("nearer", 5e6, 4, 8192),
    "drawn_near_large_far": drawn_rate("nearer", 5e6, 4, 65536),
    "small_head": 64,
    "layout_right": price("layout", "right_bits"),
    "layout_wrong": price("layout"),
    "heads": 32,
    "whole_width": 2048,
    "own_fastest": 2 * math.pi,
    "own_slowest": 2 * math.pi * 10000 ** (62 / 64),
    "first_head_slowest": 2 * math.pi * 10000 ** (62 / 2048),
    "last_head_fastest": 2 * math.pi * 10000 ** (2 * 31 * 32 / 2048),
    # Files: GPT-J rotary_dim 64 of 4096 / 16; NeoX rotary_pct 0.25 of 6144 / 64.
    "gptj_rotated": 64,
    "gptj_head": 256,
    "neox_rotated": 24,
    "neox_head": 96,
    "gptj_slowest": 2 * math.pi * 10000 ** (62 / 64),
    "qwen35_rotated": 64,
    "qwen35_head": 256,
    "indexer_heads": 64,
    "indexer_kept": 2048,
    "indexer_rotated": 64,
    "bfloat16_collides": 257,
    "bfloat16_before": 256,
    # Eight bits: beside 15,962 stand multiples of 64; halves go to even multiples.
    "far_position": 15962,
    "far_first": 15936 - 31,
    "far_last": 15936 + 31,
    # 257 up to 256, then 128 in each doubling: 512, 1024, …, 16384.
    "bfloat16_distinct": 257 + 6 * 128,
    "bfloat16_of": 2**14,
    "rounded_wrong": price("bfloat16"),
    "rounded_right": price("bfloat16", "right_bits"),
    "rounded_last": price("rounded_cos_sin"),
    # Axial pairs, base 100: θ = 100^(-4i/64), 16 for each axis.
    "patch_neighbour": (16 + sum(math.cos(100 ** (-i / 16)) for i in range(16))) / 32,
    "patch_corner": 2 * sum(math.cos(4 * 100 ** (-i / 16)) for i in range(16)) / 32,
    "axis_pairs": 16,
    "axis_head": 64,
    "image_side": 32,
    "image_count": 1024,
    "image_advance": 32,
    "share_of_one": (1000 + 32) / (1000 + 1024),
    "share_of_four": (1000 + 4 * 32) / (1000 + 4 * 1024),
    "vl_trained": 262144,
    "vl_factor": 3,
    "vl_usual": 4,
    "vl_later": 4,
    "vl_ratio": 1e6 / 262144,
    "twelve": 12,
    "eight": 8,
    "ninth_slope": 2**-0.5,
    "first_slope": 0.5,
    "series_first_slope": 2 ** (-8 / 12),
    "alibi_square": 2**20,
    "alibi_row": 2**10,
    "t5_count": 32,
    "t5_exact": 16,
    "t5_last": 113,  # golden: t5_bucket
    "t5_named": 128,
    "t5_last_encoder": 91,
    "t5_width": 113 - 99,
    "skew_length": 1024,
    "gathered": 1024 * 1024 * 64,
    "skewed": 1024 * 64,
    "padding": 3,
    "shift_on_real": 100_000,
    "shifted_right": price("shifted", "right_bits"),
    "shifted_bits": price("shifted"),
    "prompt": 4096,
    "decoded": 64,
    "stale_mean": sum(map(stale_score, range(4160))) / 4160,
    "stale_last": stale_score(4095),
    "switch_error": sum(map(switched_score, range(4096))) / 4096,
    "stale_bits": price("cached_keys"),
    "fresh_bits": price("cached_keys", "right_bits"),
    "switch_after": 4096,
    "switch_short": pytest.approx(2.84, abs=0.001),
    "switch_long": pytest.approx(64.84, abs=0.001),
    "mla_heads": 128 * (128 + 64 + 128),
    "mla_kept": 512 + 64,
    "mla_latent": 512,
    "mla_rotated": 64,
    "mla_saved": 40960 / 576,
    "sinks": 4,
    "sink_window": 1020,
    "sink_cache": 1024,
    "stream": 10**6,
    "sink_distance": 1023,
    "moves": 1000,
    "absorbed_distance": 5,
    "moved_passages": len(FRONT),
    "moved_texts": FRONT.index.get_level_values("text").nunique(),
    "moved_length": 256,
    "moved_behind": 256,
    "moved_told": 127,
    "moved_nearest": 64,
    "moved_furthest": 768,
    "moved_alone": float(BEHIND.alone_turned.mean()),
    "moved_alone_low": BEHIND.alone_turned.min(),
    "moved_alone_high": BEHIND.alone_turned.max(),
    "unmoved_alone": float(BEHIND.alone_unmoved.mean()),
    "unmoved_alone_low": BEHIND.alone_unmoved.min(),
    "unmoved_alone_high": BEHIND.alone_unmoved.max(),
    "moved_missing": float(BEHIND.missing.mean()),
    "moved_missing_low": BEHIND.missing.min(),
    "moved_missing_high": BEHIND.missing.max(),
    "moved_own_low": BEHIND.turned.min(),
    "moved_own_high": BEHIND.turned.max(),
    "moved_front_low": FRONT.turned.min(),
    "moved_front_high": FRONT.turned.max(),
    "rounded_texts": LOST.shape[1],
    "rounded_length": 512,
    "rounded_group": 32,
    "order_3_low": (LOST.loc["channel", 3, "after"] - LOST.loc["channel", 3, "before"]).min(),
    "order_3_high": (LOST.loc["channel", 3, "after"] - LOST.loc["channel", 3, "before"]).max(),
    **{
        f"{scale}_{bits}_{when}": float(LOST.loc[scale, bits, when].mean())
        for scale in ("channel", "token")
        for bits in (2, 3, 4)
        for when in ("before", "after")
    },
    "eight_bits_most": LOST.xs(8, level="bits").mean(axis=1).abs().max(),
    "cache_length": 2**17,
    # Two bytes; keys and values of 8, or 4, heads of 128, or 256, channels.
    "llama_cache": 32 * 2 * 8 * 128 * 2 * 2**17 / 2**30,
    "hybrid_naive": 64 * 2 * 4 * 256 * 2 * 2**17 / 2**30,
    "hybrid_layers": 64,
    "hybrid_full": 16,
    # 8 of 48 layers see everything, 40 the last 1,024; 8 heads of 256 channels.
    "gemma_cache": 2 * 8 * 256 * 2 * (8 * 2**17 + 40 * 1024) / 2**30,
    "deepseek_cache": 61 * (512 + 64) * 2 * 2**17 / 2**30,
    "weak_gate": 0.9,
    "strong_gate": 0.99,
    "weak_left": 0.9**50,
    "strong_left": 0.99**50,
    "left_after": 50,
    "linear_layers": 48,
    "zeroed_share": 0.1,
    # DroPE, arXiv:2512.12167: SmolLM, needles at 2 and 8 times the trained length.
    "yarn_at_2": 48.25,
    "dropped_at_2": 74.92,
    "yarn_at_8": 12.18,
    "dropped_at_8": 52.20,
    "smollm3_layers": 36,
    "smollm3_without": 9,
    # Men et al., arXiv:2405.14591, table 2: 27,000 for 4k, 7,800,000 for 128k.
    "base_for_4k": 27_000,
    "base_for_128k": 7_800_000,
    "reach_for_4k": pytest.approx(2**12, rel=0.02),
    "reach_for_128k": pytest.approx(2**17, rel=0.02),
    "reach_of_usual": first_below(10_000),
    "reach_of_llama3": first_below(500_000),
    "llama3_base": 500_000,
    "llama3_trained": 8192,
    "llama2_length": 4096,
    "short_length": 2048,
    "short_factor": 4,
    "short_yarn": REAL["real_short_yarn"](),
    "short_ntk": REAL["real_short_ntk"](),
    "short_linear": REAL["real_short_linear"](),
    "found_8k": keys_found("none", 8192),
    "found_16k": keys_found("none", 16384),
    "found_16k_yarn": keys_found("yarn", 16384),
    "found_32k_yarn": keys_found("yarn", 32768),
    "asked_32k": 30,
    "real_trained": 8192,
    "qwen3_trained": 32768,
    "qwen3_maximum": 40960,
    "qwen3_prompt": 8192,
    "qwen3_reach": 131072,
    "qwen3_implied": 1.25,
    "four": 4,
    "constant_ntk": 4**2 - 4 + 1,
    "double_ntk": 5,
    "scale": 8,
    "scale_inverse": 0.125,
    "scale_off": 64,
    "scaled_token": 1000,
    "scaled_to": 125,
    "scaled_wrong": 8000,
    "alpha": 2,
    "alpha_new_base": 10000 * 2 ** (128 / 126),
    # The first pair without a full turn in 4,096 tokens is 46.
    "alpha_needed": 2 ** (126 / 92),
    "double_length": 8192,
    # Turns within 8,192 tokens: four and more, one to four, less than one.
    "llama3_kept": sum(llama3_turns(i) >= 4 for i in range(64)),
    "llama3_blended": sum(1 < llama3_turns(i) < 4 for i in range(64)),
    "llama3_divided": sum(llama3_turns(i) <= 1 for i in range(64)),
    "llama3_pairs": 64,
    "llama3_factor": 8,
    "llama3_original": 8192,
    "attention_factor": 0.1 * math.log(4) + 1,
    "attention_square": (0.1 * math.log(4) + 1) ** 2,
    "attention_fourth": (0.1 * math.log(4) + 1) ** 4,
    "deepseek_factor": 40,
    "deepseek_square": (0.1 * math.log(40) + 1) ** 2,
    "lost_factor": 50,
    "tuned_factor": 8,
    "tuned_length": 32768,
    "shorter_length": 8192,
    "shorter_factor": 2,
    "llama3_half_turn": half_turn(500_000),
    "lost_base": half_turn(10_000),
    "context_asked": 320_000,
    "context_trained": 2**18,
    "context_factor": 320_000 / 2**18,
    "apple_trained": 2**18,
    "apple_target": 10**6,
    "apple_pairs": 32,
    # Pairs of base 10⁷ without a full turn in 262,144 tokens.
    "apple_ignored": sum((2**18 - 1) * 1e7 ** (-i / 32) < 2 * math.pi for i in range(32)),
    "apple_scaled": 0,
    "draft_trained": 4096,
    "draft_length": 131_072,
    "draft_factor": 32,
    "draft_half_turn": math.ceil(math.pi / gpt_oss_drift()),
    "draft_near": math.degrees(16 * gpt_oss_drift()),
    "draft_step": 16,
}
BELOW = {
    "projected_difference": ROUNDING,
    "shift_error": ROUNDING,
    "score_moved": ROUNDING,
    "output_moved_plain": ROUNDING,
    "output_moved_back": ROUNDING,
    "layouts_permuted": ROUNDING,
    "reordered_query": ROUNDING,
    "patches_moved": ROUNDING,
    "weights_difference": ROUNDING,
    "mirrored_symmetric": ROUNDING,
    "skew_error": ROUNDING,
    "padded_rope": ROUNDING,
    "packed_on": ROUNDING,
    "absorbed_plain": ROUNDING,
    "moved_key": ROUNDING,
    "recurrent_still": ROUNDING,
    "unturned": ROUNDING,
}
"""Differences that are rounding."""
BETWEEN = {
    # √64; the extremes of the largest weight are 1/16, all weights even, and 1.
    "wide_spread": (0.99 * math.sqrt(64), 1.01 * math.sqrt(64)),
    "narrow_undivided": (0.42, 0.44),
    "wide_undivided": (0.835, 0.855),
    "wide_divided": (0.235, 0.255),
    "undivided_slope": (0.013, 0.0145),
    # Of scores with variance one: E[w − w²] is at most that of even weights.
    "divided_slope": (0.05, 1 / 16 - 1 / 16**2),
    "overlap": (0.99 / math.sqrt(512), 1.01 / math.sqrt(512)),
    "learned_neighbours": (0.7, 0.9),
    "learned_far": (-0.5, 0.0),
    # √2 where rotated values have nothing in common with what they were. From here on the middle
    # and the ends of nine tenths of the draws: other seeds give others, within these.
    "output_moved_rotated": (1.2, 1.33),
    "output_moved_rotated_low": (1.1, 1.2),
    "output_moved_rotated_high": (1.33, math.sqrt(2)),
    "layouts_plain": (23, 27),
    "layouts_plain_low": (19, 22),
    "layouts_plain_high": (30, 36),
    "reordered_both": (0.65, 0.85),
    "reordered_both_low": (0.35, 0.5),
    "reordered_both_high": (1.1, 1.4),
    "mirrored_asymmetric": (0.32, 0.38),
    "mirrored_asymmetric_low": (0.2, 0.27),
    "mirrored_asymmetric_high": (0.48, 0.62),
    "padded_learned": (1.05, 1.18),
    "padded_learned_low": (0.87, 0.98),
    "padded_learned_high": (1.25, 1.45),
    "packed_seen": (0.84, 0.93),
    "packed_seen_low": (0.69, 0.77),
    "packed_seen_high": (1.0, 1.14),
    "packed_run_on": (0.84, 0.93),
    "packed_run_on_low": (0.69, 0.77),
    "packed_run_on_high": (1.0, 1.14),
    "moved_often": (0.45, 0.58),
    "moved_often_low": (0.33, 0.43),
    "moved_often_high": (0.6, 0.75),
    "recurrent_gated": (0.2, 0.28),
    "recurrent_gated_low": (0.04, 0.1),
    "recurrent_gated_high": (0.5, 0.75),
    # Root mean squares of 2,000 numbers whose variance is one: a standard error is 1.6%.
    "typical_near": (0.95, 1.05),
    "typical_far": (0.95, 1.05),
    # Two roundings to eight digits, each about 2⁻⁹ / √1.4.
    "moved_once": (0.0021, 0.0026),
    # A turn by a keeps cos a of a pair and adds 2 (1 - cos a) of error: 5, 0.5, 0.05 and 0.005.
    "absorbed_rotated": (0.6, 0.7),
    # 16 of 64 layers, and the small states of the others.
    "hybrid_cache": (8, 8.3),
}


def test_every_number_is_tested() -> None:
    assert set(NUMBERS) == EXPECTED.keys() | BELOW.keys() | BETWEEN.keys()


@pytest.mark.parametrize("name", EXPECTED)
def test_as_worked_out_elsewhere(name: str) -> None:
    value = EXPECTED[name]
    exact = pytest.approx(value, rel=1e-9) if isinstance(value, int | float) else value
    assert number(name) == exact


@pytest.mark.parametrize("name", BELOW)
def test_is_rounding(name: str) -> None:
    assert 0 <= number(name) < BELOW[name]


@pytest.mark.parametrize("name", BETWEEN)
def test_lies_where_the_sentence_says(name: str) -> None:
    low, high = BETWEEN[name]
    assert low < number(name) < high


def test_draws_of_one_function_are_independent() -> None:
    """Two draws of one seed are the same numbers."""
    for path in (ROOT / "course/questions/facts").glob("*.py"):
        for function in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(function, ast.FunctionDef):
                calls = [one for one in ast.walk(function) if isinstance(one, ast.Call)]
                seeds = [
                    ast.unparse(call.keywords[0].value) if call.keywords else "0"
                    for call in calls
                    if ast.unparse(call.func) == "drawn"
                ]
                assert len(seeds) == len(set(seeds)), (path.name, function.name)
    assert not (drawn(DRAWS) == drawn(DRAWS, seed=1)).any()


def test_what_is_said_of_moved_passages_holds_of_each() -> None:
    places = EXTRA.index.get_level_values("place")
    assert len(FRONT) * 9 == len(EXTRA)
    assert FRONT.index.get_level_values("text").nunique() == len(FRONT) >= 8
    assert EXTRA.max(axis=None) < 4  # the picture's axis
    assert (BEHIND.alone_turned < BEHIND.alone_unmoved).all()
    assert (BEHIND.alone_unmoved < BEHIND.missing).all()
    assert BEHIND.turned.abs().max() < 0.2 < FRONT.turned.min()
    still = EXTRA[places == 256]
    assert (still.turned == still.unmoved).all()
    # "They rise with the distance of the move": means over the passages, on either side.
    own, alone = (EXTRA[way].groupby(level="place").mean() for way in ("unmoved", "alone_unmoved"))
    assert (own[own.index < 256].diff().dropna() < 0).all()
    assert own[768] > own[320]
    assert alone.is_monotonic_increasing


def test_what_is_said_of_keys_in_few_bits_holds_of_each_text() -> None:
    assert LOST.shape[1] >= 8
    less = LOST.xs("after", level="when") - LOST.xs("before", level="when")
    for bits in (2, 3):
        assert (less.loc["channel", bits] > 0.01).all()
        assert (LOST.loc["channel_group", bits] < LOST.loc["channel", bits]).all(axis=None)
    for scale, bits in (("channel", 4), ("token", 2), ("token", 3), ("token", 4)):
        assert less.loc[scale, bits].min() < 0 < less.loc[scale, bits].max(), (scale, bits)


def test_heads_and_random_vectors_as_the_words_say() -> None:
    """Each text by itself; lengths below, at and above the trained one."""
    heads = ORDERS.set_index(["keys", "length", "text"])[RATES]
    medians = heads.loc["any"].unstack("text")
    assert (medians.loc[:8192, "nearer"] > 0.8).all(axis=None)
    assert (medians.loc[65536, "nearer"] < 0.45).all()
    assert (medians["flipped"].diff().dropna() > 0).all(axis=None)
    assert (medians.loc[65536, "flipped"] < 0.5).all()
    assert np.allclose(medians.loc[2**20, "flipped"], 0.5, atol=0.01)
    like = DRAWN.query("channels == 64 and base == 1e5 and lead == 2").set_index("length")[RATES]
    assert (medians.loc[:8192, "nearer"].min(axis=1) > like.loc[:8192, "nearer"] + 0.1).all()
    noise = 0.01  # two standard errors of a difference of two shares of 20,000 draws
    assert (like["nearer"].diff().dropna() < noise).all()
    assert (like["flipped"].diff().dropna() > -noise).all()
    assert (medians.loc[512:8192, "flipped"].max(axis=1) < like.loc[512:8192, "flipped"]).all()
    random = DRAWN.query("lead == 0")
    assert random.nearer.between(0.48, 0.52).all()
    longer = DRAWN.query("channels == 128").set_index(["lead", "length", "base"])[RATES].unstack()
    assert (longer.loc[4, "flipped"].diff(axis=1).iloc[:, 1:] < noise).all(axis=None)
    led = longer.loc[4]
    assert led.loc[8192, ("nearer", 1e4)] > led.loc[8192, ("nearer", 5e6)] + noise
    assert led.loc[8192, ("flipped", 1e4)] > led.loc[8192, ("flipped", 5e6)] + noise
    assert led.loc[65536, ("nearer", 1e4)] < 0.56
    assert led.loc[65536, ("flipped", 1e4)] > 0.48
    assert led.loc[65536, ("nearer", 5e6)] > 0.63
    assert led.loc[65536, ("flipped", 1e4)] > led.loc[65536, ("flipped", 5e6)] + noise
    first, last = longer.loc[0, "flipped"].iloc[0], longer.loc[0, "flipped"].iloc[-1]
    assert (last > first + 0.2).all()


def test_a_difference_that_is_nothing_has_a_bound_all_the_same():
    """On some processors two ways to compute one thing agree to the last bit."""
    assert 0 < bound(torch.zeros(3)) < ROUNDING
    assert bound(torch.tensor([0.0, -0.034])) == pytest.approx(0.04)
