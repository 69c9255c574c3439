"""Effects of a method on a task in numbers: new angles, and the price paid on short prompts."""

from collections.abc import Collection
from dataclasses import dataclass, replace

import torch
from torch import Tensor

from advisor.comparing.task import Rule, Task
from posenc.quantity.sampling import even_positions
from posenc.reading.formula import Reading, neighbour_change, rms_change
from posenc.scaling.coverage import AngleCoverage, smallest_covering
from posenc.scaling.dynamic import DynamicNTK
from posenc.scaling.methods import METHODS, Method
from posenc.scaling.ntk import NTK

COST_POINTS = 256


@dataclass(frozen=True)
class Outcome:
    """One method on one task."""

    method: Method
    task: Task
    rule: Rule
    reading: Reading
    """At the target length."""
    coverage: AngleCoverage
    smallest: float | None
    """The smallest value of the method's knob that leaves no pair with new angles, if any does."""
    short_cost: float
    """Root mean square over the distances of a prompt of how far its logits move, in standard
    deviations of a random logit."""
    turned_cost: float
    """The part of it that is left without the factors on the scores."""

    @property
    def slowed(self) -> Tensor:
        """How much each pair is slowed, plain θ / scaled θ, float64 (pairs,); infinite at rest."""
        return self.task.frequencies(self.task.unscaled, None)[0] / self.reading.inv_freq

    @property
    def base(self) -> float:
        """The base of the frequencies: a larger one for the methods that change it."""
        scaling = self.rule.scaling
        pairs = len(self.reading.inv_freq)
        base = self.task.layer.base
        if isinstance(scaling, NTK):
            return scaling.new_base(pairs, base)
        if isinstance(scaling, DynamicNTK):
            return scaling.new_base(pairs, base, self.rule.scaling_length(self.task.target))
        return base

    @property
    def resolution(self) -> float:
        """How far neighbouring tokens are apart, as a share of what training has shown."""
        one = torch.tensor([1])
        task = self.task
        trained = task.trained_reading(task.shown)
        before = neighbour_change(trained, one, max(task.shown, 3), width=task.width)
        after = neighbour_change(self.reading, one, task.target, width=task.width)
        shares = (after / self.reading.gain) / (before / trained.gain)
        return float(shares.nan_to_num(1.0, 1.0, 1.0))

    @property
    def gain(self) -> float:
        """Factor on all logits, relative to the one that training has shown."""
        before = self.task.trained_reading(self.task.shown).gain
        return self.reading.gain / before if before else 1.0

    @property
    def changed(self) -> "Slowing":
        """Changes to the frequencies that training has shown."""
        return Slowing.of(
            self.task.trained_reading(self.task.shown).inv_freq, self.reading.inv_freq
        )


@dataclass(frozen=True)
class Slowing:
    """Changes to the frequencies of training.

    Attributes:
        woken: Pairs that turn and were at rest in training.
        stopped: Pairs at rest that turned in training.
        turning: Pairs that turn.
        kept: Turning pairs that are as they were.
        least: By how much the least slowed pair is slowed; below 1 it turns faster.
        most: The same of the most slowed pair.
    """

    woken: int
    stopped: int
    turning: int
    kept: int
    least: float
    most: float

    @classmethod
    def of(cls, before: Tensor, after: Tensor) -> "Slowing":
        """From the frequencies of training to those of a method, both (pairs,)."""
        slowed = (before / after)[after > 0]
        return cls(
            woken=int(((before == 0) & (after > 0)).sum()),
            stopped=int(((before > 0) & (after == 0)).sum()),
            turning=len(slowed),
            kept=int(((slowed - 1).abs() < 1e-9).sum()),
            least=float(slowed.min()) if len(slowed) else 1.0,
            most=float(slowed.max()) if len(slowed) else 1.0,
        )


def compare(names: Collection[str], task: Task) -> tuple[list[Outcome], dict[str, str]]:
    """Work out the named methods.

    Args:
        names: Ids of `METHODS`.
        task: What is to be read.

    Returns:
        The outcomes in the order of `METHODS`; and for the methods that do not fit this model, by
        id, why.

    Raises:
        ValueError: If no method is named, or none fits.
    """
    if not names:
        raise ValueError("Choose at least one method.")
    outcomes = []
    refused = {}
    for name in (known for known in METHODS if known in names):
        try:
            outcomes.append(outcome(METHODS[name], task))
        except ValueError as error:
            refused[name] = str(error)
    if not outcomes:
        raise ValueError(f"No chosen method fits this model: {' '.join(refused.values())}")
    return outcomes, refused


def outcome(method: Method, task: Task) -> Outcome:
    """Work out one method.

    Raises:
        ValueError: If it does not fit the layers of the task.
    """
    rule = task.rule(method)
    reading = task.reading(rule, task.target)
    trained = task.trained_reading(task.shown).inv_freq
    return Outcome(
        method=method,
        task=task,
        rule=rule,
        reading=reading,
        coverage=reading.coverage(trained, task.shown, task.target),
        smallest=_smallest(method, rule, task, trained),
        short_cost=cost(rule, task, task.prompt),
        turned_cost=cost(rule, task, task.prompt, with_factors=False),
    )


def cost(rule: Rule, task: Task, length: int, with_factors: bool = True) -> float:
    """How far the rule moves the logits of a text: root mean square over its distances."""
    before = task.trained_reading(length)
    after = task.reading(rule, length)
    if not with_factors:
        before, after = (
            replace(one, attention_factor=1.0, softmax_multiplier=1.0) for one in (before, after)
        )
    return rms_change(before, after, cost_distances(length), length, width=task.width)


def cost_distances(length: int) -> Tensor:
    """Distances over which `cost` averages."""
    return even_positions(length, COST_POINTS)


def _smallest(method: Method, rule: Rule, task: Task, trained: Tensor) -> float | None:
    if not task.knob(method):
        return None

    def scaled(value: float) -> Tensor:
        return task.frequencies(task.turned(method, value), rule.scaling_length(task.target))[0]

    return smallest_covering(scaled, trained, task.shown, task.target)
