"""Findings about lengths and factors: which field says how far a model reads."""

from posenc.config.data import Config
from posenc.config.fields import DECLARED, ORIGINAL
from posenc.config.findings.finding import Finding, ratio
from posenc.config.findings.judged import judged_layers
from posenc.scaling.dynamic import DynamicNTK
from posenc.scaling.linear import Linear
from posenc.scaling.llama3 import Llama3
from posenc.scaling.longrope import LongRoPE
from posenc.scaling.yarn import YaRN

# Bases of released models, to recognise one that was raised by hand.
USUAL_BASES = (1e4, 5e5, 1e6)


def trained_length_missing(config: Config) -> Finding | None:
    """The scaling needs the trained length; without it the declared length is taken."""
    if config.text.given(ORIGINAL):
        return None
    for judged in judged_layers(config, YaRN, Llama3, LongRoPE):
        if judged.given.given(ORIGINAL):
            continue
        kind, length = judged.layer.rope_type, judged.scaling.original_length
        return Finding(
            "trained_length_missing",
            "warning" if kind == "yarn" else "error",
            (judged.given.label(ORIGINAL), DECLARED),
            f"{kind} is computed around a trained length of {length} tokens, because the file "
            f"gives none and {DECLARED} is taken for it. If {DECLARED} was raised already, every "
            "frequency that is blended is wrong.",
            f"Write {ORIGINAL}: the length the model was trained with, before any extension.",
        )
    return None


def original_above_declared(config: Config) -> Finding | None:
    """A trained length longer than the declared one."""
    for judged in judged_layers(config, YaRN, Llama3, LongRoPE):
        original, longest = judged.scaling.original_length, judged.layer.max_length
        if longest is not None and original > longest:
            return Finding(
                "original_above_declared",
                "error",
                (judged.given.label(ORIGINAL), DECLARED),
                f"The trained length {original} is above the declared length {longest}: the two "
                "fields are probably swapped.",
                f"Write the trained length into {ORIGINAL} and the longer one into {DECLARED}.",
            )
    return None


def factor_against_lengths(config: Config) -> Finding | None:
    """YaRN's factor against the ratio of the two lengths; the factor wins."""
    for judged in judged_layers(config, YaRN):
        factor, original = judged.scaling.factor, judged.scaling.original_length
        declared = (judged.layer.max_length or original) / original
        if declared <= 1 or abs(declared - factor) < 0.01 * factor or _qwen3(config):
            continue
        beyond = "Positions beyond that were never reached in training."
        return Finding(
            "factor_against_lengths",
            "error" if factor < declared else "warning",
            (judged.given.label("factor"), judged.given.label(ORIGINAL), DECLARED),
            f"factor {ratio(factor)} stretches {original} trained tokens to "
            f"{ratio(factor * original)}, but {DECLARED} declares {judged.layer.max_length}, "
            f"{ratio(declared)} times as many. The factor is what counts."
            + (f" {beyond}" if factor < declared else ""),
            f"Set factor to {ratio(declared)}, or {DECLARED} to {ratio(factor * original)}.",
        )
    return None


def declared_below_reach(config: Config) -> Finding | None:
    """YaRN added while max_position_embeddings stays at the trained length."""
    if trained_length_missing(config) is not None:
        return None
    for judged in judged_layers(config, YaRN):
        longest, reach = judged.layer.max_length, judged.layer.target_length
        if longest == judged.scaling.original_length and reach != longest:
            return Finding(
                "declared_below_reach",
                "info",
                (DECLARED, judged.given.label("factor")),
                f"The scaling reaches {reach} tokens while {DECLARED} declares {longest}; engines "
                "that allocate by the declared length stop there. transformers 4.51 takes the "
                "ratio of the two lengths for the factor, so there nothing is scaled.",
                f"Give the engine the length itself (vLLM: --max-model-len {reach}); for such a "
                f"release of transformers write {DECLARED}: {reach}.",
            )
    return None


def dynamic_ignores_trained_length(config: Config) -> Finding | None:
    """Dynamic NTK counts from max_position_embeddings, whatever the trained length says."""
    for judged in judged_layers(config, DynamicNTK):
        own = judged.given.get(ORIGINAL) or config.text.get(ORIGINAL)
        used = judged.scaling.original_length
        if own is not None and own != used:
            return Finding(
                "dynamic_ignores_trained_length",
                "error",
                (judged.given.label(ORIGINAL), DECLARED),
                f"dynamic scaling starts beyond {DECLARED} = {used}; {ORIGINAL} = {own} is not "
                f"read. Between {own} and {used} tokens nothing is scaled.",
                f"Set {DECLARED} to the trained length, {own}.",
            )
    return None


