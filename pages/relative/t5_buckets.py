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
from ui import screen
from ui.charts.curve import curve_chart
from ui.charts.matrix import matrix

CODE = """\
print(t5_bucket_lower_edges({bidirectional}, {num_buckets}, {t5_max_distance}))
quantity = {kind}({length}, {bidirectional}, {num_buckets}, {t5_max_distance})
"""
STEPS = 1500
"""Distances in the staircase."""
Rule = tuple[bool, int, int]
"""Bidirectional, number of buckets, largest distance."""


def show(chosen: dict[str, Any]) -> screen.ScreenView:
    """Draw T5's buckets as a matrix, as a staircase, and as a table of boundaries.

    Args:
        chosen: The controls: length, bidirectional, num_buckets, t5_max_distance, without_min.
    """
    rule = chosen["bidirectional"], chosen["num_buckets"], chosen["t5_max_distance"]
    length, without_min = chosen["length"], chosen["without_min"]
    edges = t5_bucket_lower_edges(*rule)
    st.markdown(without_in_words(rule) if without_min else in_words(rule, int(edges[-1])))
    kind = T5BucketsUnclamped if without_min else T5Buckets
    side = "bidirectional" if rule[0] else "causal"
    shown = matrix(
        kind(length, *rule),
        key="t5",
        title=f"T5 bucket of each pair, {side}{', without min' if without_min else ''}",
        alt="Heatmap of T5's buckets: narrow near the diagonal, wide far from it",
        default_cell=(min(100, length - 1), min(20, length - 1)),
    )
    # Past the largest distance nothing changes, so these are all the buckets there are.
    sides = edges.new_tensor([-rule[2], rule[2]])
    used = t5_bucket(torch.cat((-edges, edges, sides)), *rule).unique().tolist()
    unused = sorted(set(range(rule[1])) - set(used))
    screen.readouts(
        {
            "buckets in use": f"{len(used)} of {rule[1]}",
            "never used": ", ".join(map(str, unused[:4])) + (" …" if len(unused) > 4 else "")
            or "none",
            "last bucket starts at": f"distance {int(edges[-1])}",
        }
    )
    tables = {
        "buckets": screen.view_frame(shown.view),
        "staircase": show_staircase(rule, without_min),
        "boundaries": show_boundaries(rule, edges.tolist()),
    }
    return screen.ScreenView(lambda: tables, CODE.format(**chosen) + shown.code())


def in_words(rule: Rule, last: int) -> str:
    """The rule with its numbers, in Markdown."""
    per_side = rule[1] // 2 if rule[0] else rule[1]
    near = f"Distances below **{per_side // 2}** have a bucket each; from **{last}** tokens on"
    if rule[0]:
        return (
            f"{near} all past keys share bucket **{per_side - 1}** and all future keys bucket "
            f"**{rule[1] - 1}**. Bucket {per_side} is never used: distance 0 counts as past."
        )
    return f"{near} all past keys share bucket **{per_side - 1}**. Future keys fall into bucket 0."


def without_in_words(rule: Rule) -> str:
    """What the missing min does at four times the largest distance, in Markdown."""
    _, buckets, reach = rule
    far = 4 * reach
    asked = int(t5_bucket_unclamped(torch.tensor(-far), *rule))
    start = f"**Without the min**, a key {far:,} tokens back asks for row **{asked}**"
    meant = int(t5_bucket(torch.tensor(-far), *rule))
    right = f"in place of {meant}. Distances up to {reach - 1:,} are right."
    if asked >= buckets:
        return f"{start}, which a table of {buckets} rows does not have, {right}"
    ahead = torch.arange(1, reach + 1)
    owners = ahead[t5_bucket(ahead, *rule) == asked]
    whose = f"keys {int(owners[0])} tokens ahead" if len(owners) else "no distance at all"
    return f"{start}, which was trained for {whose}, {right}"


def show_staircase(rule: Rule, without_min: bool) -> pd.DataFrame:
    """Bucket against distance, past and future."""
    last = 4 * rule[2]
    distances = np.arange(1, last + 1)
    if last > STEPS:
        distances = np.unique(np.geomspace(1, last, STEPS).round()).astype(np.int64)
    past, future = torch.from_numpy(-distances), torch.from_numpy(distances)
    curves = {
        "past, j < i": t5_bucket(past, *rule).numpy(),
        "future, j > i": t5_bucket(future, *rule).numpy(),
    }
    if without_min:
        curves |= {
            "past, without min": t5_bucket_unclamped(past, *rule).numpy(),
            "future, without min": t5_bucket_unclamped(future, *rule).numpy(),
        }
    # Each bucket is drawn up to the distance where the next one starts.
    figure = lines(
        np.repeat(distances, 2)[1:],
        [Series(name, np.repeat(y, 2)[:-1], marker="") for name, y in curves.items()],
        title="Bucket against distance",
        x_title="distance |i − j|",
        y_title="bucket",
        log_x=True,
        # Room above the highest step, where the label of the line stands.
        y_range=(-1, 1.12 * max(rule[1] - 1, *(y.max() for y in curves.values()))),
        marks=[Mark("y", rule[1] - 1, "last row of the table", left=True)],
    )
    sides = [kind(last + 1, *rule) for kind in (T5Buckets, T5BucketsUnclamped)]
    curve_chart(
        figure,
        # Curves are past and future, with the min and then without.
        lambda n, distance: sides[n // 2].steps(*((0, distance) if n % 2 else (distance, 0))),
        key="staircase",
        alt="Staircase of bucket against distance",
        names=list(curves),
        places=(1, last),
        x_name="distance",
        default=(0, min(80, last)),
        height=340,
    )
    return screen.curve_frame("distance", distances.tolist(), curves)


def show_boundaries(rule: Rule, edges: list[int]) -> pd.DataFrame:
    """Table: the distances of every bucket, and its twin for the future."""
    rows = []
    for bucket, (start, following) in enumerate(zip(edges, [*edges[1:], 0], strict=True)):
        if start == following:
            distances = "none"
        elif bucket == len(edges) - 1:
            distances = f"{start} …"
        else:
            distances = f"{start}" if following == start + 1 else f"{start} … {following - 1}"
        twin = "none" if bucket == 0 else str(bucket + len(edges))
        rows.append({"bucket": bucket, "distance |i − j|": distances, "for the future": twin})
    frame = pd.DataFrame(rows).set_index("bucket")
    if not rule[0]:
        frame = frame.drop(columns="for the future")
    st.caption("Distances of each bucket, past keys:")
    st.dataframe(frame.T, height="content")
    return frame
