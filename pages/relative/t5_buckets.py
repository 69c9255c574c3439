"""T5's buckets: matrix, staircase, table of boundaries, and what a missing min does."""

from typing import Any

import numpy as np
import pandas as pd
import streamlit as st
import torch

from plots.lines import Mark, Series, lines
from posenc import t5_bucket
from posenc.t5.edges import t5_bucket_lower_edges
from posenc.t5.picture import T5Buckets
from posenc.t5.unclamped import T5BucketsUnclamped, t5_bucket_unclamped
from posenc.words import say
from ui import notebooks, screen
from ui.charts.curve import curve_chart
from ui.charts.matrix import matrix
from ui.words import _, plural

STEPS = 1500
"""Distances in the staircase."""
Rule = tuple[bool, int, int]
"""Bidirectional, number of buckets, largest distance."""

CODE = """\
print(t5_bucket_lower_edges({bidirectional}, {num_buckets}, {t5_max_distance}))
quantity = {kind}({length}, {bidirectional}, {num_buckets}, {t5_max_distance})
"""


def show(chosen: dict[str, Any]) -> screen.ScreenView:
    """Draw T5's buckets as a matrix, as a staircase, and as a table of boundaries.

    Args:
        chosen: The controls: length, bidirectional, num_buckets, t5_max_distance, without_min.

    Returns:
        The tables and the snippet.
    """
    rule = chosen["bidirectional"], chosen["num_buckets"], chosen["t5_max_distance"]
    length, without_min = chosen["length"], chosen["without_min"]
    edges = t5_bucket_lower_edges(*rule)
    st.markdown(without_in_words(rule) if without_min else in_words(rule, int(edges[-1])))
    kind = T5BucketsUnclamped if without_min else T5Buckets
    notebooks.computed("t5", **named(rule), without_min=without_min)
    shown = matrix(
        kind(length, *rule),
        key="t5",
        title=title(rule[0], without_min),
        alt=_("Heatmap of T5's buckets: narrow near the diagonal, wide far from it"),
        default_cell=(min(100, length - 1), min(20, length - 1)),
    )
    # Past the largest distance nothing changes, so these are all the buckets there are.
    sides = edges.new_tensor([-rule[2], rule[2]])
    used = t5_bucket(torch.cat((-edges, edges, sides)), *rule).unique().tolist()
    unused = sorted(set(range(rule[1])) - set(used))
    screen.readouts(
        {
            _("buckets in use"): _("{used} of {buckets}", used=len(used), buckets=rule[1]),
            _("never used"): ", ".join(map(str, unused[:4])) + (" …" if len(unused) > 4 else "")
            or _("none"),
            _("last bucket starts at"): _("distance {distance}", distance=int(edges[-1])),
        }
    )
    staircase = show_staircase(rule, without_min)
    boundaries = show_boundaries(rule, edges.tolist())
    return screen.ScreenView(
        lambda: {
            say("buckets"): screen.view_frame(shown.view),
            say("staircase"): staircase,
            say("boundaries"): boundaries,
        },
        CODE.format(kind=kind.__name__, **chosen) + shown.code(),
    )


def named(rule: Rule) -> dict[str, Any]:
    """The rule by the names of a notebook."""
    return dict(zip(("bidirectional", "num_buckets", "max_distance"), rule, strict=True))


def title(bidirectional: bool, without_min: bool) -> str:
    """What the matrix shows."""
    if without_min:
        return (
            _("T5 bucket of each pair, bidirectional, without min")
            if bidirectional
            else _("T5 bucket of each pair, causal, without min")
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
            "Distances below **{near}** have a bucket each; from **{last}** tokens on all past "
            "keys share bucket **{past}** and all future keys share bucket **{future}**. Bucket "
            "{unused} is never used, because distance 0 counts as past.",
            **numbers,
            future=rule[1] - 1,
            unused=per_side,
        )
    return _(
        "Distances below **{near}** have a bucket each; from **{last}** tokens on all past keys "
        "share bucket **{past}**. All future keys fall into bucket 0.",
        **numbers,
    )


