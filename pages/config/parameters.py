"""A method's parameters for a model and a target, in words."""

from collections.abc import Callable
from dataclasses import fields

from posenc import DualChunk, LeakyReRoPE, Proportional, ReRoPE, SelfExtend, YaRN
from posenc.reading.outcome import Outcome
from ui.words import _, rounded


def parameters(one: Outcome) -> str:
    """The parameters of a method as they are set here, and where they come from."""
    write = WRITTEN.get(one.method.id)
    return write(one) if write else _by_field(one)


def _by_field(one: Outcome) -> str:
    """Numbers by name of a method without words of its own."""
    made = one.rule.remapping or one.rule.scaling
    values = {field.name: getattr(made, field.name) for field in fields(made)}  # type: ignore[arg-type]
    numbers = {name: v for name, v in values.items() if isinstance(v, int | float)}
    return ", ".join(f"{name} = {rounded(value)}" for name, value in numbers.items())


def _k(one: Outcome) -> str:
    """The factor that is set, which a choice may have from the file."""
    return rounded(getattr(one.rule.scaling, "factor", one.task.factor))


def _factor(one: Outcome) -> str:
    return f"k = {_k(one)}"


def _ramp(one: Outcome) -> str:
    return _(
        "k = {factor}, L₀ = {trained:,}, 1 and 32 turns",
        factor=_k(one),
        trained=one.task.trained,
    )


def _yarn(one: Outcome) -> str:
    factor = _k(one)
    trained = one.task.trained
    if isinstance(one.task.layer.scaling, YaRN):
        return _("k = {factor}, L₀ = {trained:,}, file's bounds", factor=factor, trained=trained)
    return _("k = {factor}, L₀ = {trained:,}, 32 and 1 turns", factor=factor, trained=trained)


def _no_temperature(one: Outcome) -> str:
    return _(
        "k = {factor}, L₀ = {trained:,}, 32 and 1 turns, A = 1",
        factor=_k(one),
        trained=one.task.trained,
    )


def _llama3(one: Outcome) -> str:
    return _(
        "k = {factor}, L₀ = {trained:,}, 1 and 4 turns",
        factor=_k(one),
        trained=one.task.trained,
    )


def _dynamic(one: Outcome) -> str:
    return _(
        "α = {alpha}, L₀ = {trained:,}, by the text's length",
        alpha=rounded(one.task.alpha),
        trained=one.task.trained,
    )


def _list(one: Outcome) -> str:
    return _("{list}_factor of the file at every length", list=one.rule.list)


def _proportional(one: Outcome) -> str:
    assert isinstance(one.rule.scaling, Proportional)
    return _(
        "p = {share}, the pairs that made a full turn within L₀; the others stop",
        share=rounded(one.rule.scaling.proportion),
    )


def _self_extend(one: Outcome) -> str:
    made = one.rule.remapping
    assert isinstance(made, SelfExtend)
    window = made.window
    group = made.group_size
    return _("W = {window:,}, groups of G = {group:,}", window=window, group=group)


def _rerope(one: Outcome) -> str:
    assert isinstance(one.rule.remapping, ReRoPE)
    return _("w = {window:,}", window=one.rule.remapping.window)


def _leaky(one: Outcome) -> str:
    made = one.rule.remapping
    assert isinstance(made, LeakyReRoPE)
    return _("w = {window:,}, k = {slower} beyond", window=made.window, slower=rounded(made.factor))


def _dual_chunk(one: Outcome) -> str:
    made = one.rule.remapping
    assert isinstance(made, DualChunk)
    sizes = {"chunk": made.chunk_length, "window": made.local_window}
    if one.task.chunks is not None:
        return _("c = {chunk:,}, w = {window:,}, from the file", **sizes)
    return _("c = {chunk:,}, w = {window:,}, 3/4 and 1/8 of the trained length", **sizes)


WRITTEN: dict[str, Callable[[Outcome], str]] = {
    "declared": lambda one: _("type `{kind}`, from the file", kind=one.task.layer.rope_type),
    "none": lambda one: _("nothing to set"),
    "linear": _factor,
    "ntk": _factor,
    "ntk_base": _factor,
    "ntk_fixed": _factor,
    "ntk_mixed": _factor,
    "ntk_alpha": lambda one: f"α = {rounded(one.task.alpha)}, {_factor(one)}",
    "dynamic_ntk": _dynamic,
    "ntk_by_parts": _ramp,
    "yarn_paper": _ramp,
    "yarn": _yarn,
    "yarn_no_temperature": _no_temperature,
    "longrope_short": _list,
    "longrope_long": _list,
    "llama3": _llama3,
    "proportional": _proportional,
    "self_extend": _self_extend,
    "rerope": _rerope,
    "leaky_rerope": _leaky,
    "dual_chunk": _dual_chunk,
}
"""By the id of a method; others are told by their fields."""
