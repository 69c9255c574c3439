"""ALiBi: slopes, bias matrices and the window that each head sees."""

import streamlit as st
import torch

from plots.heatmap import small_multiples
from plots.lines import Series, bars, lines
from posenc import ALiBiBias, alibi_flat_weights, alibi_slopes, alibi_window, view
from ui import controls, screen
from ui.chart import chart
from ui.matrix import CELLS, matrix

PRESETS = {
    "8 heads": {"num_heads": 8, "length": 64, "symmetric": False},
    "BLOOM-176B (112 heads)": {"num_heads": 112, "length": 2048, "symmetric": False},
    "MPT-7B (32 heads)": {"num_heads": 32, "length": 2048, "symmetric": False},
    "Encoder, 12 heads": {"num_heads": 12, "length": 512, "symmetric": True},
}
PANELS = 8

CODE = """\
import torch
from posenc import ALiBiBias, alibi_slopes, view

slope = alibi_slopes({num_heads})[{head}].item()
bias = ALiBiBias(slope, {length}, symmetric={symmetric})
values = view(bias, rows={rows}, cols={cols}, cells={cells}).values
print(slope, values)
"""

lesson = screen.header("alibi")
left, right = screen.columns()
with left:
    controls.presets(PRESETS)
    num_heads = controls.number(
        "num_heads", "Heads n", 8, 1, 256, help="n in the formula; 32 in MPT-7B, 112 in BLOOM-176B."
    )
    head = controls.number(
        "head", "Head h", 0, 0, num_heads - 1, help="The head in the large picture, from 0."
    )
    length = controls.powers(
        "length", "Length", 64, 4, 2**27, help="Tokens in the picture; 2048 in BLOOM's training."
    )
    symmetric = controls.toggle(
        "symmetric", "Symmetric", help="Encoders: minus slope times |i − j|, nothing hidden."
    )

slopes = alibi_slopes(num_heads)
slope = slopes[head].item()
bias = ALiBiBias(slope, length, symmetric=symmetric)
with right, screen.guard():
    shown = matrix(
        bias,
        key="bias",
        title=f"Bias of head {head}, slope {slope:.6g}",
        alt=f"Heatmap of the ALiBi bias of head {head}: 0 on the diagonal, falling with distance",
        default_cell=(min(length - 1, 40), min(length - 1, 10)),
    )
    window = alibi_window(slopes, length)[head].item()
    screen.readouts(
        {
            "slope": f"{slope:.6g}",
            "90 % of flat attention within": f"{window:,} tokens",
            "bias at the far end": f"{-slope * (length - 1):.4g}",
            "computed in": f"{shown.milliseconds:.1f} ms",
        }
    )

    heads = range(min(num_heads, PANELS))
    panel_length = min(length, 32)
    panels = [
        (
            f"head {h}, slope {slopes[h]:.4g}",
            view(ALiBiBias(slopes[h].item(), panel_length, symmetric=symmetric)).values.numpy(),
        )
        for h in heads
    ]
    chart(
        small_multiples(
            panels,
            title=f"The first {len(panels)} heads, first {panel_length} tokens, on one scale",
            x_title="key j",
            y_title="query i",
            signed=bias.signed,
            value_name="bias",
        ),
        key="heads",
        alt="Small heatmaps of the bias of each head on one colour scale",
        height=460,
    )

    slope_column, window_column = st.columns(2, gap="large")
    with slope_column:
        chart(
            bars(
                slopes.numpy(),
                title="Slope of each head",
                x_title="head h",
                y_title="slope (per token)",
                log_y=True,
            ),
            key="slopes",
            alt="Bars of the slope of each head on a logarithmic axis",
            height=340,
        )
    distances = torch.arange(min(length, 256))
    weights = alibi_flat_weights(slopes[: len(panels)], distances, length)
    flat = {f"head {h}": weights[h].numpy() for h in heads}
    with window_column:
        chart(
            lines(
                distances.numpy(),
                [Series(name, y) for name, y in flat.items()],
                title="Attention of a flat score against distance",
                x_title="distance i − j (tokens)",
                y_title="share of attention",
                log_y=True,
                y_range=(1e-4, 1),
            ),
            key="window",
            alt="Curves of attention share against distance, one for each head",
            height=340,
        )

screen.notice(lesson)
screen.tabs(
    lesson,
    numbers=lambda: {
        "bias": screen.view_frame(shown.view),
        "slopes": screen.curve_frame("head", range(num_heads), {"slope": slopes.numpy()}),
        "attention": screen.curve_frame("distance", distances.tolist(), flat),
    },
    code=CODE.format(
        num_heads=num_heads,
        head=head,
        length=length,
        symmetric=symmetric,
        rows=shown.rows,
        cols=shown.cols,
        cells=CELLS,
    ),
)
