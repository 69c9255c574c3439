"""Findings about lengths and factors: which field says how far a model reads."""

from posenc.config.data import Config
from posenc.config.fields import DECLARED, ORIGINAL
from posenc.config.findings.finding import Finding, ratio
from posenc.config.findings.judged import judged_layers, layer_key
from posenc.config.findings.near_miss import OF_THE_OBJECT, meant
from posenc.config.released import ROOM
from posenc.config.training import training
from posenc.scaling.dynamic import DynamicNTK
from posenc.scaling.linear import Linear
from posenc.scaling.llama3 import Llama3
from posenc.scaling.longrope import LongRoPE
from posenc.scaling.yarn import YaRN
from posenc.words import say

# Bases of released models, to recognise one that was raised by hand.
USUAL_BASES = (1e4, 5e5, 1e6)


def trained_length_missing(config: Config) -> Finding | None:
    """The scaling needs the trained length; without it the declared length is taken."""
    if config.text.given(ORIGINAL):
        return None
    for judged in judged_layers(config, YaRN, Llama3, LongRoPE):
        is_misspelt = ORIGINAL in meant(judged.given.values.keys(), OF_THE_OBJECT).values()
        if judged.given.given(ORIGINAL) or is_misspelt:
            continue
        kind, length = judged.layer.rope_type, judged.scaling.original_length
        if length != judged.layer.max_length:
            continue  # Phi3Config fills in its own 4,096
        trained = training(config, layer_key(config, judged))
        fields = (judged.given.label(ORIGINAL), DECLARED)
        said = say(
            "The file gives no trained length for its {kind} scaling, so transformers 5, and vLLM "
            "from 0.24.0 on, silently take {declared}, {length}. Older vLLM refuses the file.",
            kind=kind,
            length=length,
            declared=DECLARED,
        )
        if trained.known is not None and trained.length == length:
            said = say(
                "{said} That is right for {model}, which has this shape and base.",
                said=said,
                model=trained.known.model,
            )
        elif trained.known is not None:
            said = say(
                "{said} For {model}, which has this shape and base, it must be {trained}: every "
                "frequency that is blended is wrong.",
                said=said,
                model=trained.known.model,
                trained=trained.length,
            )
        else:
            said = say(
                "{said} If {declared} was raised already, every frequency that is blended is "
                "wrong.",
                said=said,
                declared=DECLARED,
            )
        is_right = trained.length == length
        is_wrong = trained.known is not None and not is_right
        return Finding(
            "trained_length_missing",
            "error" if is_wrong or kind != "yarn" else "warning",
            fields,
            said,
            say(
                "Write {original}: the length that the model was trained with, before any "
                "extension.",
                original=ORIGINAL,
            )
            if trained.known is None
            else say("Write {original}: {length}.", original=ORIGINAL, length=trained.length),
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
                say(
                    "The trained length {trained} is above the declared length {declared}: the "
                    "two fields are probably swapped.",
                    trained=original,
                    declared=longest,
                ),
                say(
                    "Write the trained length into {original} and the longer one into {declared}.",
                    original=ORIGINAL,
                    declared=DECLARED,
                ),
            )
    return None


def factor_against_lengths(config: Config) -> Finding | None:
    """YaRN's factor against the ratio of the two lengths; the factor wins."""
    for judged in judged_layers(config, YaRN):
        factor, original = judged.scaling.factor, judged.scaling.original_length
        declared = (judged.layer.max_length or original) / original
        if declared <= 1 or abs(declared - factor) < 0.01 * factor or _qwen3(config):
            continue
        message = say(
            "factor {factor} stretches {trained} trained tokens to {reach}, but {field} declares "
            "{declared}, {times} times the trained length. The factor is what counts.",
            factor=ratio(factor),
            trained=original,
            reach=ratio(factor * original),
            field=DECLARED,
            declared=judged.layer.max_length,
            times=ratio(declared),
        )
        if factor < declared:
            message = say(
                "{message} Positions beyond {reach} were never reached in training.",
                message=message,
                reach=ratio(factor * original),
            )
        return Finding(
            "factor_against_lengths",
            "error" if factor < declared else "warning",
            (judged.given.label("factor"), judged.given.label(ORIGINAL), DECLARED),
            message,
            say(
                "Set factor to {factor}, or {field} to {reach}.",
                factor=ratio(declared),
                field=DECLARED,
                reach=ratio(factor * original),
            ),
        )
    return None


