"""Findings about layers: layout, temperature, layers without rotation, and engines that differ."""

from typing import TYPE_CHECKING

from posenc.config.findings.finding import Finding, judged_layers, ratio, text_of
from posenc.scaling.llama3 import Llama3
from posenc.scaling.longrope import LongRoPE
from posenc.scaling.yarn import YaRN, yarn_mscale

if TYPE_CHECKING:
    from posenc.config.data import RopeConfig


def yarn_acts_on_short_texts(config: "RopeConfig") -> Finding | None:
    """YaRN is on whatever the length of the text."""
    for judged in judged_layers(config, YaRN):
        factor = judged.scaling.factor
        if factor > 1:
            return Finding(
                "yarn_acts_on_short_texts",
                "info",
                (judged.given.label("factor"),),
                f"YaRN changes the frequencies of short texts too. Unless the model was trained "
                f"with factor {ratio(factor)}, texts within {judged.scaling.original_length} "
                "tokens are read less well than without it.",
                "Take the smallest factor that covers prompt and output together.",
            )
    return None


def longrope_switch(config: "RopeConfig") -> Finding | None:
    """The frequencies jump where the text passes the trained length."""
    for judged in judged_layers(config, LongRoPE):
        at = judged.scaling.original_length
        return Finding(
            "longrope_switch",
            "info",
            (judged.given.label("short_factor"), judged.given.label("long_factor")),
            f"From token {at + 1} on the long list is used, and the keys that are cached were "
            "turned with the short one. transformers decides by the text's length, vLLM and "
            "llama.cpp by the length they allocated, so short prompts differ between them.",
            "Rebuild the cache when a text crosses that length.",
        )
    return None


def llama3_equal_bounds(config: "RopeConfig") -> Finding | None:
    """Both bounds equal: a step and no blend."""
    for judged in judged_layers(config, Llama3):
        scaling = judged.scaling
        if scaling.low_freq_factor == scaling.high_freq_factor:
            return Finding(
                "llama3_equal_bounds",
                "info",
                (
                    judged.given.label("low_freq_factor"),
                    judged.given.label("high_freq_factor"),
                ),
                f"Both are {ratio(scaling.low_freq_factor)}, as in Llama 4: pairs are kept or "
                "divided and nothing lies between. Code that divides by their difference divides "
                "by zero.",
            )
    return None


def mscale_needs_both(config: "RopeConfig") -> Finding | None:
    """Only one of mscale and mscale_all_dim."""
    for judged in judged_layers(config, YaRN):
        scaling = judged.scaling
        if scaling.attention_factor is None and bool(scaling.mscale) != bool(
            scaling.mscale_all_dim
        ):
            return Finding(
                "mscale_needs_both",
                "warning",
                (judged.given.label("mscale"), judged.given.label("mscale_all_dim")),
                "Only one of mscale and mscale_all_dim is set, so the factor on cos and sin "
                f"ignores it and stays {ratio(scaling.cos_sin_factor)}.",
                "Set both, or write attention_factor.",
            )
    return None


def no_temperature(config: "RopeConfig") -> Finding | None:
    """mscale equal to mscale_all_dim outside DeepSeek's attention."""
    for judged in judged_layers(config, YaRN):
        scaling, family = judged.scaling, text_of(config).family
        is_equal = scaling.mscale and scaling.mscale == scaling.mscale_all_dim
        if is_equal and scaling.attention_factor is None and family is not None:
            if family.multiplies_softmax:
                continue
            return Finding(
                "no_temperature",
                "warning",
                (judged.given.label("mscale"), judged.given.label("mscale_all_dim")),
                "With both equal the factor on cos and sin is 1. DeepSeek's attention makes up "
                "for it on the softmax scale; this model's does not, so nothing is sharpened "
                f"where YaRN would have {ratio(yarn_mscale(scaling.factor))}.",
                "Remove both, unless the model was trained so.",
            )
    return None


def softmax_multiplier(config: "RopeConfig") -> Finding | None:
    """DeepSeek's third multiplier."""
    for judged in judged_layers(config, YaRN):
        layer = judged.layer
        if layer.softmax_multiplier != 1:
            return Finding(
                "softmax_multiplier",
                "info",
                (judged.given.label("mscale_all_dim"),),
                f"The softmax scale 1/sqrt({layer.head_dim + layer.nope_dim}) is multiplied by "
                f"{ratio(layer.softmax_multiplier)} besides the factor "
                f"{ratio(layer.frequencies()[1])} on cos and sin. Engines that leave it out "
                "attend less sharply.",
            )
    return None


