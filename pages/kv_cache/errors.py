"""Cached keys under older frequencies: their angle errors and score errors, one key followed."""

import math
from dataclasses import dataclass

import pandas as pd
import streamlit as st
import torch
from torch import Tensor

from plots.heatmap import heatmap, mark_cell
from plots.lines import Mark, Series, lines
from posenc import Scaling, Step, View, view
from posenc.cache.picture import StaleKeys
from posenc.cache.stale_keys import stale_score_error
from posenc.cache.steps import stale_score_steps
from posenc.quantity.sampling import even_positions
from posenc.words import say
from ui import controls, notebooks, screen
from ui.charts.component import chart, visible_window
from ui.charts.curve import followed_chart
from ui.charts.follow import follow
from ui.charts.matrix import cell_words, drawn_words
from ui.charts.points import CurvePoint, on_click
from ui.words import _, translate

CELLS = (256, 256)
KEYS = 512
"""Cells of the heatmap, keys on a curve."""
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
    "on_write": say("**No cached key is wrong.**"),
    "on_read": say("**No cached key is wrong**, because all are rotated on read."),
    "recomputed": say("**No cached key is wrong**, because all are computed again."),
}
NOISE = math.sqrt(2)
"""Score error of keys whose angles are independent of the right ones."""


@dataclass(frozen=True)
class Timeline:
    """A head, its scaling, and how far the text has come."""

    scaling: Scaling
    head_dim: int
    base: float
    prompt: int
    decoded: int
    cache: str

    @property
    def length(self) -> int:
        """Tokens now."""
        return self.prompt + self.decoded

    def stale(self, cache: str | None = None) -> StaleKeys:
        """The angle errors of this moment."""
        settings = self.scaling, self.head_dim, self.base, self.prompt, self.length
        return StaleKeys(*settings, cache or self.cache)  # type: ignore[arg-type]

    @property
    def keys(self) -> Tensor:
        """Some positions of cached keys, evenly spread."""
        return even_positions(self.length, KEYS)

    def score_errors(self, cache: str | None = None) -> Tensor:
        """Of the keys at `keys`, in units of the score's own size."""
        pairs = torch.arange(self.head_dim // 2)
        return stale_score_error(self.stale(cache).at(self.keys, pairs))


def read_text(prompt: int, decoded: int) -> tuple[int, int, str]:
    """Draw the controls of the text: prompt, tokens decoded since, and what is cached."""
    prompt = controls.number(
        "prompt",
        _("Prompt"),
        prompt,
        1,
        2**20,
        step=1024,
        help=_("Tokens that are read in one pass."),
    )
    decoded = controls.slider(
        "decoded",
        _("Tokens decoded"),
        decoded,
        0,
        8192,
        step=1,
        help=_("Tokens that are written one by one after the prompt."),
    )
    cache = controls.choice(
        "cache",
        _("Keys are rotated"),
        CACHES,
        help=_(
            "On write: before they are cached. On read: keys are cached as they are, and all of "
            "them are rotated at every step. Recomputed: the whole text is run again when the "
            "frequencies change."
        ),
    )
    return prompt, decoded, cache


def errors_in_words(now: Timeline) -> str:
    """What the errors are at this moment, in Markdown."""
    errors = now.score_errors()
    largest = float(now.stale().at(now.keys, torch.arange(now.head_dim // 2)).max())
    if largest == 0:
        return translate(NONE_WRONG[now.cache])
    return _(
        "Cached keys are off by up to **{angle:.3g} rad**, and their scores by **{share}** of a "
        "score's own size on average (141 % is noise).",
        angle=largest,
        share=percent(errors.mean()),
    )


def percent(share: Tensor) -> str:
    """A share of one, in words."""
    return _("{percent:.0f} %", percent=100 * float(share))


def window(now: Timeline) -> tuple[tuple[int, int], tuple[int, int]]:
    """Keys and pairs that the reader has zoomed to; all of them before."""
    zoom = visible_window("angle_errors", f"{now.length}")
    if zoom is None or zoom.whole:
        return (0, now.length), (0, now.head_dim // 2)
    return zoom.rows(now.length), zoom.cols(now.head_dim // 2)


def show_errors(now: Timeline) -> dict[str, pd.DataFrame]:
    """Angle errors and score errors; one key and pair of them is followed in both."""
    picture = st.container()
    key, pair = followed_key()
    with picture:
        seen = show_angles(now, key, pair)
    place = _("key {key:,}, pair {pair}", key=key, pair=pair)
    if key < now.length and pair < now.head_dim // 2:
        drawn = drawn_words(seen, key, pair)
        steps = now.stale().steps(key, pair)
        follow(steps, key="angle_errors", place=place, unit=say("rad"), drawn=drawn)
    else:
        st.caption(_("Not in this picture: {point}.", point=place))
    angles = screen.view_frame(seen)
    scores = show_scores(now, key)
    return {say("angle errors"): angles, say("score errors"): scores}


def followed_key() -> tuple[int, int]:
    """The key and the pair that are followed: clicked on one of both pictures, or typed."""
    on_click("angle_errors", lambda at: {"followed_key": int(at.y), "followed_pair": int(at.x)})
    on_click("score_errors", lambda at: {"followed_key": round(at.x)})
    left, right, _space = st.columns([2, 2, 3])
    with left:
        key = controls.number(
            "followed_key",
            _("Key n"),
            4000,
            0,
            2**21,
            help=_("The cached key that is followed. A click on either picture sets it."),
        )
    with right:
        pair = controls.number(
            "followed_pair",
            _("Pair i"),
            40,
            0,
            255,
            help=_("The pair that is followed; 0 is the fastest. A click on the heatmap sets it."),
        )
    return key, pair


def show_angles(now: Timeline, key: int, pair: int) -> View:
    """Heatmap: which pairs of which keys are lost."""
    rows, cols = window(now)
    seen = view(now.stale(), rows, cols, CELLS)
    notebooks.window("angle_errors", seen)
    figure = heatmap(
        seen.values.numpy(),
        seen.row_edges.numpy(),
        seen.col_edges.numpy(),
        title=_(
            "Angle error of the cached keys, {how}, at {length:,} tokens",
            how=HOW[now.cache],
            length=now.length,
        ),
        x_title=_("pair i, fastest first"),
        y_title=_("position n of the cached key"),
        signed=False,
        unit=_("rad"),
        z_range=(0.0, math.pi),
        value_name=_("angle error"),
        cell_text=False,
    )
    if rows[0] <= key < rows[1] and cols[0] <= pair < cols[1]:
        figure = mark_cell(figure, key, pair)
    chart(
        figure,
        key="angle_errors",
        alt=_("Heatmap of the angle error of each pair of each cached key"),
        height=430,
        full=(-0.5, now.head_dim // 2 - 0.5, -0.5, now.length - 0.5),
        rev=f"{now.length}",
    )
    st.caption(
        _(
            "{cells} The brightest cells are off by π or more: nothing is left there of what the "
            "pair said.",
            cells=cell_words(seen),
        )
    )
    return seen


def show_scores(now: Timeline, key: int) -> pd.DataFrame:
    """Curve: how wrong the score of each key is."""
    errors = now.score_errors().numpy()
    name = _("score error")
    figure = lines(
        now.keys.numpy(),
        [Series(name, errors, marker="")],
        title=_("Error of a score against the position of its key"),
        x_title=_("position n of the cached key"),
        y_title=_("error ÷ size of a score"),
        y_range=(0.0, 2.0),
        marks=[Mark("y", NOISE, _("noise"), left=True), Mark("x", now.prompt, _("prompt ends"))],
    )
    steps = score_steps(now, key) if key < now.length else ()
    followed_chart(
        figure,
        steps,
        CurvePoint(0, key, _("key {key:,}", key=key)),
        key="score_errors",
        alt=_("Curve of the score error against the position of the cached key"),
        height=320,
        rev=f"{now.length}",
    )
    st.caption(
        _(
            "The error is the root mean square over queries and keys of independent normal numbers "
            "in one layer, whose right score has size 1."
        )
    )
    return screen.curve_frame(_("key"), now.keys.tolist(), {name: errors})


def score_steps(now: Timeline, key: int) -> tuple[Step, ...]:
    """How wrong the score of one key is."""
    phase = now.stale().at(torch.tensor([key]), torch.arange(now.head_dim // 2))[0]
    return stale_score_steps(phase, stale_score_error(phase).item())
