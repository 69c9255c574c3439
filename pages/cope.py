"""CoPE: positions counted by gates, from a text to one score."""

import numpy as np
import pandas as pd
import streamlit as st
import torch
from torch import Tensor

from plots.heatmap import heatmap
from plots.lines import Mark, Series, lines
from plots.style import NEUTRAL, OKABE_ITO
from posenc import CATALOGUE, cope_gates, cope_logits, view
from ui import controls, counting, device, live, live_controls, screen
from ui.chart import chart
from ui.counting import Counted
from ui.follow import follow
from ui.matrix import CELLS, Shown, matrix

START = {
    "text": "Sam sat down. Ann left. Then it rained. Who left?",
    "gates": "separators",
    "separators": ". ? !",
    "max_positions": 64,
}
LIST = "red, green, blue; one, two, three; cat, dog, cow"
PRESETS = {
    "Count sentences": START,
    "Count commas": START | {"text": LIST, "separators": ","},
    "Random gates": START | {"gates": "random projections"},
    "All gates open": START | {"gates": "all open"},
    "A low cap": START | {"gates": "all open", "max_positions": 6},
}
MAX_CHARS = 20_000
SMALL_CELLS = (128, 128)

CODE = """\
import torch
from posenc import Axis, Computed, RandomProjections, attend, cope_positions, view

ids = {ids}
place = dict(device="{device}", dtype={dtype})
model = RandomProjections({seed}, d_model={head_dim}, num_heads=1, head_dim={head_dim})
q, k, v = model.project(model.embed(ids).to(**place))
scores = attend(q, k, v, mask="causal", trace=True).masked[0, 0]
{gate_logits}positions = cope_positions(gate_logits, {max_positions})
positions = positions.masked_fill(scores == -torch.inf, torch.nan)

tokens = Axis("token", len(ids))
values = view(Computed(positions, "p", tokens, tokens), {rows}, {cols}, {cells}).values
print(values)
"""
FROM_SCORES = "gate_logits = scores  # the gates read the same scores as the attention\n"
FROM_KEYS = """\
is_open = torch.zeros(len(ids), dtype=torch.bool, device="{device}")
is_open[{opens}] = True
gate_logits = scores.masked_fill(is_open, torch.inf).masked_fill(~is_open, -torch.inf)
gate_logits = gate_logits.masked_fill(scores == -torch.inf, -torch.inf)
"""


def main() -> None:
    """Read the controls, count the positions, place the pictures."""
    lesson = screen.header("cope")
    left, right = screen.columns()
    with left:
        controls.presets(PRESETS)
        settings, gates, separators, max_positions = read_controls()
    opens = counting.open_keys(settings.tokens.texts, gates, separators)
    shown, tables = None, {}
    with right, screen.guard():
        counted = counting.count(settings, opens, max_positions)
        shown = show_positions(settings, counted)
        tables["positions"] = screen.view_frame(shown.view)
        tables |= show_gates(settings, counted)
        tables |= show_row(settings, counted, shown.cell)
    screen.notice(lesson)
    code = snippet(settings, opens, max_positions, shown)
    screen.tabs(lesson, numbers=lambda: tables, code=code)


def read_controls() -> tuple[live.Settings, str, str, int]:
    """Settings of the attention, which gates open, on what, and the number of positions."""
    text = controls.text(
        "text", "Text", START["text"], max_chars=MAX_CHARS, help="What the gates read."
    )
    gates = controls.choice(
        "gates",
        "Gates open on",
        counting.GATES,
        help="g in the formula. Separators: each gate is 1 on them and 0 elsewhere, as a trained "
        "head could learn. Random projections: σ(q·k / √d), as before training.",
    )
    separators = st.text_input(
        "Separators",
        START["separators"],
        max_chars=40,
        key="separators",
        help="Tokens that open the gates, with spaces between them.",
        bind="query-params",
    )
    max_positions = controls.number(
        "max_positions", "Positions", 64, 2, 4096,
        help="Number of position embeddings; 64 in several of the paper's runs. "
        "max_positions − 1 is the cap.",
    )  # fmt: skip
    with st.expander("More"):
        cut = live_controls.tokenizer()
        head_dim, seed = live_controls.head_dim(), live_controls.seed()
        chosen_device = device.picker()
    settings = live.Settings(cut(text), "nope", True, 1, head_dim, seed, chosen_device)
    return settings, gates, separators, max_positions


def show_positions(settings: live.Settings, counted: Counted) -> Shown:
    """The large picture, and how it differs from counting tokens."""
    future = counted.future
    shown = matrix(
        live.quantity(
            counted.positions.masked_fill(future, torch.nan),
            settings.tokens,
            "position p",
            signed=False,
            explain=counted.position_steps,
        ),
        key="positions",
        title="Position p: gates summed from key j to query i",
        alt="Heatmap of contextual positions: they grow from the diagonal to the left wherever a "
        "gate opens",
        default_cell=live.default_cell(settings.length),
    )
    plain = counting.plain_positions(counted)
    cap = counted.cope.max_positions - 1
    clamped = int((counted.uncapped > cap).masked_fill(future, False).sum())
    difference = (counted.uncapped - plain).masked_fill(future, 0).abs().max().item()
    screen.readouts(
        {
            "p there": "masked" if future[shown.cell] else f"{shown.value:.4g}",
            "i − j + 1 there": "masked" if future[shown.cell] else f"{plain[shown.cell]:.0f}",
            "largest difference": f"{difference:.4g}",
            f"cells at the cap, {cap}": f"{clamped:,} of {int((~future).sum()):,}",
        },
        help={"largest difference": "Between p and i − j + 1 over all cells, before the cap."},
    )
    st.caption(
        f"Queries, keys and the position embeddings are random numbers from the seed; no model is "
        f"trained. Scores computed in {counted.milliseconds:.1f} ms on {settings.device.type}."
    )
    return shown


