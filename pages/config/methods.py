"""The methods that the Scaling studio compares on a model's own configuration."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from torch import Tensor

from posenc import (
    NTK,
    DualChunk,
    DynamicNTK,
    LeakyReRoPE,
    Linear,
    Llama3,
    LongRoPE,
    NTKByParts,
    Proportional,
    ReRoPE,
    Scaling,
    SelfExtend,
    YaRN,
    angle_coverage,
)
from posenc.quantity.sampling import even_positions
from posenc.reading.coverage import AngleCoverage, smallest_covering
from posenc.reading.formula import Reading, rms_change
from posenc.scaling.yarn import yarn_mscale
from ui.controls.task import Rule, Task, number, reading_of

WIDEST = 4096  # pairs that a curve can show
COST_POINTS = 256


def _declared(t: Task) -> Rule:
    scaling, words = t.layer.scaling, f"type {t.layer.rope_type}, from the file"
    if not isinstance(scaling, Linear | YaRN | Llama3 | DynamicNTK):
        return Rule(scaling, words)
    symbol = "α" if isinstance(scaling, DynamicNTK) else "k"
    return Rule(scaling, words, knob=(symbol, lambda value: replace(scaling, factor=value)))


def _factor(t: Task, make: Callable[[float], Scaling], more: str = "") -> Rule:
    return Rule(make(t.factor), f"k = {number(t.factor)}{more}", knob=("k", make))


def _alpha(t: Task, make: Callable[[float], Scaling], more: str) -> Rule:
    return Rule(make(t.alpha), f"α = {number(t.alpha)}{more}", knob=("α", make))


def _yarn(t: Task) -> Rule:
    own = t.layer.scaling
    if isinstance(own, YaRN):
        kept = replace(own, original_length=t.trained, attention_factor=None)
        return _factor(t, lambda k: replace(kept, factor=k), f", L₀ = {t.trained:,}, file's bounds")
    return _factor(t, lambda k: YaRN(k, t.trained), f", L₀ = {t.trained:,}, 32 and 1 turns")


def _paper_yarn(t: Task) -> Rule:
    def make(k: float) -> Scaling:
        return NTKByParts(k, t.trained, attention_factor=yarn_mscale(k))

    return _factor(t, make, f", L₀ = {t.trained:,}, 1 and 32 turns")


def _list(t: Task, which: str) -> Rule:
    if not isinstance(t.layer.scaling, LongRoPE):
        raise ValueError("short_factor and long_factor must be in the file, which has neither.")
    return Rule(t.layer.scaling, f"{which}_factor of the file at every length", list=which)


def _proportional(t: Task) -> Rule:
    plain = t.frequencies(None, None)[0]
    turned = angle_coverage(plain, t.trained, t.trained).full_turn
    share = float(turned.sum()) / len(turned)
    return Rule(
        Proportional(share),
        f"p = {number(share)}, the pairs that made a full turn within L₀; the others stop",
    )


def _self_extend(t: Task) -> Rule:
    group = max(1, math.ceil((t.target - t.window) / (t.shown - t.window)))
    remapping = SelfExtend(t.window, group)
    return Rule(t.own_scaling, f"W = {t.window:,}, groups of G = {group:,}", remapping)


def _leaky(t: Task) -> Rule:
    slower = max(1.0, (t.target - 1 - t.window) / max(t.shown - 1 - t.window, 1))
    words = f"w = {t.window:,}, k = {number(slower)} beyond"
    return Rule(t.own_scaling, words, LeakyReRoPE(t.window, slower))


def _dual_chunk(t: Task) -> Rule:
    chunks, source = t.chunks, "from the file"
    if chunks is None:
        chunks = DualChunk(max(1, t.shown * 3 // 4), max(1, t.shown // 8))
        source = "3/4 and 1/8 of the trained length"
    words = f"c = {chunks.chunk_length:,}, w = {chunks.local_window:,}, {source}"
    return Rule(t.own_scaling, words, chunks)


# Name: what it makes of the task. A new method is one more line here and one in STYLES.
METHODS: dict[str, Callable[[Task], Rule]] = {
    "as declared": _declared,
    "none": lambda t: Rule(t.unscaled, "nothing to set"),
    "linear": lambda t: _factor(t, Linear),
    "NTK-aware": lambda t: _factor(t, NTK),
    "NTK base": lambda t: _factor(t, lambda k: NTK(k, "base")),
    "NTK fixed": lambda t: _factor(t, lambda k: NTK(k, "fixed")),
    "NTK mixed": lambda t: _factor(t, lambda k: NTK(k, "mixed")),
    "NTK alpha": lambda t: _alpha(
        t, lambda alpha: NTK(t.factor, alpha=alpha), f", k = {number(t.factor)}"
    ),
    "dynamic NTK": lambda t: _alpha(
        t, lambda alpha: DynamicNTK(alpha, t.trained), f", L₀ = {t.trained:,}, by the text's length"
    ),
    "NTK-by-parts": lambda t: _factor(
        t, lambda k: NTKByParts(k, t.trained), f", L₀ = {t.trained:,}, 1 and 32 turns"
    ),
    "YaRN (paper)": _paper_yarn,
    "YaRN": _yarn,
    "LongRoPE short list": lambda t: _list(t, "short"),
    "LongRoPE long list": lambda t: _list(t, "long"),
    "Llama-3": lambda t: _factor(
        t,
        lambda k: Llama3(k, original_length=t.trained),
        f", L₀ = {t.trained:,}, 1 and 4 turns",
    ),
    "proportional": _proportional,
    "Self-Extend": _self_extend,
    "ReRoPE": lambda t: Rule(t.own_scaling, f"w = {t.window:,}", ReRoPE(t.window)),
    "Leaky ReRoPE": _leaky,
    "Dual Chunk": _dual_chunk,
}


@dataclass(frozen=True)
class Method:
    """One method on one task."""

    name: str
    rule: Rule
    reading: Reading
    """At the target length."""
    coverage: AngleCoverage
    smallest: float | None
    """The smallest value of the rule's knob that leaves no pair with new angles, if any does."""
    short_cost: float
    """Root mean square over the distances of a prompt of how far its logits move, in standard
    deviations of a random logit."""
    turned_cost: float
    """The part of it that is left without the factors on the scores."""


