"""A text that is stretched past the trained length, and what each method does to every clock.

Beside it stands what a real model lost at each position, where that was measured.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd
from torch import Tensor

from advisor.comparing.outcome import Outcome, compare
from advisor.comparing.steps import coverage_steps
from advisor.comparing.task import Task
from models.results.losses import Bits, bits
from models.results.tables import SLIDE, Measured, Way, load, usual_length, way
from pages.scaling.settings import TaskSettings
from plots.figure import Figure
from plots.looks import look
from posenc.scaling.coverage import last_shown_angle
from posenc.scaling.methods import METHODS
from posenc.words import say
from ui import controls, screen
from ui.charts.methods import title
from ui.charts.moving import reported
from ui.charts.pairs import Pairs
from ui.charts.points import Coordinate, PointField
from ui.words import _, plural

KEY = "stretch"
PAIR = "stretch_pair"
AT = ("times", "factor", "method")
SHOWN = ("none", "linear", "ntk", "yarn")
FACTORS = (2.0, 4.0, 8.0)
CLOCKS = 8
MOST_TIMES = 64
TICKS = 8  # steps of the text's end within one trained length
HEIGHT = 540
WORDS = {
    "method": say("Read with"),
    "factor": say("Factor"),
    "end": say("End of the text"),
    "endAt": say("{length} tokens, {times} times the trained length"),
    "text": say("the text"),
    "clocks": say("what each pair reads"),
    "turns": say("turns: {turns}"),
    "pair": say("pair {pair}"),
    "clock": say(
        "Pair {pair}: training turned it by up to {seen} radians, this text turns it by up to "
        "{reached}; the marks are squeezed {slowed} times."
    ),
    "clockNew": say(
        "Pair {pair}: training turned it by up to {seen} radians, this text turns it by up to "
        "{reached}, which is new; the marks are squeezed {slowed} times."
    ),
    "all": say("all {pairs} pairs, fast to slow"),
    "lengthNow": say("{length} tokens = {times} × {trained}"),
    "newCount": say("new angles: {count} of {pairs} pairs"),
    "plain": say(
        "The text is {times} times as long as any in training, and every pair reads each mark "
        "where it stands."
    ),
    "short": say("The text is as long as those of training."),
    "kept": say(
        "With {method}, the marks of the fastest pair stay where they stand, and those of the "
        "slowest are squeezed {slow} times."
    ),
    "same": say("With {method}, the marks of every pair are squeezed {slow} times."),
    "both": say(
        "With {method}, the marks of the fastest pair are squeezed {fast} times and those of the "
        "slowest {slow} times."
    ),
    "new": say(
        "Red: pairs that are turned further than training has shown and made no full turn in "
        "training. They are {count} of {pairs}."
    ),
    "covered": say("No pair meets an angle that training has not shown."),
    "lossTitle": say("Measured: {model}"),
    "lossAxis": say("bits per token, by position"),
    "lossBand": say("{texts}; the band: how far they differ"),
    "asTrained": say("as trained"),
    "window": say("sliding window"),
    "ends": say("the text ends"),
    "absent": say("{way}: not measured"),
    "unmeasured": say("Not measured: {way} in texts this long."),
    "unmeasuredBut": say("Not measured: {way} in texts this long. Measured: {ways}."),
    "behind": say("These measurements end at position {end}."),
    "lost": say(
        "Measured on {model} in {texts}: from position {trained} to {end} a token costs {bits} "
        "bits with {way}, {plain} as trained. The sliding window costs {window}; the difference to "
        "the window is {gain}, from {low} to {high} in these texts."
    ),
    "lostPlain": say(
        "Measured on {model} in {texts}: from position {trained} to {end} a token costs {plain} "
        "bits as trained. The sliding window costs {window}."
    ),
}
"""Interface words of the browser side, by its names for them."""


def offered(s: Any) -> list[str]:
    """The methods of the switch; NTK has no larger base for a single pair."""
    return [name for name in SHOWN if name != "ntk" or (s.rotary_dim or s.head_dim) > 2]


@dataclass(frozen=True, kw_only=True)
class TextSettings:
    times: float = controls.entry(
        controls.number,
        say("Text, in trained lengths"),
        4.0,
        1.0,
        float(MOST_TIMES),
        step=1 / TICKS,
        help=say("The text has this many times L₀ tokens; drag its end in the picture."),
    )


@dataclass(frozen=True, kw_only=True)
class Settings(TaskSettings, TextSettings):
    """Settings of the picture, but for the pair that is followed."""

    method: str = controls.entry(
        controls.held, say("Read with"), lambda s: {name: title(name) for name in offered(s)}
    )

    @property
    def task(self) -> Task:
        """The text, which need not be as long as the factor reaches."""
        length = round(self.times * self.train_length)
        return Task(self.layer, self.train_length, length, self.factor)


@dataclass(frozen=True)
class Turned:
    """The frequencies that one method has with one factor."""

    method: str
    factor: float
    inv_freq: Tensor


def hear() -> None:
    """Copy what the picture has reported into the controls, before they are drawn."""
    report = reported(KEY)
    for key, most in (("times", MOST_TIMES), ("factor", 1024)):
        if isinstance(value := report.get(key), int | float) and 1 <= value <= most:
            controls.put(key, float(value))
    if report.get("method") in SHOWN:
        controls.put("method", report["method"])
    if isinstance(pair := report.get("pair"), int):
        controls.put(PAIR, str(pair))


def picture(s: Settings) -> screen.Picture:
    """The text as each pair reads it; one pair is followed."""
    (one,), _refused = compare([s.method], s.task)
    pairs = len(one.reading.inv_freq)
    captions = [
        _(
            "Above, the text with marks at equal steps; the trained length is shaded. A line below "
            "is what one pair reads: its marks stand where the trained pair would be turned as "
            "far. On a dial the shade is every angle between two words that training showed, and "
            "the wedge every angle of this text; beside it stands how many turns the pair made in "
            "training. {clocks} pairs are drawn, evenly chosen.",
            clocks=min(CLOCKS, pairs),
        )
    ]
    if s.train_length != (theirs := load().about.trained):
        captions.append(
            _(
                "The pairs are those of a model trained at {trained:,} tokens, the curve is of one "
                "trained at {theirs:,}.",
                trained=s.train_length,
                theirs=theirs,
            )
        )
    moving = screen.MovingFigure(
        key=KEY,
        alt=_(
            "A text of {length:,} tokens over the trained length of {trained:,}, what {clocks} "
            "clocks read of it, and what a real model lost at each position",
            length=s.task.target,
            trained=s.train_length,
            clocks=min(CLOCKS, pairs),
        ),
        words=WORDS,
        data=lambda point: drawn(s) | {"at": screen.only(s, *AT) | {"pair": point[0]}},
        still=lambda _point: curves(one),
        height=HEIGHT,
        field=PointField(
            PAIR, say("clock"), (Coordinate(_("pair"), range(pairs)),), (pairs - 1,), {}, width=160
        ),
        steps=lambda point: coverage_steps(one, point[0]).unseen_percent(),
        captions=captions,
        tables=lambda: tables(one),
    )
    return screen.Picture(figures=[moving, s.config_links], code=program(one))


def frequencies(s: Settings) -> list[Turned]:
    """Every method of the switch with every factor that it offers; some fit no single pair."""
    found = []
    for factor in sorted({*FACTORS, s.factor}):
        task = replace(s.task, factor=factor)
        for name in offered(s):
            scaling = METHODS[name].scaling(task.case)
            found.append(Turned(name, factor, s.task.frequencies(scaling, None)[0]))
    return found


def drawn(s: Settings) -> dict[str, Any]:
    """The frequencies of every method and factor, which go to the browser once."""
    plain = s.task.frequencies(None, None)[0]
    return {
        "trained": s.train_length,
        "ends": ends_at(s.times),
        "ticks": TICKS,
        "most": MOST_TIMES,
        "clocks": clocks(len(plain)),
        "theta": plain.tolist(),
        "limit": last_shown_angle(plain, s.train_length).clamp(max=1e300).tolist(),
        "methods": [
            {"id": name, "label": title(name), "color": look(name).color} for name in offered(s)
        ],
        "ways": [
            {"method": way.method, "factor": way.factor, "theta": way.inv_freq.tolist()}
            for way in frequencies(s)
        ],
        "measured": losses(load()),
    }


def clocks(pairs: int) -> list[int]:
    """The pairs that get a dial, fastest first."""
    return np.linspace(0, pairs - 1, min(CLOCKS, pairs)).round().astype(int).tolist()


def ends_at(times: float) -> int:
    """Where the picture ends, in trained lengths: a power of two, so that it seldom changes."""
    return max(8, 2 ** int(np.ceil(np.log2(times))))


def losses(measured: Measured) -> dict[str, Any]:
    """The real model's loss by position in long texts, in every way that was measured."""
    length = usual_length(measured.losses)
    its = measured.about
    there = dict.fromkeys(way(row) for row in measured.losses if row["length"] == length)
    found = bits(measured, length, [one for one in there if one.method in (*SHOWN, SLIDE.method)])
    texts = len(found.texts)
    return {
        "title": its.title,
        "texts": plural("{count} text", "{count} texts", texts),
        "trained": its.trained,
        "end": length,
        "middle": found.middle.tolist(),
        "ways": [loss_of(found, one, its.trained, length) for one in found.of],
    }


