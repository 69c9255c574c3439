"""Facts about reading further than a model was trained to, and about the settings for it."""

import math
from collections.abc import Callable, Mapping
from functools import cache

from advisor.units.convert import alpha_for_length
from course.questions.draw.bars import Bar, bars
from course.questions.draw.cells import Cell, Row, cells
from course.questions.draw.lines import Axis, Series, lines
from course.questions.facts.models import fields, layer
from exhibits.answers import answer
from posenc.rope.formula import rope_inv_freq, rope_wavelengths
from posenc.rope.reach import likeness_reach
from posenc.scaling.ntk import ntk_base
from posenc.scaling.yarn import YaRN

Labels = Mapping[str, str]

HEAD = 128
FACTOR = 4.0
LLAMA_2 = 4096
"""Trained length of Llama 2."""
ALPHA = 2.0


@cache
def reach(base: float) -> int:
    """First distance at which a key like the query no longer scores more than a random one."""
    found = likeness_reach(rope_inv_freq(HEAD, base)[0])
    assert found is not None, "no base of the questions reaches so far"
    return found


def which_base(labels: Labels) -> str:
    """How far usual bases reach."""
    bases = [1e3, 3e3, 1e4, 2.7e4, 8.4e4, 2e5, 5e5, 1e6, 2.1e6, 4e6, 7.8e6]
    return lines(
        [Series("", [(base, reach(base)) for base in bases], "q", "dots")],
        Axis(
            labels["x"],
            [(1e3, "1,000"), (1e4, "10,000"), (1e5, "100,000"), (1e6, "1 M"), (1e7, "10 M")],
            log=True,
        ),
        Axis(
            labels["y"],
            [(100, "100"), (1e3, "1,000"), (1e4, "10,000"), (2e5, "200,000")],
            log=True,
        ),
        labels["alt"],
    )


def worse_on_short(labels: Labels) -> str:
    """Price of three methods on the shortest texts."""
    kinds = {"yarn": "other", "ntk": "good", "linear": "k"}
    return bars(
        [
            Bar(labels[name], float(answer(f"real_short_{name}")),
                f"{answer(f'real_short_{name}'):.2f}", kind)
            for name, kind in kinds.items()
        ],
        labels["alt"],
    )  # fmt: skip


def found(method: str, size: str) -> float:
    """Share of the keys that were found in texts of a size."""
    return float(answer(f"real_{size}_{method}")) / float(answer(f"real_{size}_asked"))


def can_it_use_it(labels: Labels) -> str:
    """Keys found against the length."""
    rows = [("8k", "none"), ("16k", "none"), ("16k", "yarn"), ("32k", "yarn")]
    kinds = {"none": "q", "yarn": "other"}
    return bars(
        [
            Bar(labels[f"{method}_{size}"], found(method, size),
                f"{found(method, size):.0%}", kinds[method])
            for size, method in rows
        ],
        labels["alt"],
    )  # fmt: skip


def qwen3_trained() -> int:
    """Length that Qwen3 was trained on: its maximum less the room for a prompt."""
    return 32768


def factor_or_maximum(labels: Labels) -> str:
    """The three numbers of Qwen3 with YaRN."""
    maximum = int(fields("Qwen3-8B")["max_position_embeddings"])
    return bars(
        [
            Bar(labels["trained"], qwen3_trained(), f"{qwen3_trained():,}"),
            Bar(labels["maximum"], maximum, f"{maximum:,}", "soft"),
            Bar(labels["reach"], FACTOR * qwen3_trained(), f"{FACTOR * qwen3_trained():,.0f}",
                "other"),
        ],
        labels["alt"],
    )  # fmt: skip


def stretch_of_base(alpha: float, ratio: float) -> float:
    """Factor of dynamic NTK on the base, before its exponent, at L / L₀."""
    return alpha * max(ratio, 1.0) - (alpha - 1)


def constant_ntk(labels: Labels) -> str:
    """The factor on the base, as published and with the mistake, α = 4."""
    ratios = [1 + i / 10 for i in range(31)]
    constant = stretch_of_base(FACTOR, FACTOR)
    return lines(
        [
            Series(labels["published"], [(r, stretch_of_base(FACTOR, r)) for r in ratios], "q"),
            Series(labels["constant"], [(r, constant) for r in ratios], "k", "6 4"),
        ],
        Axis(labels["x"], [(1, "1"), (2, "2"), (3, "3"), (4, "4")]),
        Axis(labels["y"], [(0, "0"), (5, "5"), (10, "10"), (15, "15")]),
        labels["alt"],
    )


def rope_scale(labels: Labels) -> str:
    """Where token 1,000 is put."""
    rows = {"right": (1000 / 8, "q"), "plain": (1000, "soft"), "wrong": (1000 * 8, "k")}
    return bars(
        [Bar(labels[name], at, f"{at:,.0f}", kind) for name, (at, kind) in rows.items()],
        labels["alt"],
    )