def attention_factor_in_engines(config: "RopeConfig") -> Finding | None:
    """An explicit attention factor is dropped by some engines."""
    for judged in judged_layers(config, YaRN):
        explicit, usual = judged.scaling.attention_factor, yarn_mscale(judged.scaling.factor)
        if explicit is not None and abs(explicit - usual) > 1e-3:
            return Finding(
                "attention_factor_in_engines",
                "warning",
                (judged.given.label("attention_factor"),),
                f"attention_factor is {ratio(explicit)} instead of {ratio(usual)}, so scores "
                f"change by {ratio(explicit**2)} instead of {ratio(usual**2)}. Some releases of "
                "vLLM, ExLlama and llama.cpp drop it.",
                "Compare the scores of your engine with those of transformers.",
            )
    return None


def interleaved_layout(config: "RopeConfig") -> Finding | None:
    """Neighbouring channels form the pairs."""
    layers = config.rotary.values()
    if not any(layer.layout == "interleaved" for layer in layers):
        return None
    return Finding(
        "interleaved_layout",
        "info",
        ("model_type",),
        f"{config.model_type} pairs neighbouring channels (2i, 2i+1), most other models (i, "
        "i + d/2). Weights that move between the two need the rows of W_q and W_k permuted.",
    )


def partial_rotary_exponent(config: "RopeConfig") -> Finding | None:
    """The exponent counts over the rotated channels."""
    for judged in judged_layers(config, *_EVERY_BUT_PROPORTIONAL):
        layer = judged.layer
        if layer.rotary_dim < layer.head_dim:
            return Finding(
                "partial_rotary_exponent",
                "info",
                (text_of(config).own_name("partial_rotary_factor"), "rotary_dim"),
                f"{layer.rotary_dim} of {layer.head_dim} channels are rotated, and the exponent "
                f"counts over {layer.rotary_dim}: base^(-2i/{layer.rotary_dim}).",
            )
    return None


_EVERY_BUT_PROPORTIONAL = (type(None), YaRN, Llama3, LongRoPE)


def nope_flags_reversed(config: "RopeConfig") -> Finding | None:
    """Most layers would do without rotation: the flags are probably reversed."""
    flags = text_of(config).values.get("no_rope_layers")
    if not flags or 2 * sum(config.rope_layers) >= len(flags):
        return None
    return Finding(
        "nope_flags_reversed",
        "error",
        ("no_rope_layers",),
        f"no_rope_layers holds 1 for a layer that does rotate, against its name; here "
        f"{sum(config.rope_layers)} of {len(flags)} layers rotate.",
        "Write 1 where RoPE is used and 0 where it is not.",
    )


def nope_flags_count(config: "RopeConfig") -> Finding | None:
    """A flag for every layer."""
    text = text_of(config)
    flags, layers = text.values.get("no_rope_layers"), text.get("num_hidden_layers")
    if not flags or layers is None or len(flags) == layers:
        return None
    return Finding(
        "nope_flags_count",
        "error",
        ("no_rope_layers", text.own_name("num_hidden_layers")),
        f"no_rope_layers holds {len(flags)} flags for {layers} layers.",
        "Write one flag for each layer.",
    )


def mrope_sections(config: "RopeConfig") -> Finding | None:
    """The sections must cover every pair."""
    for judged in judged_layers(config):
        sections, pairs = judged.layer.mrope_section, judged.layer.rotary_dim // 2
        if sections is not None and sum(sections) != pairs:
            return Finding(
                "mrope_sections",
                "error",
                (judged.given.label("mrope_section"),),
                f"mrope_section {list(sections)} covers {sum(sections)} of {pairs} pairs.",
                f"Write sections whose sum is {pairs}.",
            )
    return None


def dual_chunk_elsewhere(config: "RopeConfig") -> Finding | None:
    """Dual Chunk Attention is not in transformers."""
    if config.dual_chunk is None:
        return None
    return Finding(
        "dual_chunk_elsewhere",
        "info",
        ("dual_chunk_attention_config",),
        f"Chunks of {config.dual_chunk.chunk_length} keys with a window of "
        f"{config.dual_chunk.local_window}: vLLM applies them, transformers and llama.cpp read "
        "on with plain positions.",
    )


FINDINGS = (
    yarn_acts_on_short_texts,
    longrope_switch,
    llama3_equal_bounds,
    mscale_needs_both,
    no_temperature,
    softmax_multiplier,
    attention_factor_in_engines,
    interleaved_layout,
    partial_rotary_exponent,
    nope_flags_reversed,
    nope_flags_count,
    mrope_sections,
    dual_chunk_elsewhere,
)