def loss_of(found: Bits, one: Way, trained: int, end: int) -> dict[str, Any]:
    """One curve with the range of its difference to the window, and its mean beyond L₀."""
    paired = found.less(one, SLIDE)
    gain = found.gain(one, SLIDE, trained, end)
    mean = found.of[one].mean(0)
    return {
        "method": one.method,
        "factor": one.factor,
        "mean": mean.tolist(),
        "low": (mean - paired.mean + paired.low).tolist(),
        "high": (mean - paired.mean + paired.high).tolist(),
        "behind": float(found.between(one, trained, end).mean()),
        "gain": float(gain.mean),
        "gainLow": float(gain.low),
        "gainHigh": float(gain.high),
    }


def curves(one: Outcome) -> Figure:
    """How far each pair turns as a figure that stands still: for the file of pictures."""
    pairs = Pairs([one], one.task.trained, {"settings": None})
    return pairs.turns((0, 0), KEY).drawing()


def tables(one: Outcome) -> Mapping[str, pd.DataFrame]:
    """The clocks pair by pair, and the losses of the real model, as tables."""
    its = one.coverage
    pairs = {
        _("seen (radians)"): its.seen.numpy(),
        _("reached (radians)"): its.reached.numpy(),
        _("marks squeezed"): one.slowed.numpy(),
        _("new angles"): its.is_new.numpy(),
    }
    measured = losses(load())
    lost = {way_title(way): np.array(way["mean"]) for way in measured["ways"]}
    return {
        _("pairs"): screen.curve_frame(_("pair"), range(len(its.seen)), pairs),
        _("loss by position"): screen.curve_frame(_("position"), measured["middle"], lost),
    }


def way_title(way: Mapping[str, Any]) -> str:
    """A measured way in words."""
    if way["method"] == SLIDE.method:
        return _("sliding window")
    return _("{method} ×{factor:g}", method=title(way["method"]), factor=way["factor"])


def program(one: Outcome) -> str:
    """The angles of all pairs, by posenc alone."""
    layer = one.task.layer
    task = one.task
    return (
        f"scaling = {one.rule.scaling!r}\n"
        f"plain, _ = rope_inv_freq({layer.rotary_dim}, {layer.base})\n"
        f"scaled, _ = rope_inv_freq({layer.rotary_dim}, {layer.base}, scaling, {task.target})\n"
        f"coverage = angle_coverage(plain, {task.trained}, {task.target}, scaled=scaled)\n"
        "values = torch.stack([coverage.seen, coverage.reached])\n"
        'print(values, int(coverage.is_new.sum()), "pairs meet new angles")\n'
    )
