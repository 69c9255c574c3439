"""Facts about programs that run models: what they admit, ignore, and put beside a model."""

import math
from collections.abc import Callable, Mapping
from functools import cache

import torch
from torch import Tensor

from course.questions.draw.bars import Bar, bars
from course.questions.draw.lines import Axis, Series, lines
from course.questions.facts.models import fields, layer
from posenc.rope.formula import rope_inv_freq
from posenc.scaling.coverage import angle_coverage
from posenc.scaling.yarn import YaRN

Labels = Mapping[str, str]

ASKED = 320_000
"""Tokens that somebody wants from llama.cpp."""
MILLION = 1_000_000


def trained(name: str) -> int:
    """Length that a file of a model with pictures declares for its text."""
    return int(fields(name)["text_config"]["max_position_embeddings"])


def llama_cpp_longer(labels: Labels) -> str:
    """Labels of the text that is asked for and the one that is given."""
    own = trained("Qwen3.5-397B-A17B")
    return bars(
        [
            Bar(labels["asked"], ASKED, f"{ASKED:,}"),
            Bar(labels["given"], own, f"{own:,}", "k"),
            Bar(labels["scaled"], ASKED, f"{ASKED:,}", "good"),
        ],
        labels["alt"],
    )


@cache
def new_pairs(scaled: bool) -> int:
    """Pairs of Qwen3.5-27B that meet angles at a million tokens which training never showed."""
    its = layer("Qwen3.5-27B", "rope")
    length = trained("Qwen3.5-27B")
    plain = rope_inv_freq(its.rotary_dim, its.base)[0]
    stretch = YaRN(MILLION / length, length)
    slowed = rope_inv_freq(its.rotary_dim, its.base, stretch)[0] if scaled else None
    return int(angle_coverage(plain, length, MILLION, slowed).is_new.sum())


def yarn_on_apple(labels: Labels) -> str:
    """Pairs with new angles."""
    pairs = layer("Qwen3.5-27B", "rope").rotary_dim // 2
    return bars(
        [
            Bar(labels["pairs"], pairs, str(pairs), "soft"),
            Bar(labels["ignored"], new_pairs(False), str(new_pairs(False)), "k"),
            Bar(labels["scaled"], new_pairs(True), str(new_pairs(True)), "good"),
        ],
        labels["alt"],
    )


@cache
def drift() -> Tensor:
    """Difference of frequencies, plain less YaRN's, of gpt-oss-20b, fastest pair first."""
    its = layer("gpt-oss-20b")
    return rope_inv_freq(its.rotary_dim, its.base)[0] - its.frequencies()[0]


def drift_half_turn() -> int:
    """Distance at which a pair of the draft is off by half a turn."""
    return math.ceil(math.pi / float(drift().max()))


def draft_model(labels: Labels) -> str:
    """Largest error of an angle, in turns, against the distance."""
    worst = float(drift().max()) / (2 * math.pi)
    distances = sorted([2 ** (i / 4) for i in range(16, 69)] + [0.5 / worst])
    return lines(
        [Series("", [(d, min(d * worst, 0.5)) for d in distances], "k")],
        Axis(
            labels["x"],
            [(16, "16"), (256, "256"), (4096, "4,096"), (131072, "131,072")],
            log=True,
        ),
        Axis(labels["y"], [(0, "0"), (0.25, "¼"), (0.5, "½")]),
        labels["alt"],
    )


NUMBERS: Mapping[str, Callable[[], float]] = {
    "context_asked": lambda: ASKED,
    "context_trained": lambda: trained("Qwen3.5-397B-A17B"),
    "context_factor": lambda: ASKED / trained("Qwen3.5-397B-A17B"),
    "apple_trained": lambda: trained("Qwen3.5-27B"),
    "apple_target": lambda: MILLION,
    "apple_pairs": lambda: layer("Qwen3.5-27B", "rope").rotary_dim // 2,
    "apple_ignored": lambda: new_pairs(False),
    "apple_scaled": lambda: new_pairs(True),
    "draft_trained": lambda: fields("gpt-oss-20b")["rope_scaling"][
        "original_max_position_embeddings"
    ],
    "draft_length": lambda: fields("gpt-oss-20b")["max_position_embeddings"],
    "draft_factor": lambda: fields("gpt-oss-20b")["rope_scaling"]["factor"],
    "draft_half_turn": drift_half_turn,
    "draft_near": lambda: 360 * 16 * float(drift().max()) / (2 * torch.pi),
    "draft_step": lambda: 16,
}
PICTURES: Mapping[str, Callable[[Labels], str]] = {
    "llama-cpp-longer": llama_cpp_longer,
    "yarn-on-apple": yarn_on_apple,
    "draft-model": draft_model,
}
