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
from ui import controls, screen
from ui.charts.component import chart, visible_window
from ui.charts.curve import followed_chart
from ui.charts.follow import follow
from ui.charts.matrix import cell_words, drawn_words
from ui.charts.points import CurvePoint, on_click

CELLS, KEYS = (256, 256), 512
"""Cells of the heatmap, keys on a curve."""
CACHES = {"on_write": "on write", "on_read": "on read", "recomputed": "recomputed"}
"""Id to label."""
HOW = {
    "on_write": "rotated on write",
    "on_read": "rotated on read",
    "recomputed": "computed again",
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
        "prompt", "Prompt", prompt, 1, 2**20, step=1024, help="Tokens read in one pass."
    )
    decoded = controls.slider(
        "decoded", "Tokens decoded", decoded, 0, 8192, step=1,
        help="Written one by one after the prompt.",
    )  # fmt: skip
    label = controls.choice(
        "cache", "Keys are rotated", list(CACHES.values()),
        help="On write: before they are cached. On read: cached as they are, all rotated at every "
        "step. Recomputed: the text is run again when the frequencies change.",
    )  # fmt: skip
    return prompt, decoded, next(name for name in CACHES if CACHES[name] == label)


def errors_in_words(now: Timeline) -> str:
    """What the errors are at this moment, in Markdown."""
    errors = now.score_errors()
    largest = float(now.stale().at(now.keys, torch.arange(now.head_dim // 2)).max())
    if largest == 0:
        why = "" if now.cache == "on_write" else f", because all are {HOW[now.cache]}"
        return f"**No cached key is wrong**{why}."
    return (
        f"Cached keys are off by up to **{largest:.3g} rad**, and their scores by "
        f"**{percent(errors.mean())}** of a score's own size on average (141 % is noise)."
    )


def percent(share: Tensor) -> str:
    """A share of one, in words."""
    return f"{100 * float(share):.0f} %"


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
    if key < now.length and pair < now.head_dim // 2:
        drawn = drawn_words(seen, key, pair)
        steps, place = now.stale().steps(key, pair), f"key {key:,}, pair {pair}"
        follow(steps, key="angle_errors", place=place, unit="rad", drawn=drawn)
    else:
        st.caption(f"Not in this picture: key {key:,}, pair {pair}.")
    return {"angle errors": screen.view_frame(seen), "score errors": show_scores(now, key)}


def followed_key() -> tuple[int, int]:
    """The key and the pair that are followed: clicked on one of both pictures, or typed."""
    on_click("angle_errors", lambda at: {"followed_key": int(at.y), "followed_pair": int(at.x)})
    on_click("score_errors", lambda at: {"followed_key": round(at.x)})
    left, right, _ = st.columns([2, 2, 3])
    with left:
        key = controls.number(
            "followed_key", "Key n", 4000, 0, 2**21,
            help="The cached key that is followed. Clicking a picture writes it.",
        )  # fmt: skip
    with right:
        pair = controls.number(
            "followed_pair", "Pair i", 40, 0, 255,
            help="The pair that is followed, 0 is the fastest. Clicking the heatmap writes it.",
        )  # fmt: skip
    return key, pair


def show_angles(now: Timeline, key: int, pair: int) -> View:
    """Heatmap: which pairs of which keys are lost."""
    rows, cols = window(now)
    seen = view(now.stale(), rows, cols, CELLS)
    figure = heatmap(
        seen.values.numpy(),
        seen.row_edges.numpy(),
        seen.col_edges.numpy(),
        title=f"Angle error of the cached keys, {HOW[now.cache]}, at {now.length:,} tokens",
        x_title="pair i, fastest first",
        y_title="position n of the cached key",
        signed=False,
        unit="rad",
        z_range=(0.0, math.pi),
        value_name="angle error",
        cell_text=False,
    )
    if rows[0] <= key < rows[1] and cols[0] <= pair < cols[1]:
        mark_cell(figure, key, pair)
    chart(
        figure,
        key="angle_errors",
        alt="Heatmap of how far each pair of each cached key is turned wrong",
        height=430,
        full=(-0.5, now.head_dim // 2 - 0.5, -0.5, now.length - 0.5),
        rev=f"{now.length}",
    )
    st.caption(
        f"{cell_words(seen)} Brightest: π or more, where nothing is left of what the pair said."
    )
    return seen


def show_scores(now: Timeline, key: int) -> pd.DataFrame:
    """Curve: how wrong the score of each key is."""
    errors = now.score_errors().numpy()
    figure = lines(
        now.keys.numpy(),
        [Series("score error", errors, marker="")],
        title="Error of a score against the position of its key",
        x_title="position n of the cached key",
        y_title="error ÷ size of a score",
        y_range=(0.0, 2.0),
        marks=[Mark("y", NOISE, "noise", left=True), Mark("x", now.prompt, "prompt ends")],
    )
    steps = score_steps(now, key) if key < now.length else ()
    followed_chart(
        figure,
        steps,
        CurvePoint(0, key, f"key {key:,}"),
        key="score_errors",
        alt="Curve of the score error against the position of the cached key",
        height=320,
        rev=f"{now.length}",
    )
    st.caption(
        "Root mean square over queries and keys of independent normal numbers, whose right score "
        "has size 1; one layer."
    )
    return screen.curve_frame("key", now.keys.tolist(), {"score error": errors})


def score_steps(now: Timeline, key: int) -> tuple[Step, ...]:
    """How wrong the score of one key is."""
    phase = now.stale().at(torch.tensor([key]), torch.arange(now.head_dim // 2))[0]
    return stale_score_steps(phase, stale_score_error(phase).item())
