"""One page with every use of the chart, for the browser tests."""

import numpy as np
import streamlit as st

from plots.heatmap import heatmap, mark_cell, small_multiples
from plots.lines import Band, Mark, Series, bars, lines
from plots.style import shade_outside_training
from ui.charts.component import chart, clicked_cell, visible_window

N = 10**6


def score(rows, cols):
    return np.cos((cols[None, :] - rows[:, None]) * 0.01)


def deep():
    """A matrix of 10^6 x 10^6, of which the visible window is computed."""
    view = visible_window("deep")
    rows, cols = (view.rows(N), view.cols(N)) if view else ((0, N), (0, N))
    steps = [-(-(stop - start) // 128) for start, stop in (rows, cols)]
    edges = [
        np.append(np.arange(start, stop, step), stop)
        for (start, stop), step in zip((rows, cols), steps, strict=True)
    ]
    figure = heatmap(
        score(edges[0][:-1], edges[1][:-1]),
        *edges,
        title="Score of a million positions",
        x_title="key position",
        y_title="query position",
        signed=True,
        z_range=(-1, 1),
    )
    chart(figure, key="deep", alt="deep", full=(-0.5, N - 0.5, -0.5, N - 0.5), height=320)
    st.text(f"deep rows {rows[0]}:{rows[1]} cols {cols[0]}:{cols[1]} step {steps[0]}")


def charts():
    st.session_state["runs"] = st.session_state.get("runs", 0) + 1
    st.title("Charts")
    st.text(f"runs {st.session_state['runs']}")
    k = st.slider("k", 0, 50, 3, key="k")
    size = st.slider("size", 4, 64, 12, key="size")

    picked = clicked_cell("small")
    if picked:
        st.session_state["picked"] = (round(picked.y), round(picked.x))
        st.session_state["cell"] = picked
    values = np.cos(np.arange(size)[:, None] * 0.1 * k - np.arange(size)[None, :] * 0.3)
    values[np.triu_indices(size, 1)] = np.nan
    figure = heatmap(
        values,
        title="Attention score of a causal model, query by key",
        x_title="key position",
        y_title="query position",
        unit="logits",
        signed=True,
        z_range=(-1, 1),
        value_name="score",
    )
    if "picked" in st.session_state:
        figure = mark_cell(figure, *st.session_state["picked"])
    chart(figure, key="small", alt=f"scores for k = {k}", rev=str(size))
    st.text(f"cell {st.session_state.get('cell')}")
    st.text(f"view {visible_window('small')}")
    st.text(f"picked {st.session_state.get('picked')}")

    deep()

    distance = np.abs(np.subtract.outer(np.arange(24), np.arange(24)))
    panels = [(f"head {head}", -(2.0**-head) * distance) for head in range(8)]
    chart(
        small_multiples(
            panels,
            title="Bias of each head",
            x_title="key",
            y_title="query",
            signed=True,
            unit="logits",
        ),
        key="panels",
        alt="eight heads",
    )

    x = np.arange(1, 2049)
    curves = [
        Series(f"θ<sub>{i}</sub> of the sum", np.exp(-x / (100 * (i + 1) + k))) for i in range(6)
    ]
    title = "Decay of the score with distance, for six wavelengths and the training length"
    figure = lines(
        x,
        curves,
        title=title,
        x_title="distance in positions",
        y_title="score",
        log_x=True,
        marks=[Mark("y", 0.5, "half")],
        bands=[Band(8, 32, "near")],
    )
    chart(shade_outside_training(figure, 512, 2048), key="curves", alt="six curves")

    chart(
        bars(
            [0.5, 0.25, 0.25],
            labels=["the", "cat", "the"],
            title="Attention of one token",
            x_title="token",
            y_title="weight",
        ),
        key="bars",
        alt="three bars",
        height=260,
    )


def other():
    st.title("Another page")


st.set_page_config(layout="wide")
pages = [st.Page(charts, title="Charts", default=True), st.Page(other, title="Other")]
st.navigation(pages, position="top").run()
