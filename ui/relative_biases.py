"""Biases of distance (weighed sinusoids, T5's buckets), and what relative positions take."""

from typing import Any

import numpy as np
import pandas as pd
import streamlit as st
import torch

from plots.lines import Series, lines
from posenc import (
    SinusoidalBias,
    SinusoidalBiasMatrix,
    T5Buckets,
    randomise,
    relative_bytes,
    sinusoidal_relative_bias,
    t5_bucket,
    t5_bucket_lower_edges,
)
from ui import screen
from ui.budget import readable_bytes
from ui.chart import chart
from ui.matrix import Shown, matrix

CURVE = 512
"""Distances on each side of one picture of curves."""
STEPS = 1500
"""Distances in the staircase."""
HEADS = 6
"""Curves of heads: more cannot be told apart."""


def show_sinusoidal(chosen: dict[str, Any], tables: dict[str, pd.DataFrame]) -> Shown:
    """Draw one head's bias as a matrix, and some heads' as curves of distance.

    Args:
        chosen: The controls: length, num_heads, head, d_model, base, seed.
        tables: Takes what the pictures show, by name.

    Returns:
        What the first picture shows.
    """
    d_model, length, base = chosen["d_model"], chosen["length"], chosen["base"]
    encoding = SinusoidalBias(chosen["num_heads"], d_model, base)
    randomise(encoding, chosen["seed"], std=d_model**-0.5)
    weight = encoding.weight.detach()
    shown = matrix(
        SinusoidalBiasMatrix(weight[chosen["head"]], length, base),
        key="sinusoidal",
        title=f"Sinusoidal relative bias of head {chosen['head']}",
        alt="Heatmap of a bias that is constant along diagonals",
        default_cell=(min(8, length - 1), min(3, length - 1)),
    )
    st.caption("The weights w are random numbers in place of trained ones.")
    reach = min(length, CURVE)
    distances = torch.arange(1 - reach, reach)
    curves = sinusoidal_relative_bias(weight[:HEADS], distances, base).numpy()
    named = {f"head {h}": curve for h, curve in enumerate(curves)}
    figure = lines(
        distances.numpy(),
        [Series(name, y, marker="") for name, y in named.items()],
        title=f"Bias against distance, heads 0 to {len(named) - 1}, −{reach - 1} … {reach - 1}",
        x_title="distance i − j (negative: the future)",
        y_title="bias",
    )
    chart(figure, key="curves", alt="One curve of bias against distance per head", height=360)
    tables["bias"] = screen.view_frame(shown.view)
    tables["curves"] = screen.curve_frame("distance", distances.tolist(), named)
    return shown


def show_t5(chosen: dict[str, Any], tables: dict[str, pd.DataFrame]) -> Shown:
    """Draw T5's buckets as a matrix, as a staircase, and as a table of lower edges.

    Args:
        chosen: The controls: length, bidirectional, num_buckets, t5_max_distance.
        tables: Takes what the pictures show, by name.

    Returns:
        What the first picture shows.
    """
    rule = chosen["bidirectional"], chosen["num_buckets"], chosen["t5_max_distance"]
    length, reach = chosen["length"], chosen["t5_max_distance"]
    shown = matrix(
        T5Buckets(length, *rule),
        key="t5",
        title=f"T5 bucket of each pair, {'bidirectional' if rule[0] else 'causal'}",
        alt="Heatmap of T5's buckets: narrow near the diagonal, wide far from it",
        default_cell=(min(100, length - 1), min(20, length - 1)),
    )
    edges = t5_bucket_lower_edges(*rule)
    # Past the largest distance nothing changes, so these are all the buckets there are.
    sides = edges.new_tensor([-reach, reach])
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
    tables["buckets"] = screen.view_frame(shown.view)
    tables["staircase"] = show_staircase(rule)
    frame = pd.DataFrame({"bucket": np.arange(len(edges)), "starts at distance": edges.numpy()})
    st.caption("Smallest past distance i − j of each bucket:")
    st.dataframe(frame.set_index("bucket").T, height="content")
    tables["lower edges"] = frame.set_index("bucket")
    return shown


def show_staircase(rule: tuple[bool, int, int]) -> pd.DataFrame:
    """Bucket against distance, past and future."""
    last = 4 * rule[2]
    distances = np.arange(1, last + 1)
    if last > STEPS:
        distances = np.unique(np.geomspace(1, last, STEPS).round()).astype(np.int64)
    curves = {
        "past, j < i": t5_bucket(torch.from_numpy(-distances), *rule).numpy(),
        "future, j > i": t5_bucket(torch.from_numpy(distances), *rule).numpy(),
    }
    # Each bucket is drawn up to the distance where the next one starts.
    figure = lines(
        np.repeat(distances, 2)[1:],
        [Series(name, np.repeat(y, 2)[:-1], marker="") for name, y in curves.items()],
        title="Bucket against distance",
        x_title="distance |i − j|",
        y_title="bucket",
        log_x=True,
    )
    chart(figure, key="staircase", alt="Staircase of bucket against distance", height=340)
    return screen.curve_frame("distance", distances.tolist(), curves)


def show_memory(chosen: dict[str, Any], tables: dict[str, pd.DataFrame]) -> None:
    """Draw bytes against length, counted from shapes.

    Args:
        chosen: The controls: num_heads, head_dim, max_distance, num_buckets.
        tables: Takes what the picture shows.
    """
    lengths = 2 ** torch.arange(4, 21)
    found = relative_bytes(
        lengths,
        chosen["num_heads"],
        chosen["head_dim"],
        chosen["max_distance"],
        chosen["num_buckets"],
    )
    figure = lines(
        lengths.numpy(),
        [Series(name, value.numpy()) for name, value in found.items()],
        title="Memory of one layer, counted from shapes",
        x_title="length L (tokens)",
        y_title="bytes",
        log_x=True,
        log_y=True,
    )
    chart(figure, key="memory", alt="Bytes against length on logarithmic axes", height=480)
    st.caption(
        "In float32. The skewed products and T5's bias are as large as the scores and lie on "
        "their line."
    )
    at = int((lengths == 4096).nonzero())
    names = ("scores", "Shaw, gathered", "Shaw, by id", "T5 table")
    screen.readouts({f"{name}, L = 4096": readable_bytes(found[name][at].item()) for name in names})
    tables["bytes"] = screen.curve_frame(
        "length", lengths.tolist(), {name: value.numpy() for name, value in found.items()}
    )