def without_in_words(rule: Rule) -> str:
    """What the missing min does at four times the largest distance, in Markdown."""
    __, buckets, reach = rule
    far = 4 * reach
    asked = int(t5_bucket_unclamped(torch.tensor(-far), *rule))
    meant = int(t5_bucket(torch.tensor(-far), *rule))
    numbers = {"far": far, "asked": asked, "meant": meant, "last": reach - 1}
    if asked >= buckets:
        return _(
            "**Without the min**, a key {far:,} tokens back asks for row **{asked}** in place of "
            "row {meant}, and a table of {buckets} rows has no such row. Distances up to {last:,} "
            "are right.",
            buckets=buckets,
            **numbers,
        )
    ahead = torch.arange(1, reach + 1)
    owners = ahead[t5_bucket(ahead, *rule) == asked]
    if len(owners) == 0:
        return _(
            "**Without the min**, a key {far:,} tokens back asks for row **{asked}** in place of "
            "row {meant}, and no distance has trained that row. Distances up to {last:,} are "
            "right.",
            **numbers,
        )
    return plural(
        "**Without the min**, a key {far:,} tokens back asks for row **{asked}** in place of row "
        "{meant}; keys {count} token ahead have trained that row. Distances up to {last:,} are "
        "right.",
        "**Without the min**, a key {far:,} tokens back asks for row **{asked}** in place of row "
        "{meant}; keys {count} tokens ahead have trained that row. Distances up to {last:,} are "
        "right.",
        int(owners[0]),
        **numbers,
    )


def show_staircase(rule: Rule, without_min: bool) -> pd.DataFrame:
    """Bucket against distance, past and future."""
    last = 4 * rule[2]
    few = np.arange(1, last + 1) if last <= STEPS else np.geomspace(1, last, STEPS)
    distances = np.unique(few.round()).astype(np.int64)
    past, future = torch.from_numpy(-distances), torch.from_numpy(distances)
    curves = {
        _("past, j < i"): t5_bucket(past, *rule).numpy(),
        _("future, j > i"): t5_bucket(future, *rule).numpy(),
    }
    if without_min:
        curves |= {
            _("past, without min"): t5_bucket_unclamped(past, *rule).numpy(),
            _("future, without min"): t5_bucket_unclamped(future, *rule).numpy(),
        }
    # Each bucket is drawn up to the distance where the next one starts.
    figure = lines(
        np.repeat(distances, 2)[1:],
        [Series(name, np.repeat(y, 2)[:-1], marker="") for name, y in curves.items()],
        title=_("Bucket against distance"),
        x_title=_("distance |i − j|"),
        y_title=_("bucket"),
        log_x=True,
        # Room above the highest step, where the label of the line stands.
        y_range=(-1, 1.12 * max(rule[1] - 1, *(y.max() for y in curves.values()))),
        marks=[Mark("y", rule[1] - 1, _("last row of the table"), left=True)],
    )
    sides = [kind(last + 1, *rule) for kind in (T5Buckets, T5BucketsUnclamped)]
    notebooks.computed("staircase", **named(rule), with_mistake=without_min, points=STEPS)
    curve_chart(
        figure,
        # Curves are past and future, with the min and then without.
        lambda n, distance: sides[n // 2].steps(*((0, distance) if n % 2 else (distance, 0))),
        key="staircase",
        alt=_("Staircase of bucket against distance"),
        names=list(curves),
        places=(1, last),
        x_name=_("distance"),
        default=(0, min(80, last)),
        height=340,
    )
    return screen.curve_frame(_("distance"), distances.tolist(), curves)


def show_boundaries(rule: Rule, edges: list[int]) -> pd.DataFrame:
    """Table: the distances of every bucket, and its twin for the future."""
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
    if not rule[0]:
        frame = frame.drop(columns=names[2])
    st.caption(_("Distances of each bucket, past keys:"))
    st.dataframe(frame.T, height="content")
    return frame
