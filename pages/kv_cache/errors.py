"""Cached keys under older frequencies: their angle errors and score errors, one key followed."""

import math
from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

import torch
from torch import Tensor

from plots.lines import Mark, Series
from posenc.cache.picture import StaleKeys
from posenc.cache.policy import CachePolicy
from posenc.cache.stale_keys import stale_score_error
from posenc.cache.steps import stale_score_steps
from posenc.quantity.sampling import even_positions
from posenc.quantity.step import Step
from posenc.scaling import Scaling
from posenc.words import say
from ui import controls, screen
from ui.charts.component import Cell
from ui.charts.matrix import Shown
from ui.charts.points import CurvePoint, Point
from ui.links.models import ConfigLinks
from ui.words import _, translate

KEYS = 512
CACHES = {
    "on_write": say("on write"),
    "on_read": say("on read"),
    "recomputed": say("recomputed"),
}
"""When keys are rotated."""
HOW = {
    "on_write": say("rotated on write"),
    "on_read": say("rotated on read"),
    "recomputed": say("computed again"),
}
NONE_WRONG = {
    "on_write": say("**No cached key is turned wrongly.**"),
    "on_read": say("**No cached key is turned wrongly**, because all are rotated on read."),
    "recomputed": say("**No cached key is turned wrongly**, because all are computed again."),
}
MOST_DECODED = 8192
NOISE = math.sqrt(2)
"""Score error of keys whose angles are independent of the right ones."""


def prompt(default: int) -> Any:
    """Tokens of the prompt."""
    help = say("Tokens that are read in one pass.")
    return controls.entry(controls.number, say("Prompt"), default, 1, 2**20, step=1024, help=help)


def decoded(default: int) -> Any:
    """Tokens decoded since."""
    help = say("Tokens that are written one by one after the prompt.")
    return controls.entry(
        controls.slider, say("Tokens decoded"), default, 0, MOST_DECODED, step=1, help=help
    )


@dataclass(frozen=True, kw_only=True)
class GrowingSettings:
    """How far a text has come, and what is cached of it."""

    prompt: int = prompt(4096)
    decoded: int = decoded(2048)
    cache: CachePolicy = controls.entry(
        controls.choice,
        say("Keys are rotated"),
        CACHES,
        help=say(
            "On write: before they are cached. On read: keys are cached as they are, and all of "
            "them are rotated at every step. Recomputed: the whole text is run again when the "
            "frequencies change."
        ),
    )

    @property
    @abstractmethod
    def frequencies(self) -> tuple[Scaling, int, float]:
        """The scaling, the width of the head and the base."""

    @property
    def width(self) -> int:
        return self.frequencies[1]

    @property
    def length(self) -> int:
        return self.prompt + self.decoded

    def stale(self, cache: CachePolicy | None = None) -> StaleKeys:
        """The angle errors of this moment."""
        scaling, width, base = self.frequencies
        return StaleKeys(scaling, width, base, self.prompt, self.length, cache or self.cache)

    def config_links(self, trained: int) -> ConfigLinks:
        """Ways to known models with these frequencies."""
        _scaling, width, base = self.frequencies
        return ConfigLinks(width, base, trained, self.length)

    @property
    def keys(self) -> Tensor:
        """Some positions of cached keys, evenly spread."""
        return even_positions(self.length, KEYS)

    def score_errors(self, cache: CachePolicy | None = None) -> Tensor:
        """Errors of the keys at `keys`, in units of the score's usual size."""
        return stale_score_error(self.stale(cache).at(self.keys, torch.arange(self.width // 2)))


def errors_in_words(s: GrowingSettings) -> str:
    """The errors at this moment, in Markdown."""
    errors = s.score_errors()
    largest = float(s.stale().at(s.keys, torch.arange(s.width // 2)).max())
    if largest == 0:
        return translate(NONE_WRONG[s.cache])
    return _(
        "Cached keys are off by up to **{angle:.3g} rad**, and their scores by **{share}** of a "
        "score's usual size on average (141% is noise).",
        angle=largest,
        share=percent(errors.mean()),
    )


def percent(share: Tensor) -> str:
    """A share of one, in words."""
    return _("{percent:.0f}%", percent=100 * float(share))


def followed_key(clicked: Cell, now: Point) -> Point:
    """The key that was clicked on the curve, in the pair that is followed."""
    return round(clicked.x), now[1]


def errors(
    s: GrowingSettings,
    program: Mapping[str, Any],
    name: str = "",
    score_program: Mapping[str, Any] | None = None,
) -> screen.ColumnFigure:
    """Angle errors and score errors; one key is followed in both."""
    angles = screen.MatrixFigure(
        key="angle_errors",
        quantity=s.stale(),
        title=_(
            "Angle error of the cached keys, {how}, at {length:,} tokens",
            how=HOW[s.cache],
            length=s.length,
        ),
        alt=_("Heatmap of the angle error of each pair of each cached key"),
        cell=(min(4000, s.length - 1), min(40, s.width // 2 - 1)),
        table=say("angle errors"),
        settings=program,
        program=name,
        height=430,
        z_range=(0.0, math.pi),
        clicks={"score_errors": followed_key},
        caption=_("The brightest colour stands for π or more: half a turn, or further round."),
    )
    return screen.ColumnFigure(figures=[angles, partial(score_errors, s, score_program)])


def score_errors(
    s: GrowingSettings, program: Mapping[str, Any] | None, shown: Shown
) -> screen.LinesFigure:
    key = shown.cell[0]
    return screen.LinesFigure(
        key="score_errors",
        alt=_("Curve of the score error against the position of the cached key"),
        x=s.keys,
        series=[Series(_("score error"), s.score_errors(), marker="")],
        title=_("Error of a score against the position of its key"),
        x_title=_("position n of the cached key"),
        y_title=_("error ÷ size of a score"),
        y_range=(0.0, 2.0),
        marks=[Mark("y", NOISE, _("noise"), left=True), Mark("x", s.prompt, _("prompt ends"))],
        steps=lambda _curve, key: score_steps(s, key),
        point=CurvePoint(0, key, _("key {key:,}", key=key)),
        x_name=_("key"),
        table=say("score errors"),
        settings=program,
        height=320,
        rev=f"{s.length}",
        caption=_(
            "The error is the root mean square over queries and keys of independent normal numbers "
            "in one layer, whose right score has size 1."
        ),
    )


def score_steps(s: GrowingSettings, key: int) -> tuple[Step, ...]:
    phase = s.stale().at(torch.tensor([key]), torch.arange(s.width // 2))[0]
    return stale_score_steps(phase, stale_score_error(phase).item())