def declared_below_reach(config: Config) -> Finding | None:
    """YaRN added while max_position_embeddings stays at the trained length."""
    if trained_length_missing(config) is not None:
        return None
    for judged in judged_layers(config, YaRN):
        longest, reach = judged.layer.max_length, judged.layer.target_length
        if training(config, layer_key(config, judged)).length != judged.scaling.original_length:
            continue  # another finding says from which length the scaling must count
        if longest == judged.scaling.original_length and reach != longest:
            return Finding(
                "declared_below_reach",
                "info",
                (DECLARED, judged.given.label("factor")),
                say(
                    "The scaling reaches {reach} tokens, and {field} declares {declared}: engines "
                    "that allocate memory for the declared length stop there. transformers 4.51 "
                    "takes the ratio of the two lengths for the factor, so it scales nothing.",
                    reach=reach,
                    field=DECLARED,
                    declared=longest,
                ),
                say(
                    "Give the engine the length itself (vLLM: --max-model-len {reach}); for "
                    "transformers 4.51 write {field}: {reach}.",
                    reach=reach,
                    field=DECLARED,
                ),
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
                say(
                    "Dynamic scaling starts beyond {declared} = {used}; {original} = {own} is not "
                    "read. Between {own} and {used} tokens nothing is scaled.",
                    declared=DECLARED,
                    used=used,
                    original=ORIGINAL,
                    own=own,
                ),
                say("Set {declared} to the trained length, {own}.", declared=DECLARED, own=own),
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
                say(
                    "factor {factor} does not say how far the text is stretched: it is α in "
                    "base · (α·L/L₀ - α + 1)^(d/(d-2)), where L is the length of the text and "
                    "L₀ = {length}. Keys that were cached at a shorter length keep an older base. "
                    "SGLang fixes one base when it loads the model, that of {most} tokens, and "
                    "reads no further; vLLM has scaled nothing by it since May 2026.",
                    most=ratio(scaling.factor * scaling.original_length),
                    factor=ratio(scaling.factor),
                    length=scaling.original_length,
                ),
            )
    return None


def dynamic_length_multiplied(config: Config) -> Finding | None:
    """Dynamic NTK, and the declared length is no longer that of the training."""
    for judged in judged_layers(config, DynamicNTK):
        used = judged.scaling.original_length
        trained = training(config, layer_key(config, judged))
        if trained.known is None or trained.length is None or used <= ROOM * trained.length:
            continue
        return Finding(
            "dynamic_length_multiplied",
            "error",
            (DECLARED, judged.given.label("factor")),
            say(
                "{declared} is {used}, {times} times the {trained} of {model}, a model of the same "
                "shape. Dynamic scaling starts beyond {used}: between {trained} and {used} tokens "
                "nothing is scaled.",
                declared=DECLARED,
                used=used,
                times=ratio(used / trained.length),
                trained=trained.length,
                model=trained.known.model,
            ),
            say("Write {declared}: {trained}.", declared=DECLARED, trained=trained.length),
        )
    return None


def linear_length_multiplied(config: Config) -> Finding | None:
    """Linear scaling, and vLLM and SGLang multiply the declared length once more."""
    # vLLM, vllm/config/model.py, _get_and_verify_max_len: Gemma 3 alone is left out; SGLang,
    # utils/hf_transformers/common.py, get_context_length: objects by layer type are.
    if (config.model_type or "").startswith("gemma3"):
        return None
    for judged in judged_layers(config, Linear):
        factor, declared = judged.scaling.factor, judged.layer.max_length
        original = judged.given.get(ORIGINAL) or config.text.get(ORIGINAL)
        if factor <= 1 or declared is None or original == declared:
            continue
        if training(config, layer_key(config, judged)).length == declared:
            continue  # the length before scaling: vLLM multiplies rightly
        return Finding(
            "linear_length_multiplied",
            "info",
            (DECLARED, judged.given.label("factor")),
            say(
                "vLLM and SGLang multiply the declared length by the factor of linear scaling and "
                "allow {allowed} tokens. If {declared} is the extended length already, {trained} "
                "tokens were trained, and beyond {declared} nothing was.",
                allowed=ratio(declared * factor),
                declared=declared,
                trained=ratio(declared / factor),
            ),
            say(
                "In that case start vLLM with --max-model-len {declared}, SGLang with "
                "--context-length {declared}.",
                declared=declared,
            ),
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
                say(
                    "rope_condense_ratio {ratio} divides the positions, and {kind} scaling "
                    "stretches them again.",
                    ratio=ratio(condensed),
                    kind=asked,
                ),
                say("Keep one of the two fields."),
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
                say(
                    "YaRN is computed around 40960 tokens, but Qwen3 was trained with 32768. "
                    "40960 leaves room for 32768 tokens of output and a prompt of 8192."
                ),
                say("Write {original}: 32768.", original=ORIGINAL),
            )
    if not _qwen3(config):
        return None
    return Finding(
        "qwen3_length",
        "info",
        (DECLARED,),
        say(
            "40960 is room for 32768 tokens of output and a prompt of 8192. Qwen3 was trained with "
            "32768 tokens: 40960 is neither the trained nor an extended length."
        ),
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
                say(
                    "{field} is {top} at the top of the file, and {inner} is {own}; transformers "
                    "takes {used}.",
                    field=ORIGINAL,
                    inner=judged.given.label(ORIGINAL),
                    top=top,
                    own=own,
                    used=used,
                ),
                say("Keep one of the two."),
            )
    return None


FINDINGS = (
    trained_length_missing,
    original_above_declared,
    factor_against_lengths,
    declared_below_reach,
    dynamic_ignores_trained_length,
    dynamic_factor_is_no_ratio,
    dynamic_length_multiplied,
    linear_length_multiplied,
    double_application,
    linear_on_raised_base,
    qwen3_length,
    two_trained_lengths,
)
