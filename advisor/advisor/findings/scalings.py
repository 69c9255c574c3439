"""Findings about scalings: what they do to short texts, to cached keys and to the scores."""

from collections.abc import Iterator

from advisor.data import Config
from advisor.facts import ignoring, since
from advisor.families.all import UNKNOWN
from advisor.fields import Fields
from advisor.findings.finding import Told, judge, judged_layers, layer_key, ratio
from advisor.known_models import of_family
from advisor.training import is_extended, training
from posenc.scaling.llama3 import Llama3
from posenc.scaling.longrope import LongRoPE
from posenc.scaling.yarn import YaRN, yarn_mscale
from posenc.words import say


@judge("info")
def yarn_acts_on_short_texts(config: Config) -> Iterator[Told]:
    """YaRN is on whatever the length of the text."""
    for judged in judged_layers(config, YaRN):
        factor = judged.scaling.factor
        if factor > 1 and not is_extended(config, judged.layer):
            yield Told(
                (judged.given.label("factor"),),
                say(
                    "YaRN changes the frequencies of short texts too. Unless the model was "
                    "trained with factor {factor}, texts of at most {length:,} tokens may get "
                    "worse with it.",
                    factor=ratio(factor),
                    length=training(config, layer_key(config, judged)).length
                    or judged.scaling.original_length,
                ),
                say("Take the smallest factor that covers prompt and output together."),
            )


@judge("info")
def longrope_switch(config: Config) -> Iterator[Told]:
    """The frequencies jump where the text passes the trained length."""
    for judged in judged_layers(config, LongRoPE):
        at = judged.scaling.original_length
        if judged.scaling.short_factor == judged.scaling.long_factor:
            continue  # MiniCPM4: one list for texts of every length
        yield Told(
            (judged.given.label("short_factor"), judged.given.label("long_factor")),
            say(
                "By the length of the text, as Phi-3 in transformers, the long list is used from "
                "token {first:,} on, and the keys that are in the cache by then were turned with "
                "the short one. vLLM and llama.cpp decide by the length they allocated, so short "
                "prompts differ between them.",
                first=at + 1,
            ),
            say(
                "Where the text decides, rebuild the cache when it grows beyond {length:,} tokens, "
                "as generate of Phi-3 does.",
                length=at,
            ),
        )


@judge("info")
def llama3_equal_bounds(config: Config) -> Iterator[Told]:
    """Both bounds equal: a step and no blend."""
    for judged in judged_layers(config, Llama3):
        scaling = judged.scaling
        if scaling.low_freq_factor == scaling.high_freq_factor:
            yield Told(
                (
                    judged.given.label("low_freq_factor"),
                    judged.given.label("high_freq_factor"),
                ),
                say(
                    "Both bounds are {bound}, as in Llama 4 Scout: pairs are kept or divided, "
                    "and nothing lies between. Code that divides by the difference of the bounds "
                    "divides by zero.",
                    bound=ratio(scaling.low_freq_factor),
                ),
            )


@judge("warning")
def mscale_needs_both(config: Config) -> Iterator[Told]:
    """Only one of mscale and mscale_all_dim."""
    for judged in judged_layers(config, YaRN):
        scaling = judged.scaling
        is_half = bool(scaling.mscale) != bool(scaling.mscale_all_dim)
        if is_half and scaling.attention_factor is None and not _are_released(config, judged.given):
            yield Told(
                (judged.given.label("mscale"), judged.given.label("mscale_all_dim")),
                say(
                    "Only one of mscale and mscale_all_dim is set, so the factor on cos and sin "
                    "ignores it and stays {factor}.",
                    factor=ratio(scaling.cos_sin_factor),
                ),
                say("Set both, or write attention_factor."),
            )


@judge("warning")
def no_temperature(config: Config) -> Iterator[Told]:
    """mscale equal to mscale_all_dim outside DeepSeek's attention."""
    for judged in judged_layers(config, YaRN):
        scaling = judged.scaling
        is_equal = scaling.mscale and scaling.mscale == scaling.mscale_all_dim
        # Where the attention applies them, or is not known, nothing is amiss.
        is_applied = config.family.multiplies_softmax or config.family is UNKNOWN
        if is_applied or _are_released(config, judged.given):
            continue
        if is_equal and scaling.attention_factor is None:
            yield Told(
                (judged.given.label("mscale"), judged.given.label("mscale_all_dim")),
                say(
                    "Where mscale and mscale_all_dim are equal, the factor on cos and sin is 1. "
                    "DeepSeek's attention makes up for it on the softmax scale; this model's "
                    "attention does not, so nothing is sharpened where YaRN would apply {factor}.",
                    factor=ratio(yarn_mscale(scaling.factor)),
                ),
                say("Remove both, unless the model was trained with them."),
            )


def _are_released(config: Config, given: Fields) -> bool:
    """Whether files of the same family were released with these two numbers."""
    numbers = (given.get("mscale"), given.get("mscale_all_dim"))
    for model in of_family(config):
        for name in ("rope_scaling", "rope_parameters"):
            theirs = model.text.values.get(name) or {}
            if numbers == (theirs.get("mscale"), theirs.get("mscale_all_dim")):
                return True
    return False


@judge("info")
def softmax_multiplier(config: Config) -> Iterator[Told]:
    """DeepSeek's third multiplier."""
    for judged in judged_layers(config):
        layer = judged.layer
        if layer.softmax_multiplier != 1:
            yield Told(
                (judged.given.label("mscale_all_dim"),),
                say(
                    "The softmax scale 1/sqrt({width}) is multiplied by {multiplier}, besides the "
                    "factor {factor} on cos and sin. Engines that leave the multiplier out attend "
                    "less sharply.",
                    width=layer.head_dim + layer.nope_dim,
                    multiplier=ratio(layer.softmax_multiplier),
                    factor=ratio(layer.frequencies()[1]),
                ),
            )


@judge("warning")
def attention_factor_in_engines(config: Config) -> Iterator[Told]:
    """An explicit attention factor is dropped by some engines."""
    for judged in judged_layers(config, YaRN):
        explicit = judged.scaling.attention_factor
        usual = yarn_mscale(judged.scaling.factor)
        beside = judged.given.get("attn_factor")
        if explicit is None or abs(explicit - usual) <= 1e-3 or isinstance(beside, int | float):
            continue
        yield Told(
            (judged.given.label("attention_factor"),),
            say(
                "attention_factor is {explicit} instead of {usual}, so scores are multiplied by "
                "{by} instead of {usually}. These do not read the field and keep {usual}: "
                "{engines}, and vLLM before {since}.",
                explicit=ratio(explicit),
                usual=ratio(usual),
                by=ratio(explicit**2),
                usually=ratio(usual**2),
                engines=ignoring("attention_factor"),
                since=since("attention_factor", "vllm"),
            ),
            say(
                "For SGLang, and vLLM before {since}, write attn_factor: {share} beside it, by "
                "which they multiply their own {usual}. Compare the scores of other engines with "
                "those of transformers.",
                since=since("attn_factor", "vllm"),
                share=ratio(explicit / usual),
                usual=ratio(usual),
            ),
        )
