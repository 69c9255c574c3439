"""Findings about the first two ChatGLMs, whose own code reads their files otherwise."""

from collections.abc import Iterator

from advisor.data import Config
from advisor.findings.finding import Told, judge, ratio
from posenc.words import say

DIVIDES = 16
"""rope_ratio of ChatGLM2-6B-32K alone: 50 and 500 in ChatGLM3, 1 to 10000 in GLM-4."""


@judge("error")
def two_positions(config: Config) -> Iterator[Told]:
    """ChatGLM-6B of 2023, which turns by a position in the text and one in what is filled in."""
    if config.model_type == "chatglm" and config.text.get("position_encoding_2d") is True:
        yield Told(
            ("position_encoding_2d",),
            say(
                "The first ChatGLM-6B has two positions for each token, and each turns one half of "
                "a head's channels. What is shown is read as of ChatGLM2 and later, with one."
            ),
            say("Run it with its own code, and take no setting from here."),
        )


@judge("warning")
def rope_ratio_divides(config: Config) -> Iterator[Told]:
    """A number that ChatGLM2-6B-32K divides positions by, and everyone else multiplies the base."""
    given = config.text.get("rope_ratio")
    if config.model_type == "chatglm" and given == DIVIDES:
        yield Told(
            ("rope_ratio",),
            say(
                "rope_ratio {given} is that of ChatGLM2-6B-32K, whose own code divides positions "
                "by it, as linear scaling does. ChatGLM3, GLM-4, vLLM, SGLang, LMDeploy and "
                "llama.cpp multiply the base 10000 by it, and so does what is shown.",
                given=ratio(given),
            ),
            say("If this is that model, run it with the code beside its weights."),
        )
