"""Shaw's key and value terms on random vectors: what position adds to scores and to outputs."""

from typing import Any

import pandas as pd
import streamlit as st
import torch

from plots.heatmap import small_multiples
from posenc import (
    Axis,
    Computed,
    RandomProjections,
    Shaw,
    Step,
    Trace,
    attend,
    randomise,
    shaw_key_steps,
)
from ui import screen
from ui.chart import chart
from ui.matrix import Shown, matrix


def show_shaw(chosen: dict[str, Any], tables: dict[str, pd.DataFrame]) -> Shown:
    """Draw the key term, the score with and without it, and the value term.

    Args:
        chosen: The controls: length, max_distance, head_dim, seed.
        tables: Takes what the pictures show, by name.

    Returns:
        What the first picture shows.
    """
    (shaw, trace), length = shaw_trace(**chosen), chosen["length"]
    term = trace.bias[0, 0]

    def explain(row: int, col: int) -> tuple[Step, ...]:
        return shaw_key_steps(shaw, trace.q[0, 0, row], row, col, term[row, col].item())

    shown = matrix(
        Computed(
            term,
            "q·aᴷ / √d",
            Axis("query i", length),
            Axis("key j", length),
            signed=True,
            explain=explain,
        ),
        key="shaw",
        title="What the key embeddings add to each score",
        alt="Heatmap of the key term: each row follows its query, constant beyond the clip",
        default_cell=(length - 1, length // 2),
        height=420,
    )
    without = trace.output - trace.mixed
    screen.readouts(
        {
            "largest content score": f"{trace.scaled.abs().max():.3g}",
            "largest key term": f"{trace.bias.abs().max():.3g}",
            "largest output without aⱽ": f"{without.abs().max():.3g}",
            "largest value term": f"{trace.mixed.abs().max():.3g}",
        }
    )
    st.caption(
        "Queries, keys, values and both tables are random numbers from the seed. One head, no mask."
    )
    show_scores(trace)
    show_outputs(trace)
    tables["key term"] = screen.view_frame(shown.view)
    tables["scores"] = pd.DataFrame(trace.logits[0, 0].numpy())
    tables["value term"] = pd.DataFrame(trace.mixed[0, 0].numpy())
    return shown


@torch.no_grad()
def shaw_trace(length: int, max_distance: int, head_dim: int, seed: int) -> tuple[Shaw, Trace]:
    """Shaw's encoding and one attention of one head with both of its terms, float32."""
    model = RandomProjections(seed, head_dim, num_heads=1, head_dim=head_dim)
    q, k, v = model.project(model.embed(range(length)))
    shaw = Shaw(head_dim, max_distance)
    randomise(shaw, seed)
    return shaw, attend(q, k, v, shaw, trace=True)


def show_scores(trace: Trace) -> None:
    """Content, key term and their sum on one scale."""
    panels = {
        "content q·k / √d": trace.scaled,
        "key term q·aᴷ / √d": trace.bias,
        "their sum": trace.logits,
    }
    figure = small_multiples(
        [(name, stage[0, 0].numpy()) for name, stage in panels.items()],
        title="The score from its two terms, on one scale",
        x_title="key j",
        y_title="query i",
        signed=True,
        value_name="score",
    )
    chart(figure, key="scores", alt="Heatmaps of content, key term and their sum", height=340)


def show_outputs(trace: Trace) -> None:
    """Output without the value term, the value term, and their sum, on one scale."""
    panels = {
        "Σ α v": trace.output - trace.mixed,
        "Σ α aⱽ": trace.mixed,
        "output": trace.output,
    }
    figure = small_multiples(
        [(name, stage[0, 0].numpy()) for name, stage in panels.items()],
        title="The output from its two terms, on one scale",
        x_title="channel",
        y_title="query i",
        signed=True,
        value_name="output",
    )
    chart(figure, key="outputs", alt="Heatmaps of the output without and with aV", height=340)