def compare(names: Sequence[str], task: Task) -> tuple[list[Method], dict[str, str]]:
    """Work out the named methods.

    Args:
        names: Keys of METHODS.
        task: What is to be read.

    Returns:
        The methods in the order of METHODS; and for those that do not fit this model, why.

    Raises:
        ValueError: If no method is named, none fits, or a head is wider than a curve.
    """
    if not names:
        raise ValueError("Choose at least one method.")
    if task.layer.rotary_dim > 2 * WIDEST:
        raise ValueError(
            f"head_dim must leave 1 to {WIDEST} numbers per curve, one for each pair; "
            f"got {task.layer.rotary_dim // 2}."
        )
    methods, refused = [], {}
    for name in (known for known in METHODS if known in names):
        try:
            methods.append(_method(name, task))
        except ValueError as error:
            refused[name] = str(error)
    if not methods:
        raise ValueError("No chosen method fits this model: " + " ".join(refused.values()))
    return methods, refused


def _method(name: str, task: Task) -> Method:
    rule = METHODS[name](task)
    reading = reading_of(rule, task, task.target)
    trained = task.trained_reading(task.shown).inv_freq
    coverage = reading.coverage(trained, task.shown, task.target)
    return Method(
        name=name,
        rule=rule,
        reading=reading,
        coverage=coverage,
        smallest=_smallest(rule, task, trained),
        short_cost=cost(rule, task, task.prompt),
        turned_cost=cost(rule, task, task.prompt, with_factors=False),
    )


def cost(rule: Rule, task: Task, length: int, with_factors: bool = True) -> float:
    """How far the rule moves the logits of a text: root mean square over its distances."""
    distances = cost_distances(length)
    before, after = task.trained_reading(length), reading_of(rule, task, length)
    if not with_factors:
        before, after = (
            replace(one, attention_factor=1.0, softmax_multiplier=1.0) for one in (before, after)
        )
    return rms_change(before, after, distances, length, width=task.width)


def cost_distances(length: int) -> Tensor:
    """Distances over which `cost` averages."""
    return even_positions(length, COST_POINTS)


def _smallest(rule: Rule, task: Task, trained: Tensor) -> float | None:
    if rule.knob is None:
        return None
    make = rule.knob[1]

    def scaled(value: float) -> Tensor:
        return task.frequencies(make(value), rule.told(task.target))[0]

    return smallest_covering(scaled, trained, task.shown, task.target)
