"""Pictures over the pairs, as two screens show them: wavelengths, and angles never seen before."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from torch import Tensor

from advisor.comparing.outcome import Outcome
from advisor.comparing.steps import coverage_steps, divisor_step, wavelength_steps
from plots.lines import Mark
from plots.names import name_curves
from posenc.quantity.step import Step
from posenc.study import rope_wavelengths
from posenc.words import say
from ui.charts.methods import Name, finite, names, over_pairs, shade_beyond, with_factors
from ui.charts.points import CurvePoint
from ui.screen.figures.points import LinesFigure
from ui.words import _, number

CIRCLE = 2 * math.pi


@dataclass(frozen=True)
class Pairs:
    """Methods over the pairs of a head.

    Attributes:
        outcomes: Effects of the methods.
        trained: Tokens that training has shown.
        programs: Settings and parts of the figures' programs.
        model: A model with these sizes, for titles; "" where there is none.
    """

    outcomes: Sequence[Outcome]
    trained: int
    programs: Mapping[str, Any]
    model: str = ""

    @property
    def target(self) -> int:
        """Tokens to read, at the first factor."""
        return self.outcomes[0].task.target

    def wavelengths(
        self, label: str | None = None, point: CurvePoint | None = None, **more: Any
    ) -> LinesFigure:
        """Wavelength of each pair.

        Args:
            label: Of wavelengths beyond training.
            point: What another figure follows; None where this one leads.
            more: Further fields of the figure.
        """
        waves = self._each(lambda one: finite(rope_wavelengths(one.reading.inv_freq)))
        *lower, target = sorted({one.task.target for one in self.outcomes})
        words = _("target length {length:,}", length=target)
        if lower:
            words = _("target lengths {first:,} and {second:,}", first=lower[0], second=target)
        return over_pairs(
            waves,
            key="wavelengths",
            title=self._of(_("Wavelength of each pair")),
            y_title=_("positions for a full turn λᵢ"),
            marks=[Mark("y", target, words, left=True), *(Mark("y", one) for one in lower)],
            finish=lambda drawn: shade_beyond(drawn, self.trained, target, waves, label),
            alt=_("Curves of the wavelength over the pairs, one for each method"),
            steps=lambda method, pair: wavelength_steps(self.outcomes[method], pair)[
                slice(None) if point is None else slice(-1, None)
            ],
            point=self._start(1 / 2) if point is None else point,
            table=say("wavelengths"),
            **{**self.programs, **more},
        )

    def frequencies(self, point: CurvePoint) -> LinesFigure:
        """Frequency of each pair."""
        return over_pairs(
            self._each(lambda one: finite(one.reading.inv_freq)),
            key="frequencies",
            title=self._of(_("Frequency of each pair")),
            y_title=_("θᵢ (radians per position)"),
            alt=_("Curves of the frequency over the pairs, one for each method"),
            steps=lambda method, pair: wavelength_steps(self.outcomes[method], pair)[-2:-1],
            point=point,
            table=say("frequencies"),
            height=360,
            **self.programs,
        )

    def slowed(
        self, key: str, table: str, point: CurvePoint | None = None, **more: Any
    ) -> LinesFigure:
        """How much each pair is slowed; arguments as in `wavelengths`."""

        def steps(method: int, pair: int) -> tuple[Step, ...]:
            before = wavelength_steps(self.outcomes[method], pair)[:-1] if point is None else ()
            return (*before, divisor_step(self.outcomes[method], pair))

        return over_pairs(
            self._each(lambda one: finite(one.slowed)),
            key=key,
            title=self._of(_("How much each pair is slowed")),
            y_title=_("unscaled θᵢ / scaled θᵢ"),
            alt=_("Curves over the pairs, one for each method: how much it slows each"),
            steps=steps,
            point=self._start(1 / 2) if point is None else point,
            table=table,
            finish=lambda drawn: with_factors(name_curves(drawn), self._factors),
            **{**self.programs, **more},
        )

    def unseen(self, shared: Sequence[str]) -> LinesFigure:
        """Part of the circle that the target length reaches and training never showed."""
        unseen = self._each(lambda one: 100 * (one.coverage.unseen / CIRCLE))
        top = max(5.0, *(1.05 * float(curve.max()) for curve in unseen.values()))

        def steps(method: int, pair: int) -> tuple[Step, ...]:
            if method == len(self.outcomes):  # seen in training, which `turns` draws
                return ()
            return coverage_steps(self.outcomes[method], pair).unseen_percent()

        return over_pairs(
            unseen,
            key="unseen",
            title=_(
                "Part of the circle that {target:,} tokens reach and training never showed "
                "(analytic)",
                target=self.target,
            ),
            y_title=_("per cent of a turn"),
            log_y=False,
            y_range=(-0.02 * top, top),
            finish=name_curves,
            alt=_("Curves over the pairs, one for each method: the unseen part of the circle"),
            steps=steps,
            point=self._most([*unseen.values()]),
            shared=shared,
            elsewhere=[_("seen in training")],
            table=say("unseen"),
            **self.programs,
        )

    def turns(self, point: CurvePoint | tuple[int, int], key: str) -> LinesFigure:
        """Turns of each pair within the target length, and within training."""
        turns = self._each(lambda one: finite(one.coverage.reached / CIRCLE))
        turns[_("seen in training")] = finite(self.outcomes[0].coverage.seen / CIRCLE)

        def steps(method: int, pair: int) -> tuple[Step, ...]:
            if method == len(self.outcomes):
                return coverage_steps(self.outcomes[0], pair).seen_turns()
            return coverage_steps(self.outcomes[method], pair).reached_turns()

        return over_pairs(
            turns,
            key=key,
            title=_(
                "Turns of each pair within {target:,} tokens, and within the {trained:,} of "
                "training (analytic)",
                target=self.target,
                trained=self.trained,
            ),
            y_title=_("turns"),
            marks=[Mark("y", 1, _("one turn"), left=True)],
            finish=name_curves,
            alt=_("Curves over the pairs, one for each method: turns made, and those of training"),
            steps=steps,
            point=point,
            table=say("turns"),
            **self.programs,
        )

    def _of(self, title: str) -> str:
        """A title that says k, of which sizes, and that nothing was measured."""
        factors = ", ".join(number(k, "g") for k in self._factors)
        if not self.model:
            return _("{title}, k = {factors} (analytic)", title=title, factors=factors)
        return _(
            "{title}, k = {factors}, sizes of {model} (analytic)",
            title=title,
            factors=factors,
            model=self.model,
        )

    @property
    def _factors(self) -> list[float]:
        return sorted({one.task.factor for one in self.outcomes})

    def _each(self, make: Callable[[Outcome], Tensor]) -> dict[Name, Tensor]:
        """A curve for each outcome, by its name."""
        return dict(zip(names(self.outcomes), map(make, self.outcomes), strict=True))

    def _most(self, curves: Sequence[Tensor]) -> tuple[int, int]:
        """The highest point of all; that of a curve in the middle where all are flat."""
        most = max(range(len(curves)), key=lambda index: float(curves[index].max()))
        if float(curves[most].max()) == float(curves[most].min()):
            return self._start(3 / 4)
        return most, int(curves[most].argmax())

    def _start(self, share: float) -> tuple[int, int]:
        """A point of the last method's curve."""
        pairs = len(self.outcomes[0].coverage.turns)
        return len(self.outcomes) - 1, int(pairs * share)
