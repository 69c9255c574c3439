"""The cache of a text that grows past the trained length under dynamic NTK, at a model's size."""

from dataclasses import dataclass, replace
from typing import get_args

import pandas as pd
import torch
from torch import Tensor

from pages.kv_cache.errors import (
    CACHES,
    KEYS,
    MOST_DECODED,
    NOISE,
    GrowingSettings,
    errors,
    errors_in_words,
    percent,
)
from plots.lines import Mark, Series
from posenc.cache.policy import CachePolicy, decode_work
from posenc.cache.stale_keys import stale_score_error
from posenc.cache.steps import stale_mean_steps
from posenc.quantity.sampling import even_positions
from posenc.quantity.step import Step
from posenc.scaling import DynamicNTK
from posenc.scaling.ntk import ntk_base
from posenc.words import say
from ui import controls, screen
from ui.controls import MORE, rope
from ui.words import _, number, translate

STEPS, GROWTH_KEYS = 48, 64
"""Decoding steps on the timeline, keys for each of them."""


@dataclass(frozen=True, kw_only=True)
class Settings(GrowingSettings):
    """A text under dynamic NTK."""

    trained_length: int = controls.entry(
        controls.number,
        say("Trained length L₀"),
        4096,
        1,
        2**20,
        step=1024,
        help=say("The base grows once the text is longer than L₀; 4096 in Llama-2-7B."),
    )
    alpha: float = controls.entry(
        controls.number,
        say("Factor α"),
        2.0,
        1.0,
        64.0,
        help=say("`factor` of the dynamic scaling."),
    )
    rotary_dim: int = controls.entry(
        controls.number,
        say("Head width d"),
        128,
        4,
        512,
        even=True,
        help=say("128 in Llama-2-7B."),
        under=MORE,
    )
    rope_base: float = rope.base(10000.0, under=MORE)

    @property
    def frequencies(self) -> tuple[DynamicNTK, int, float]:
        """The scaling, the width of the head and the base."""
        return DynamicNTK(self.alpha, self.trained_length), self.rotary_dim, self.rope_base


def picture(s: Settings) -> screen.Picture:
    """The angle errors, the score errors, and the work of the three ways."""
    trained = s.trained_length
    now, first = (
        ntk_base(s.width, s.rope_base, max(length, trained) / trained, s.alpha)
        for length in (s.length, s.prompt)
    )
    program = {
        "d": s.width,
        "base": s.rope_base,
        "alpha": s.alpha,
        "trained": trained,
        "prompt": s.prompt,
        "is_stale": s.cache == "on_write",
    }
    at_length = program | {"length": s.length}
    lengths = [s.prompt + n for n in even_positions(MOST_DECODED + 1, STEPS).tolist()]
    return screen.Picture(
        figures=[
            errors(s, at_length, score_program=at_length | {"points": KEYS}),
            timeline(s, program | {"points": GROWTH_KEYS, "lengths": lengths}),
            work(s),
            s.config_links(trained),
        ],
        words=_(
            "At **{length:,} tokens** the base is {base:,.0f}; for the prompt alone it was "
            "{first:,.0f}. {errors}",
            length=s.length,
            base=now,
            first=first,
            errors=errors_in_words(s),
        ),
    )


def timeline(s: Settings, program: dict[str, object]) -> screen.LinesFigure:
    """The mean score error at every step of the decoding."""
    steps = even_positions(MOST_DECODED + 1, STEPS)
    means = [stale_score_error(phases(s, step)).mean() for step in steps.tolist()]
    return screen.LinesFigure(
        key="growth",
        alt=_("Curve of the mean score error against decoded tokens"),
        x=steps,
        series=[Series(_("mean score error"), torch.stack(means), marker="")],
        title=_("Mean score error of the cached keys while the text grows"),
        x_title=_("tokens decoded"),
        y_title=_("error ÷ size of a score"),
        y_range=(0.0, 2.0),
        marks=[Mark("x", s.decoded, _("now")), Mark("y", NOISE, _("noise"), left=True)],
        steps=lambda _curve, step: growth_steps(s, step),
        x_name=_("tokens decoded"),
        point=(0, int(steps[(steps - s.decoded).abs().argmin()])),
        table=say("timeline"),
        settings=program,
        height=300,
    )


def growth_steps(s: Settings, decoded: int) -> tuple[Step, ...]:
    """How the mean at one step of the decoding came about."""
    phase = phases(s, decoded)
    return stale_mean_steps(phase, stale_score_error(phase).mean().item())


def phases(s: Settings, decoded: int) -> Tensor:
    """Angle errors of some of the cached keys after that many decoded tokens."""
    keys = even_positions(s.prompt + decoded, GROWTH_KEYS)
    then = replace(s, decoded=decoded)
    return then.stale().at(keys, torch.arange(s.width // 2))


def work(s: Settings) -> screen.TableFigure:
    """The work of each way of caching, and the errors that it leaves."""
    rows = {}
    for cache in get_args(CachePolicy):
        done = decode_work(cache, s.prompt, s.length, s.trained_length)
        rows[translate(CACHES[cache])] = {
            _("mean score error"): percent(s.score_errors(cache).mean()),
            _("keys rotated since the prompt"): number(done.keys_rotated),
            _("tokens run since the prompt"): number(done.tokens_run),
        }
    return screen.TableFigure(
        name=say("work"),
        frame=pd.DataFrame(rows).T.rename_axis(_("keys are rotated")),
        caption=_(
            "These are the keys of one head. Rotating on read repairs the rotation; in a model of "
            "several layers, the keys of deeper layers were still made from outputs under the "
            "older base."
        ),
    )
