"""Absolute positions: the sinusoidal table, its similarity and shift, and a learned table."""

from collections.abc import Callable
from functools import partial
from typing import Any

import streamlit as st
import torch

from pages.absolute.learned_table import RANDOM, TRAINED, show_learned, trained_size
from pages.absolute.waves import show_table, sinusoid
from plots.lines import Series, lines
from posenc import Axis, Computed, rope_rotation_matrix, sinusoidal_shift, sinusoidal_table
from posenc.rope.pairs import Layout
from posenc.sinusoidal.formula import SINUSOIDAL_LAYOUTS, sinusoidal_at, sinusoidal_inv_freq
from posenc.sinusoidal.picture import SinusoidalSimilarity
from posenc.sinusoidal.shift import sinusoidal_similarity
from posenc.sinusoidal.steps import sinusoidal_shift_steps
from ui import controls, screen
from ui.charts.curve import curve_chart
from ui.charts.matrix import matrix
from ui.screen.budget import check_memory

START: dict[str, Any] = {
    "view": "Table",
    "d_model": 64,
    "length": 128,
    "base": 10000.0,
    "layout": "interleaved",
    "source": TRAINED,
}
PRESETS = {
    "64 dimensions": START,
    "Worked example, d = 4": START | {"d_model": 4, "length": 10},
    "Transformer base": START | {"d_model": 512, "length": 512},
    "BERT-base's size (learned)": START
    | {"view": "Learned", "source": RANDOM, "d_model": 768, "length": 512},
}
PICTURES = ("Table", "Similarity", "Shift", "Learned")
CHECKED = 256  # positions on which the shift is checked

SIMILARITY = 'quantity = SinusoidalSimilarity({length}, {d_model}, {base}, "{layout}")\n'
SHIFT = """\
shift = sinusoidal_shift({offset}, {d_model}, {base}, "{layout}")
before = sinusoidal_at(torch.arange(10), {d_model}, {base}, "{layout}")
after = sinusoidal_at(torch.arange(10) + {offset}, {d_model}, {base}, "{layout}")
print((before @ shift.T - after).abs().max())
quantity = Computed(shift, "M", Axis("p + k", {d_model}), Axis("p", {d_model}), signed=True)
"""


def main() -> None:
    """Read the controls and place the chosen picture."""
    lesson = screen.header("absolute")
    left, right = screen.columns()
    with right:
        picture = controls.choice(
            "view", "Picture", PICTURES, wide=True,
            help="What to look at; the controls stay as they are.",
        )  # fmt: skip
    with left:
        controls.presets(PRESETS)
        chosen = read_learned() if picture == "Learned" else read_sizes() | read_options(picture)
    view = None
    with right, screen.guard():
        view = SHOW[picture](chosen)
    screen.notice(lesson)
    screen.tabs(lesson, view)


def read_sizes() -> dict:
    """The size of the table."""
    return {
        "d_model": controls.number(
            "d_model", "Width d", 64, 1, 8192, help="d_model; 512 in the Transformer, 768 in BERT."
        ),
        "length": controls.number(
            "length", "Length L", 128, 1, 100_000_000, help="Positions 0 … L − 1; 512 in BERT."
        ),
    }


def read_waves() -> dict:
    """What a sinusoid depends on besides."""
    return {
        "base": controls.number(
            "base", "Base", 10000.0, 1.001, 1e12, help="base in the formula; 10000 everywhere."
        ),
        "layout": controls.choice(
            "layout",
            "Layout",
            SINUSOIDAL_LAYOUTS,
            help="Order of the columns. tensor2tensor also has its own frequencies.",
        ),
    }


def read_options(picture: str) -> dict:
    """What this picture depends on besides."""
    if picture != "Shift":
        return read_waves()
    help = "The map M_k moves every position by k."
    offset = controls.number("offset", "Shift k", 3, -100_000, 100_000, help=help)
    return {"offset": offset} | read_waves()


def read_learned() -> dict:
    """What a learned table depends on; one that is trained has its size and no seed."""
    help = "The table of the shipped model of code, or one of any size before any training."
    source = controls.choice("source", "Table", (TRAINED, RANDOM), help=help)
    if source == TRAINED:
        length, d_model = trained_size()
        chosen = {"d_model": d_model, "length": length, "seed": 0}
    else:
        seed = controls.number("seed", "Seed", 0, 0, 2**32 - 1, help="The numbers of the table.")
        chosen = read_sizes() | {"seed": seed}
    new_length = controls.number(
        "new_length", "New length L′", 192, 1, 1_000_000, help="Rows after interpolation."
    )
    align_corners = controls.toggle(
        "align_corners", "Keep both ends", help="align_corners: row 0 and the last row stay."
    )
    return chosen | {"source": source, "new_length": new_length, "align_corners": align_corners}


