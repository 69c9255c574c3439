"""T5's buckets: staircase, matrix, table of boundaries, and what a missing min does."""

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import pandas as pd
import torch

from pages.relative import settings
from plots.figure import Part
from plots.lines import Mark, Series, lines
from posenc import t5_bucket
from posenc.quantity.step import Step
from posenc.t5.edges import t5_bucket_lower_edges
from posenc.t5.picture import T5Buckets
from posenc.t5.unclamped import T5BucketsUnclamped, t5_bucket_unclamped
from posenc.words import say
from ui import screen
from ui.controls import entry, number, toggle
from ui.words import _, plural

STEPS = 1300
"""Distances in the staircase."""
LETTER = 0.022
"""Share of the staircase's width that a letter takes on a phone."""
TALL = 0.026
"""Share of the staircase's height that a number takes."""
ABOVE = {"showarrow": False, "xanchor": "center", "yanchor": "bottom", "yshift": 5}
"""Over its tread, with room for the mark."""
BYTES_A_BUCKET = 72_000
"""Where 640 blocks cross a bucket's edge: 14 int64."""
Rule = tuple[bool, int, int]
"""Bidirectional, number of buckets, largest distance."""


def nearest(before: Any) -> int:
    """The least largest distance: past those that have a bucket of their own."""
    per_side: int = before.num_buckets // 2 if before.bidirectional else before.num_buckets
    return per_side // 2 + 1


@dataclass(frozen=True, kw_only=True)
class Settings:
    first: ClassVar = ("t5_length", "num_buckets")

    t5_length: int = settings.length(256, 100_000_000)
    bidirectional: bool = entry(
        toggle, say("Bidirectional"), True, help=say("On in T5's encoder, off in its decoder.")
    )
    num_buckets: int = settings.num_buckets()
    t5_max_distance: int = entry(
        number,
        say("Largest distance"),
        lambda before: max(128, nearest(before)),
        nearest,
        1_000_000,
        help=say("max_distance: the last bucket starts here at the latest; 128 in T5."),
    )
    without_min: bool = entry(
        toggle,
        say("No last bucket (a mistake)"),
        help=say(
            "Without min(…, n − 1) in the code, numbers of buckets go on growing past the last "
            "distance, to rows that the table does not have."
        ),
    )


def picture(s: Settings) -> screen.Picture:
    """The buckets as a staircase, as a matrix, and as a table of boundaries."""
    rule = (s.bidirectional, s.num_buckets, s.t5_max_distance)
    edges = t5_bucket_lower_edges(*rule)
    last = int(edges[-1])
    kind = T5BucketsUnclamped if s.without_min else T5Buckets
    # Past the largest distance nothing changes, so these are all the buckets there are.
    sides = edges.new_tensor([-s.t5_max_distance, s.t5_max_distance])
    used = t5_bucket(torch.cat((-edges, edges, sides)), *rule).unique().tolist()
    unused = sorted(set(range(s.num_buckets)) - set(used))

    return screen.Picture(
        figures=[
            staircase(s, rule),
            matrix(s, kind(s.t5_length, *rule)),
            boundaries(s.bidirectional, edges.tolist()),
        ],
        words=without_in_words(rule) if s.without_min else in_words(rule, last),
        readouts={
            _("buckets in use"): _("{used} of {buckets}", used=len(used), buckets=s.num_buckets),
            _("never used"): ", ".join(map(str, unused[:4])) + (" …" if len(unused) > 4 else "")
            or _("none"),
            _("last bucket starts at"): _("distance {distance}", distance=last),
        },
        memory=BYTES_A_BUCKET * s.num_buckets,
    )