def show_gates(settings: live.Settings, counted: Counted) -> dict[str, pd.DataFrame]:
    """The gates, and the positions of a model that counts every token."""
    gates_column, plain_column = st.columns(2, gap="large")
    with gates_column:
        gates = small_picture(
            settings, counted, cope_gates(counted.gate_logits), "gate g", "Gates: what key j counts"
        )
    with plain_column:
        plain = small_picture(
            settings, counted, counting.plain_positions(counted), "i − j + 1",
            "Every token counts: i − j + 1",
        )  # fmt: skip
    return {"gates": gates, "i − j + 1": plain}


def small_picture(
    settings: live.Settings, counted: Counted, values: Tensor, name: str, title: str
) -> pd.DataFrame:
    """A matrix of queries and keys in half the width."""
    seen = values.masked_fill(counted.future, torch.nan)
    quantity = live.quantity(seen, settings.tokens, name, signed=False)
    shown = view(quantity, cells=SMALL_CELLS)
    figure = heatmap(
        shown.values.numpy(),
        shown.row_edges.numpy(),
        shown.col_edges.numpy(),
        title=title,
        x_title="key j",
        y_title="query i",
        signed=False,
        value_name=name,
    )
    chart(figure, key=name, alt=f"Heatmap of {name} for every query and key", height=340)
    return screen.view_frame(shown)


def show_row(
    settings: live.Settings, counted: Counted, cell: tuple[int, int]
) -> dict[str, pd.DataFrame]:
    """One query followed: gates, their sum, the interpolation, the score."""
    query, key = cell
    label = live.token_labels(settings.tokens)[query]
    st.header("One row followed", anchor=False)
    st.caption(f"Query {query}, the row of the chosen cell. Read the sum from right to left.")
    table = counting.row_table(settings.tokens, counted, query)
    sum_column, curve_column = st.columns(2, gap="large")
    with sum_column:
        show_sum(counted, table, f"Gates of query {query}, {label}, summed from the right")
    with curve_column:
        curve = show_interpolation(counted, table, query)
    if key <= query:
        st.markdown(f"From the position of query {query} and key {key} to their score:")
        steps, place = counted.score_steps(query, key), f"query {query}, key {key}"
        follow(steps, key="score", place=place)
    st.dataframe(table, height=min(38 + 35 * len(table), 380))
    return {"row": table, "z": curve}


def show_sum(counted: Counted, table: pd.DataFrame, title: str) -> None:
    """From gates to positions: the sum from the query back to each key."""
    cap = counted.cope.max_positions - 1
    figure = lines(
        table.index.to_numpy(),
        [
            Series("p", table["p"], color=CATALOGUE["cope"].color, dash="solid"),
            Series("i − j + 1", table["i − j + 1"], color=NEUTRAL, dash="dash", marker=""),
            Series("gate g", table["gate g"], color=OKABE_ITO[1], dash="dot", marker="square"),
        ],
        title=title,
        x_title="key j",
        y_title="position (tokens counted)",
        marks=[Mark("y", cap, "cap")] if cap <= len(table) else [],
    )
    chart(
        figure,
        key="sum",
        alt="Curves over the keys: each gate, the sum of gates from the query back to the key, "
        "and the plain distance",
        height=360,
    )


def show_interpolation(counted: Counted, table: pd.DataFrame, query: int) -> pd.DataFrame:
    """From positions to logits: a straight line between the whole positions."""
    cope, q = counted.cope, counted.query[query : query + 1]
    last = min(cope.max_positions - 1, int(np.ceil(table["p"].max())) + 3)
    whole = torch.arange(last + 1, device=q.device)
    z = cope_logits(q, whole[None].to(q), cope.embedding)[0].cpu().numpy()
    figure = lines(
        whole.cpu().numpy(),
        [
            Series("z[n] = q·e[n]", z, color=NEUTRAL, dash="solid", marker="circle"),
            Series(
                "c of each key", table["c"], x=table["p"],
                color=CATALOGUE["cope"].color, marker="diamond",
            ),
        ],
        title="Position logit: between two embeddings",
        x_title="position",
        y_title="q·e",
    )  # fmt: skip
    figure.update_traces(mode="markers", marker_maxdisplayed=0, selector={"name": "c of each key"})
    chart(
        figure,
        key="interpolation",
        alt="A broken line through q·e[n] at whole positions, and the keys of the row on it",
        height=360,
    )
    return screen.curve_frame("n", whole.tolist(), {"z": z})


def snippet(
    settings: live.Settings, opens: list[int] | None, max_positions: int, shown: Shown | None
) -> str:
    """The positions by `posenc` alone."""
    whole = (0, settings.length)
    from_keys = FROM_KEYS.format(opens=opens, device=settings.device.type)
    return CODE.format(
        **live.code_fields(settings),
        gate_logits=FROM_SCORES if opens is None else from_keys,
        max_positions=max_positions,
        rows=shown.rows if shown else whole,
        cols=shown.cols if shown else whole,
        cells=CELLS,
    )


main()
