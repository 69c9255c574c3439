"""Factors of linear and dynamic scaling: what they count from, and what multiplies once more."""

from collections.abc import Iterator

from advisor.data import Config
from advisor.fields import DECLARED, ORIGINAL
from advisor.findings.finding import Told, judge, judged_layers, layer_key, ratio
from advisor.released import ROOM
from advisor.training import training
from posenc.scaling.dynamic import DynamicNTK
from posenc.scaling.linear import Linear
from posenc.scaling.llama3 import Llama3
from posenc.scaling.longrope import LongRoPE
from posenc.scaling.yarn import YaRN
from posenc.words import say

# Bases of released models, to recognise one that was raised by hand.
USUAL_BASES = (1e4, 5e5, 1e6)


@judge("error")
def dynamic_ignores_trained_length(config: Config) -> Iterator[Told]:
    """Dynamic NTK counts from max_position_embeddings, whatever the trained length says."""
    for judged in judged_layers(config, DynamicNTK):
        own = judged.given.integer(ORIGINAL, 1) or config.text.integer(ORIGINAL, 1)
        used = judged.scaling.original_length
        if own is not None and own != used:
            trained = training(config, layer_key(config, judged)).length or own
            remedy = say("Write {declared}: {trained}.", declared=DECLARED, trained=trained)
            if trained == used:
                remedy = say("Write {original}: {used}.", original=ORIGINAL, used=used)
            yield Told(
                (judged.given.label(ORIGINAL), DECLARED),
                say(
                    "Dynamic scaling starts beyond {declared} = {used}; {original} = {own} is not "
                    "read. Between {own:,} and {used:,} tokens nothing is scaled.",
                    declared=DECLARED,
                    used=used,
                    original=ORIGINAL,
                    own=own,
                ),
                remedy,
            )


@judge("info")
def dynamic_factor_is_no_ratio(config: Config) -> Iterator[Told]:
    """The factor of dynamic scaling is the α of its base."""
    for judged in judged_layers(config, DynamicNTK):
        scaling = judged.scaling
        if scaling.factor > 1:
            yield Told(
                (judged.given.label("factor"),),
                say(
                    "factor {factor} does not say how far the text is stretched: it is α in base "
                    "· (α·L/L₀ - α + 1)^(d/(d-2)), where L is the length of the text and L₀ = "
                    "{length:,}. Keys that were cached at a shorter length keep an older base.",
                    factor=ratio(scaling.factor),
                    length=scaling.original_length,
                ),
            )


@judge("error")
def dynamic_length_multiplied(config: Config) -> Iterator[Told]:
    """Dynamic NTK, and the declared length is no longer that of the training."""
    for judged in judged_layers(config, DynamicNTK):
        used = judged.scaling.original_length
        trained = training(config, layer_key(config, judged))
        if trained.known is None or trained.length is None or used <= ROOM * trained.length:
            continue
        yield Told(
            (DECLARED, judged.given.label("factor")),
            say(
                "{declared} is {used:,}, {times} times the {trained:,} of {model}, a model of the "
                "same shape. Dynamic scaling starts beyond {used:,}: between {trained:,} and "
                "{used:,} tokens nothing is scaled.",
                declared=DECLARED,
                used=used,
                times=ratio(used / trained.length),
                trained=trained.length,
                model=trained.known.model,
            ),
            say("Write {declared}: {trained}.", declared=DECLARED, trained=trained.length),
        )


@judge("info")
def linear_length_multiplied(config: Config) -> Iterator[Told]:
    """Linear scaling, and vLLM and SGLang multiply the declared length once more."""
    # vLLM, vllm/config/model.py, _get_and_verify_max_len: Gemma 3 alone is left out; SGLang,
    # utils/hf_transformers/common.py, get_context_length: objects by layer type are.
    if (config.model_type or "").startswith("gemma3"):
        return
    for judged in judged_layers(config, Linear):
        factor = judged.scaling.factor
        declared = judged.layer.max_length
        original = judged.given.get(ORIGINAL) or config.text.get(ORIGINAL)
        if factor <= 1 or declared is None or original == declared:
            continue
        if training(config, layer_key(config, judged)).length == declared:
            continue  # the length before scaling: vLLM multiplies rightly
        yield Told(
            (DECLARED, judged.given.label("factor")),
            say(
                "vLLM and SGLang multiply the declared length by the factor of linear scaling and "
                "allow {allowed:,} tokens. If {declared:,} is the extended length already, "
                "{trained:,} tokens were trained, and beyond {declared:,} nothing was.",
                allowed=int(declared * factor + 1e-6),
                declared=declared,
                trained=int(declared / factor + 1e-6),
            ),
            say(
                "In that case start vLLM with --max-model-len {declared}, SGLang with "
                "--context-length {declared}.",
                declared=declared,
            ),
        )


@judge("error")
def double_application(config: Config) -> Iterator[Told]:
    """Positions are compressed twice."""
    text = config.text
    for judged in judged_layers(config, Linear, DynamicNTK, YaRN, Llama3, LongRoPE):
        asked = judged.given.get("rope_type") or judged.given.get("type")
        condensed = text.get("rope_condense_ratio")
        if asked and condensed not in (None, 1):
            yield Told(
                ("rope_condense_ratio", judged.given.label("factor")),
                say(
                    "rope_condense_ratio {ratio} divides the positions, and {kind} scaling "
                    "stretches them again.",
                    ratio=ratio(condensed),
                    kind=asked,
                ),
                say("Keep one of the two fields."),
            )


@judge("error")
def linear_on_raised_base(config: Config) -> Iterator[Told]:
    """Linear scaling with a base that is NTK-aware scaling by the same factor."""
    for judged in judged_layers(config, Linear):
        factor = judged.scaling.factor
        layer = judged.layer
        if factor < 1.1 or layer.rotary_dim < 4:
            continue
        power = factor ** (layer.rotary_dim / (layer.rotary_dim - 2))
        for base in USUAL_BASES:
            if abs(layer.base / (base * power) - 1) < 0.001:
                yield Told(
                    ("rope_theta", judged.given.label("factor")),
                    say(
                        "rope_theta {raised} is NTK-aware scaling of {base} by {factor}, and "
                        "linear scaling divides by {factor} again.",
                        raised=ratio(layer.base),
                        base=ratio(base),
                        factor=ratio(factor),
                    ),
                    say(
                        "Keep rope_theta {base} with the factor, or the raised base alone.",
                        base=ratio(base),
                    ),
                )