def matrix(s: Settings, buckets: T5Buckets | T5BucketsUnclamped) -> screen.MatrixFigure:
    return screen.MatrixFigure(
        key="t5",
        quantity=buckets,
        title=title(s.bidirectional, s.without_min),
        alt=_("Heatmap of T5's buckets: narrow near the diagonal, wide far from it"),
        cell=(min(100, s.t5_length - 1), min(20, (s.t5_length - 1) // 4)),
        table=say("buckets"),
        settings=program(s) | {"without_min": s.without_min},
    )


def program(s: Settings) -> dict[str, Any]:
    """The rule by the names of a program."""
    return screen.only(s, "bidirectional", "num_buckets") | {"max_distance": s.t5_max_distance}


def title(bidirectional: bool, without_min: bool) -> str:
    if without_min:
        return (
            _("T5 bucket of each pair, bidirectional, no last bucket")
            if bidirectional
            else _("T5 bucket of each pair, causal, no last bucket")
        )
    return (
        _("T5 bucket of each pair, bidirectional")
        if bidirectional
        else _("T5 bucket of each pair, causal")
    )


def in_words(rule: Rule, last: int) -> str:
    """The rule with its numbers, in Markdown."""
    per_side = rule[1] // 2 if rule[0] else rule[1]
    numbers = {"near": per_side // 2, "last": last, "past": per_side - 1}
    if rule[0]:
        return _(
            "Distances below **{near}** have a bucket each; from **{last}** tokens on, all past "
            "keys share bucket **{past}** and all future keys share bucket **{future}**. Bucket "
            "{unused} is never used, because distance 0 counts as past.",
            **numbers,
            future=rule[1] - 1,
            unused=per_side,
        )
    return _(
        "Distances below **{near}** have a bucket each; from **{last}** tokens on, all past keys "
        "share bucket **{past}**. All future keys fall into bucket 0.",
        **numbers,
    )


def without_in_words(rule: Rule) -> str:
    """Effect of the missing min at four times the largest distance, in Markdown."""
    __, buckets, reach = rule
    far = 4 * reach
    asked = int(t5_bucket_unclamped(torch.tensor(-far), *rule))
    meant = int(t5_bucket(torch.tensor(-far), *rule))
    numbers = {"far": far, "asked": asked, "meant": meant, "last": reach - 1}
    if asked >= buckets:
        return _(
            "**Without a last bucket**, a key {far:,} tokens back asks for row **{asked}** in "
            "place of row {meant}, and a table of {buckets} rows has no such row. Distances up to "
            "{last:,} are right.",
            buckets=buckets,
            **numbers,
        )
    ahead = torch.arange(1, reach + 1)
    owners = ahead[t5_bucket(ahead, *rule) == asked]
    if len(owners) == 0:
        return _(
            "**Without a last bucket**, a key {far:,} tokens back asks for row **{asked}** in "
            "place of row {meant}, and no distance has trained that row. Distances up to {last:,} "
            "are right.",
            **numbers,
        )
    return plural(
        "**Without a last bucket**, a key {far:,} tokens back asks for row **{asked}** in place of "
        "row {meant}; keys {count} token ahead have trained that row. Distances up to {last:,} are "
        "right.",
        "**Without a last bucket**, a key {far:,} tokens back asks for row **{asked}** in place of "
        "row {meant}; keys {count} tokens ahead have trained that row. Distances up to {last:,} "
        "are right.",
        int(owners[0]),
        **numbers,
    )


def staircase(s: Settings, rule: Rule) -> screen.CurvesFigure:
    """Bucket against distance, past and future."""
    last = 4 * s.t5_max_distance
    few = np.arange(1, last + 1) if last <= STEPS else np.geomspace(1, last, STEPS)
    distances = np.unique(few.round()).astype(np.int64)
    past = torch.from_numpy(-distances)
    future = torch.from_numpy(distances)
    curves = {
        _("past, j < i"): t5_bucket(past, *rule).numpy(),
        _("future, j > i"): t5_bucket(future, *rule).numpy(),
    }
    if s.without_min:
        curves |= {
            _("past, no last bucket"): t5_bucket_unclamped(past, *rule).numpy(),
            _("future, no last bucket"): t5_bucket_unclamped(future, *rule).numpy(),
        }
    highest = max(s.num_buckets - 1, *(y.max() for y in curves.values()))
    per_side = s.num_buckets // (1 + s.bidirectional)
    near = per_side // 2
    sharing = _("shared from {distance} on", distance=near)
    last_row = Mark("y", s.num_buckets - 1, _("last row of the table"), left=True)
    # Each bucket is drawn up to the distance where the next one starts, and nothing joins them.
    figure = lines(
        np.repeat(distances, 3)[2:],
        [
            Series(name, treads(y), marker="", dash="dot" if n % 2 else "solid")
            for n, (name, y) in enumerate(curves.items())
        ],
        title=_("T5 bucket against distance"),
        x_title=_("distance |i − j|"),
        y_title=_("bucket"),
        log_x=True,
        # Room above the highest step, where its number stands.
        y_range=(-1, 1.16 * highest),
        marks=[Mark("x", near, sharing, after=True), *([last_row] if s.without_min else [])],
    )
    starts = t5_bucket_lower_edges(*rule)[1:].unique().tolist()
    ticks = [*readable(starts, map("{:,}".format, starts), last, letter=1.6 * LETTER)]
    figure = figure.relayout(
        xaxis={
            "tickmode": "array",
            "tickvals": [place for place, _text in ticks],
            "ticktext": [text for _place, text in ticks],
            "tickangle": 0,
        }
    )
    own = list(curves.values())[: 1 + s.bidirectional]
    figure = figure.add(annotations=numbered(distances, own, TALL * (1.16 * highest + 1)))
    sides = [kind(last + 1, *rule) for kind in (T5Buckets, T5BucketsUnclamped)]

    def steps(curve: int, distance: int) -> tuple[Step, ...]:
        # Curves are past and future, with the min and then without.
        return sides[curve // 2].steps(*((0, distance) if curve % 2 else (distance, 0)))

    return screen.CurvesFigure(
        key="staircase",
        figure=figure,
        alt=_("Staircase of bucket against distance"),
        steps=steps,
        x=distances,
        curves=curves,
        x_name=_("distance"),
        point=(0, min(80, last)),
        caption=_("The axis is logarithmic, and distance 0 has no place on it: its bucket is 0."),
        table=say("staircase"),
        settings=program(s) | {"with_mistake": s.without_min, "points": STEPS},
        height=380,
    )


def numbered(distances: np.ndarray, curves: Sequence[np.ndarray], tall: float) -> list[Part]:
    """The number of each bucket over the middle of its tread, where there is room.

    A number is `tall` buckets tall: where a step is, neighbours stand above each other.
    """
    numbers = []
    for buckets in curves:
        starts = np.flatnonzero(np.diff(buckets, prepend=-1))
        ends = np.append(starts[1:], len(distances) - 1)
        middles = np.sqrt(distances[starts] * distances[ends])
        letter = LETTER / 2 if tall <= 1 else LETTER
        for x, text in readable(middles, map(str, buckets[starts]), distances[-1], letter):
            # On a logarithmic axis plotly counts in powers of ten.
            place = {"x": math.log10(x), "y": int(text)}
            numbers.append(place | {"text": text, "font": {"size": 11}} | ABOVE)
    return numbers


def readable(
    places: Iterable[float], texts: Iterable[str], last: int, letter: float = LETTER
) -> Iterator[tuple[float, str]]:
    """Texts at rising places of a logarithmic axis from 1 to `last`, without those that would lie
    upon one before."""
    free = -math.inf
    for place, text in zip(places, texts, strict=True):
        half = letter * len(text) / 2 * math.log10(last)
        if math.log10(place) - half >= free:
            free = math.log10(place) + half
            yield place, text


def treads(buckets: np.ndarray) -> np.ndarray:
    """Each bucket at its own distance, at the next one, and a gap before another bucket."""
    drawn = np.repeat(buckets.astype(float), 3)[:-2]
    drawn[2::3][buckets[1:] != buckets[:-1]] = np.nan
    return drawn


def boundaries(bidirectional: bool, edges: list[int]) -> screen.TableFigure:
    """The distances of every bucket, and its twin for the future."""
    rows = []
    for bucket, (start, following) in enumerate(zip(edges, [*edges[1:], 0], strict=True)):
        if start == following:
            distances = _("none")
        elif bucket == len(edges) - 1:
            distances = f"{start} …"
        else:
            distances = f"{start}" if following == start + 1 else f"{start} … {following - 1}"
        twin = _("none") if bucket == 0 else str(bucket + len(edges))
        rows.append((bucket, distances, twin))
    names = [_("bucket"), _("distance |i − j|"), _("for the future")]
    frame = pd.DataFrame(rows, columns=names).set_index(names[0])
    if not bidirectional:
        frame = frame.drop(columns=names[2])
    return screen.TableFigure(
        name=say("boundaries"),
        frame=frame,
        caption=_("Distances of each bucket, past keys:"),
    )
