"""A method's parameters for a model and a target, in words."""

from dataclasses import fields
from typing import Any

from advisor.comparing.outcome import Outcome
from posenc.scaling import YaRN
from posenc.words import Sentence, say
from ui.words import rounded, translate

FACTOR = say("k = {factor}")
RAMP = say("k = {factor}, L₀ = {trained:,}, 1 and 32 turns")
LIST = say("{list}_factor of the file at every length")
WRITTEN = {
    "declared": say("type `{kind}`, from the file"),
    "none": say("nothing to set"),
    "linear": FACTOR,
    "ntk": FACTOR,
    "ntk_base": FACTOR,
    "ntk_fixed": FACTOR,
    "ntk_mixed": FACTOR,
    "ntk_alpha": say("α = {alpha}, k = {factor}"),
    "dynamic_ntk": say("α = {alpha}, L₀ = {trained:,}, by the text's length"),
    "ntk_by_parts": RAMP,
    "yarn_paper": RAMP,
    "yarn": say("k = {factor}, L₀ = {trained:,}, 32 and 1 turns"),
    "yarn_no_temperature": say("k = {factor}, L₀ = {trained:,}, 32 and 1 turns, A = 1"),
    "longrope_short": LIST,
    "longrope_long": LIST,
    "llama3": say("k = {factor}, L₀ = {trained:,}, 1 and 4 turns"),
    "proportional": say(
        "p = {proportion}, the pairs that made a full turn within L₀; the others stop"
    ),
    "self_extend": say("W = {window:,}, groups of G = {group_size:,}"),
    "rerope": say("w = {window:,}"),
    "leaky_rerope": say("w = {window:,}, k = {slower} beyond"),
    "dual_chunk": say(
        "c = {chunk_length:,}, w = {local_window:,}, 3/4 and 1/8 of the trained length"
    ),
}
"""By the id of a method, with places for `_values`; others are told by their fields."""
YARN_OF_FILE = say("k = {factor}, L₀ = {trained:,}, file's bounds")
CHUNKS_OF_FILE = say("c = {chunk_length:,}, w = {local_window:,}, from the file")


def parameters(one: Outcome) -> str:
    """The parameters of a method as they are set here, and where they come from."""
    written = _written(one)
    if written is not None:
        return translate(written.filled(**_values(one)))
    numbers = {name: v for name, v in _fields(one).items() if isinstance(v, int | float)}
    return ", ".join(f"{name} = {rounded(value)}" for name, value in numbers.items())


def _written(one: Outcome) -> Sentence | None:
    if one.method.id == "yarn" and isinstance(one.task.layer.scaling, YaRN):
        return YARN_OF_FILE
    if one.method.id == "dual_chunk" and one.task.chunks is not None:
        return CHUNKS_OF_FILE
    return WRITTEN.get(one.method.id)


def _fields(one: Outcome) -> dict[str, Any]:
    """Numbers of the method, by the name of their field."""
    made = one.rule.remapping or one.rule.scaling
    return {} if made is None else {each.name: getattr(made, each.name) for each in fields(made)}  # type: ignore[arg-type]


def _values(one: Outcome) -> dict[str, Any]:
    """Values for the texts of `WRITTEN`."""
    made = _fields(one)
    return made | {
        # A choice may have the factor that is set from the file.
        "factor": rounded(getattr(one.rule.scaling, "factor", one.task.factor)),
        "slower": rounded(made.get("factor", 1.0)),
        "proportion": rounded(made.get("proportion", 1.0)),
        "alpha": rounded(one.task.alpha),
        "trained": one.task.trained,
        "kind": one.task.layer.rope_type,
        "list": one.rule.list,
    }