def show_similarity(chosen: dict) -> screen.ScreenView:
    """Dot products of all pairs of rows, and the one curve behind them."""
    length = chosen["length"]
    similarity = SinusoidalSimilarity(length, *sinusoid(chosen))
    shown = matrix(
        similarity,
        key="similarity",
        title=f"Similarity PE(m)·PE(n) of {length:,} positions",
        alt="Heatmap of dot products: largest on the diagonal, the same along each diagonal",
        default_cell=(min(40, length - 1), min(10, length - 1)),
    )
    at = torch.tensor([0, 1, 10, 100])
    some = sinusoidal_similarity(at, *sinusoid(chosen)).tolist()
    screen.readouts(
        {f"at distance {k}": f"{s:.4f}" for k, s in zip(at.tolist(), some, strict=True)}
    )
    distances = torch.arange(min(length, 1024))
    values = sinusoidal_similarity(distances, *sinusoid(chosen)).numpy()
    figure = lines(
        distances.numpy(),
        [Series("similarity", values, marker="")],
        title="Similarity against distance: it falls and swings",
        x_title="distance |m − n|",
        y_title="PE(m)·PE(n)",
    )
    curve_chart(
        figure,
        lambda _, distance: similarity.steps(distance, 0),
        key="curve",
        alt="Curve of similarity against distance",
        names=["similarity"],
        places=(0, len(distances) - 1),
        x_name="distance",
        default=(0, min(10, len(distances) - 1)),
        height=340,
    )
    curve = screen.curve_frame("distance", distances.tolist(), {"similarity": values})
    return screen.ScreenView(
        lambda: {"similarity": screen.view_frame(shown.view), "curve": curve},
        SIMILARITY.format(**chosen) + shown.code(),
    )


def show_shift(chosen: dict) -> screen.ScreenView:
    """The map from PE(p) to PE(p + k), checked, and beside RoPE's rotation."""
    (d_model, base, layout), k = sinusoid(chosen), chosen["offset"]
    check_memory(5 * d_model**2 * 8, f"A map of {d_model:,} × {d_model:,}", "Take a smaller width.")
    shift = sinusoidal_shift(k, d_model, base, layout)
    axes = Axis("dimension of PE(p + k)", d_model), Axis("dimension of PE(p)", d_model)
    explain = partial(sinusoidal_shift_steps, offset=k, d_model=d_model, base=base, layout=layout)
    shown = matrix(
        Computed(shift, "Mₖ", *axes, signed=True, explain=explain),
        key="shift",
        title=f"The map from PE(p) to PE(p + {k})",
        alt="Heatmap of the map: two by two blocks of cosines and sines, zero elsewhere",
    )
    before = sinusoidal_table(CHECKED, d_model, base, layout)
    after = sinusoidal_at(torch.arange(CHECKED) + k, d_model, base, layout)
    order: Layout = "interleaved" if layout == "interleaved" else "half"
    rotation = rope_rotation_matrix(-k, sinusoidal_inv_freq(d_model, base, layout), order)
    screen.readouts(
        {
            "largest |Mₖ PE(p) − PE(p + k)|": f"{(before @ shift.T - after).abs().max():.2g}",
            "largest |Mₖ Mₖᵀ − I|": f"{(shift @ shift.T - torch.eye(d_model)).abs().max():.2g}",
            "largest |Mₖ − R₋ₖ| of RoPE": f"{(shift - rotation).abs().max():.2g}",
        }
    )
    st.caption(
        f"Checked at p = 0 … {CHECKED - 1}. R is RoPE's rotation matrix with the same frequencies, "
        f"in the {order} layout."
    )
    return screen.ScreenView(
        lambda: {"shift": screen.view_frame(shown.view)}, SHIFT.format(**chosen) + shown.code()
    )


SHOW: dict[str, Callable[[dict], screen.ScreenView]] = {
    "Table": show_table,
    "Similarity": show_similarity,
    "Shift": show_shift,
    "Learned": show_learned,
}
main()