def alpha_or_compress(labels: Labels) -> str:
    """How much each pair is slowed, by alpha and by compression."""
    plain = rope_inv_freq(HEAD)[0]
    by_alpha = plain / rope_inv_freq(HEAD, ntk_base(HEAD, 10000.0, ALPHA))[0]
    return lines(
        [
            Series(labels["compress"], [(0, ALPHA), (HEAD // 2 - 1, ALPHA)], "k", "6 4"),
            Series(labels["alpha"], list(enumerate(by_alpha.tolist())), "good"),
        ],
        Axis(labels["x"], [(0, "0"), (31, "31"), (63, "63")]),
        Axis(labels["y"], [(1, "1"), (1.5, "1.5"), (2, "2"), (2.5, "")]),
        labels["alt"],
    )


def llama3_bands() -> tuple[int, int, int]:
    """Pairs of Llama 3.1 that keep their frequency, are blended, and are divided by the factor."""
    its = layer("Llama-3.1-8B")
    ratio = rope_inv_freq(its.rotary_dim, its.base)[0] / its.frequencies()[0]
    factor = fields("Llama-3.1-8B")["rope_scaling"]["factor"]
    kept = int((ratio < 1 + 1e-9).sum())
    divided = int((ratio > factor - 1e-9).sum())
    return kept, len(ratio) - kept - divided, divided


def llama3_scaling(labels: Labels) -> str:
    """How much each pair is slowed."""
    its = layer("Llama-3.1-8B")
    ratio = rope_inv_freq(its.rotary_dim, its.base)[0] / its.frequencies()[0]
    return lines(
        [Series("", list(enumerate(ratio.tolist())), "q", "dots")],
        Axis(labels["x"], [(0, "0"), (31, "31"), (63, "63")]),
        Axis(labels["y"], [(1, "1"), (4, "4"), (8, "8")]),
        labels["alt"],
    )


def llama3_half_turn() -> int:
    """Distance at which the unscaled angle of some pair is wrong by half a turn."""
    its = layer("Llama-3.1-8B")
    plain = rope_inv_freq(its.rotary_dim, its.base)[0]
    return math.ceil(math.pi / float((plain - its.frequencies()[0]).max()))


def attention_factor(factor: float) -> float:
    """YaRN's factor on cosine and sine."""
    return rope_inv_freq(HEAD, 10000.0, YaRN(factor, LLAMA_2))[1]


def yarn_attention_factor(labels: Labels) -> str:
    """The factor on scores, by stretch."""
    stretches = [1, 2, 4, 8, 16, 32, 40]
    return lines(
        [
            Series(labels["once"], [(s, attention_factor(s) ** 2) for s in stretches], "other"),
            Series(labels["table"], [(s, attention_factor(s)) for s in stretches], "q", "6 4"),
        ],
        Axis(labels["x"], [(1, "1"), (4, "4"), (16, "16"), (40, "40")], log=True),
        Axis(labels["y"], [(1, "1"), (1.5, "1.5"), (2, "2")]),
        labels["alt"],
    )


@cache
def lost_base() -> int:
    """Distance at which some pair of Llama 3.1 is wrong by half a turn under base 10,000."""
    its = layer("Llama-3.1-8B")
    apart = (rope_inv_freq(its.rotary_dim, 10000.0)[0] - its.frequencies()[0]).abs()
    return math.ceil(math.pi / float(apart.max()))


def base_lost(labels: Labels) -> str:
    """Wavelengths of Llama 3.1 as declared and with the default base."""
    its = layer("Llama-3.1-8B")
    declared = rope_wavelengths(its.frequencies()[0]).tolist()
    default = rope_wavelengths(rope_inv_freq(its.rotary_dim, 10000.0)[0]).tolist()
    return lines(
        [
            Series(labels["declared"], list(enumerate(declared)), "q"),
            Series(labels["default"], list(enumerate(default)), "k", "6 4"),
        ],
        Axis(labels["x"], [(0, "0"), (31, "31"), (63, "63")]),
        Axis(
            labels["y"],
            [(1, "1"), (100, "100"), (10000, "10,000"), (10**6, "1 M"), (10**8, "")],
            log=True,
        ),
        labels["alt"],
    )


def tuned_factor(labels: Labels) -> str:
    """Angle of a pair at two distances, by the factor it was trained with and by a smaller one."""
    distances = [0, 8192]
    pair = float(rope_inv_freq(HEAD)[0][40])
    rows = {"tuned": (8.0, "q"), "short": (2.0, "k"), "plain": (1.0, "soft")}
    turns = {
        name: pair * distances[1] / factor / (2 * math.pi) for name, (factor, _) in rows.items()
    }
    return bars(
        [Bar(labels[name], turns[name], f"{turns[name]:.2f}", kind)
         for name, (_, kind) in rows.items()],
        labels["alt"],
    )  # fmt: skip


def embeddings_longer(labels: Labels) -> str:
    """Ways to longer texts, by how positions enter."""
    rows = {
        "learned": ("end", "bad"),
        "alibi": ("open", "good"),
        "rope": ("scale", "q"),
    }
    return cells(
        [Row(labels[name], [Cell(labels[what], kind)]) for name, (what, kind) in rows.items()],
        labels["alt"],
        widest=220,
    )


NUMBERS: Mapping[str, Callable[[], float]] = {
    "reach_of_usual": lambda: reach(1e4),
    "reach_of_llama3": lambda: reach(5e5),
    "llama3_base": lambda: fields("Llama-3-8B")["rope_theta"],
    "llama3_trained": lambda: fields("Llama-3-8B")["max_position_embeddings"],
    "base_for_4k": lambda: 27_000,
    "reach_for_4k": lambda: reach(2.7e4),
    "base_for_128k": lambda: 7_800_000,
    "reach_for_128k": lambda: reach(7.8e6),
    "llama2_length": lambda: LLAMA_2,
    "short_length": lambda: answer("real_shortest"),
    "short_factor": lambda: FACTOR,
    "short_yarn": lambda: answer("real_short_yarn"),
    "short_ntk": lambda: answer("real_short_ntk"),
    "short_linear": lambda: answer("real_short_linear"),
    "found_8k": lambda: found("none", "8k"),
    "found_16k": lambda: found("none", "16k"),
    "found_16k_yarn": lambda: found("yarn", "16k"),
    "found_32k_yarn": lambda: found("yarn", "32k"),
    "asked_32k": lambda: answer("real_32k_asked"),
    "real_trained": lambda: answer("real_trained"),
    "qwen3_trained": qwen3_trained,
    "qwen3_maximum": lambda: fields("Qwen3-8B")["max_position_embeddings"],
    "qwen3_prompt": lambda: fields("Qwen3-8B")["max_position_embeddings"] - qwen3_trained(),
    "qwen3_reach": lambda: FACTOR * qwen3_trained(),
    "qwen3_implied": lambda: fields("Qwen3-8B")["max_position_embeddings"] / qwen3_trained(),
    "four": lambda: int(FACTOR),
    "constant_ntk": lambda: stretch_of_base(FACTOR, FACTOR),
    "double_ntk": lambda: stretch_of_base(FACTOR, 2.0),
    "scale": lambda: 8,
    "scale_inverse": lambda: 1 / 8,
    "scale_off": lambda: 64,
    "scaled_token": lambda: 1000,
    "scaled_to": lambda: 1000 / 8,
    "scaled_wrong": lambda: 1000 * 8,
    "alpha": lambda: ALPHA,
    "alpha_new_base": lambda: ntk_base(HEAD, 10000.0, ALPHA),
    "alpha_needed": lambda: alpha_for_length(HEAD, 10000.0, LLAMA_2, 2 * LLAMA_2),
    "double_length": lambda: 2 * LLAMA_2,
    "llama3_kept": lambda: llama3_bands()[0],
    "llama3_blended": lambda: llama3_bands()[1],
    "llama3_divided": lambda: llama3_bands()[2],
    "llama3_pairs": lambda: sum(llama3_bands()),
    "llama3_factor": lambda: fields("Llama-3.1-8B")["rope_scaling"]["factor"],
    "llama3_original": lambda: fields("Llama-3.1-8B")["rope_scaling"][
        "original_max_position_embeddings"
    ],
    "llama3_half_turn": llama3_half_turn,
    "attention_factor": lambda: attention_factor(FACTOR),
    "attention_square": lambda: attention_factor(FACTOR) ** 2,
    "attention_fourth": lambda: attention_factor(FACTOR) ** 4,
    "deepseek_factor": lambda: fields("DeepSeek-V3")["rope_scaling"]["factor"],
    "deepseek_square": lambda: (
        attention_factor(fields("DeepSeek-V3")["rope_scaling"]["factor"]) ** 2
    ),
    "lost_base": lost_base,
    "lost_factor": lambda: fields("Llama-3.1-8B")["rope_theta"] / 10000,
    "tuned_factor": lambda: 8,
    "tuned_length": lambda: 8 * LLAMA_2,
    "shorter_length": lambda: 2 * LLAMA_2,
    "shorter_factor": lambda: 2,
}
PICTURES: Mapping[str, Callable[[Labels], str]] = {
    "which-base": which_base,
    "worse-on-short": worse_on_short,
    "can-it-use-it": can_it_use_it,
    "factor-or-maximum": factor_or_maximum,
    "constant-ntk": constant_ntk,
    "rope-scale": rope_scale,
    "alpha-or-compress": alpha_or_compress,
    "llama3-scaling": llama3_scaling,
    "yarn-attention-factor": yarn_attention_factor,
    "base-lost": base_lost,
    "tuned-factor": tuned_factor,
    "embeddings-longer": embeddings_longer,
}