def dynamic_factor_is_no_ratio(config: Config) -> Finding | None:
    """The factor of dynamic scaling is the α of its base."""
    for judged in judged_layers(config, DynamicNTK):
        scaling = judged.scaling
        if scaling.factor > 1:
            return Finding(
                "dynamic_factor_is_no_ratio",
                "info",
                (judged.given.label("factor"),),
                f"factor {ratio(scaling.factor)} is not how far the text is stretched: it is α in "
                "base · (α·L/L₀ - α + 1)^(d/(d-2)), with L the length of the text and L₀ = "
                f"{scaling.original_length}. Keys cached at a shorter length keep an older base; "
                "vLLM fixes one base when it loads the model.",
            )
    return None


def double_application(config: Config) -> Finding | None:
    """Positions are compressed twice."""
    text = config.text
    for judged in judged_layers(config, Linear, DynamicNTK, YaRN, Llama3, LongRoPE):
        asked = judged.given.get("rope_type") or judged.given.get("type")
        condensed = text.get("rope_condense_ratio")
        if asked and condensed not in (None, 1):
            return Finding(
                "double_application",
                "error",
                ("rope_condense_ratio", judged.given.label("factor")),
                f"rope_condense_ratio {ratio(condensed)} divides the positions, and "
                f"{asked} scaling stretches them again.",
                "Keep one of the two.",
            )
    return None


def linear_on_raised_base(config: Config) -> Finding | None:
    """Linear scaling with a base that is NTK-aware scaling by the same factor."""
    for judged in judged_layers(config, Linear):
        factor, layer = judged.scaling.factor, judged.layer
        if factor < 1.1 or layer.rotary_dim < 4:
            continue
        power = factor ** (layer.rotary_dim / (layer.rotary_dim - 2))
        for base in USUAL_BASES:
            if abs(layer.base / (base * power) - 1) < 0.001:
                return Finding(
                    "linear_on_raised_base",
                    "error",
                    ("rope_theta", judged.given.label("factor")),
                    f"rope_theta {ratio(layer.base)} is NTK-aware scaling of {ratio(base)} by "
                    f"{ratio(factor)}, and linear scaling divides by {ratio(factor)} again.",
                    f"Keep rope_theta {ratio(base)} with the factor, or the raised base alone.",
                )
    return None


def qwen3_length(config: Config) -> Finding | None:
    """40960 of Qwen3 is neither the trained nor the extended length."""
    if not (config.model_type or "").startswith("qwen3"):
        return None
    for judged in judged_layers(config, YaRN):
        if judged.scaling.original_length == 40960:
            return Finding(
                "qwen3_length",
                "error",
                (judged.given.label(ORIGINAL), DECLARED),
                "YaRN is computed around 40960 tokens, but Qwen3 was trained with 32768; 40960 "
                "adds room for 8192 tokens of output.",
                f"Write {ORIGINAL}: 32768.",
            )
    if not _qwen3(config):
        return None
    return Finding(
        "qwen3_length",
        "info",
        (DECLARED,),
        "40960 is 32768 trained tokens and room for 8192 of output, so it is neither the trained "
        "nor an extended length.",
    )


def _qwen3(config: Config) -> bool:
    longest = {judged.layer.max_length for judged in judged_layers(config)}
    return (config.model_type or "").startswith("qwen3") and longest == {40960}


def two_trained_lengths(config: Config) -> Finding | None:
    """The trained length twice, at the top and within the object, and not the same."""
    top = config.text.get(ORIGINAL)
    for judged in judged_layers(config, YaRN, Llama3, LongRoPE):
        own = judged.given.get(ORIGINAL)
        if top is not None and own is not None and own != top:
            used = judged.scaling.original_length
            return Finding(
                "two_trained_lengths",
                "warning",
                (ORIGINAL, judged.given.label(ORIGINAL)),
                f"{ORIGINAL} is {top} at the top and {own} within; transformers takes {used}.",
                "Write one of the two.",
            )
    return None


FINDINGS = (
    trained_length_missing,
    original_above_declared,
    factor_against_lengths,
    declared_below_reach,
    dynamic_ignores_trained_length,
    dynamic_factor_is_no_ratio,
    double_application,
    linear_on_raised_base,
    qwen3_length,
    two_trained_lengths,
)
