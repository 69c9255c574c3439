"""Weighted sinusoids of the distance, and the memory that relative positions take."""

from typing import Any

import numpy as np
import streamlit as st
import torch

from plots.lines import Series, lines
from posenc.random_model import randomise
from posenc.shaw.memory import relative_bytes
from posenc.shaw.memory_steps import relative_bytes_steps
from posenc.transformer_xl.distance_alone import SinusoidalBias
from posenc.transformer_xl.picture import SinusoidalBiasMatrix
from posenc.words import say
from ui import notebooks, screen
from ui.charts.curve import curve_chart
from ui.charts.matrix import matrix
from ui.screen.budget import readable_bytes
from ui.words import _, translate

CURVE = 512
"""Distances on each side of one picture of curves."""
MEMORY = {
    "scores": say("scores"),
    "ids": say("ids"),
    "gathered": say("Shaw, gathered"),
    "by_id": say("Shaw, by id"),
    "skew": say("skew"),
    "t5_bias": say("T5 bias"),
    "t5_table": say("T5 table"),
}
"""Labels of what is counted, by the ids of `relative_bytes`."""
HEADS = 6
"""Curves of heads: more cannot be told apart."""

SINUSOIDAL_CODE = """\
bias = randomise(SinusoidalBias({num_heads}, {d_model}, {base}), seed={seed}, std={d_model}**-0.5)
quantity = SinusoidalBiasMatrix(bias.weight[{head}].detach(), {length}, {base})
"""
MEMORY_CODE = """\
lengths = 2 ** torch.arange(4, 21)
found = relative_bytes(lengths, {num_heads}, {head_dim}, {max_distance}, {num_buckets})
values = torch.stack(list(found.values()))
print(list(found), values)
"""


def show_sinusoidal(chosen: dict[str, Any]) -> screen.ScreenView:
    """Draw one head's bias as a matrix, and some heads' as curves of distance.

    Args:
        chosen: The controls: length, num_heads, head, d_model, base, seed.

    Returns:
        The tables and the snippet.
    """
    d_model, length, base = chosen["d_model"], chosen["length"], chosen["base"]
    encoding = SinusoidalBias(chosen["num_heads"], d_model, base)
    randomise(encoding, chosen["seed"], std=d_model**-0.5)
    weight = encoding.weight.detach()
    made = {name: chosen[name] for name in ("num_heads", "d_model", "base", "seed")}
    notebooks.computed("sinusoidal", **made, head=chosen["head"])
    shown = matrix(
        SinusoidalBiasMatrix(weight[chosen["head"]], length, base),
        key="sinusoidal",
        title=_("Sinusoidal relative bias of head {head}", head=chosen["head"]),
        alt=_("Heatmap of a bias that is constant along diagonals"),
        default_cell=(min(8, length - 1), min(3, length - 1)),
    )
    st.caption(_("The weights w are random numbers; they stand in for trained ones."))
    reach = min(length, CURVE)
    distances = torch.arange(1 - reach, reach)
    biases = [SinusoidalBiasMatrix(one, length, base) for one in weight[:HEADS]]
    named = {
        _("head {head}", head=h): against_distance(bias, reach) for h, bias in enumerate(biases)
    }
    figure = lines(
        distances.numpy(),
        [Series(name, y, marker="") for name, y in named.items()],
        title=_(
            "Bias against distance, heads 0 to {last}, distances −{reach} … {reach}",
            last=len(named) - 1,
            reach=reach - 1,
        ),
        x_title=_("distance i − j (negative: the future)"),
        y_title=_("bias"),
    )
    notebooks.computed("curves", **made, reach=reach)
    curve_chart(
        figure,
        lambda h, distance: biases[h].steps(max(distance, 0), max(-distance, 0)),
        key="curves",
        alt=_("One curve of bias against distance for each head"),
        names=list(named),
        places=(1 - reach, reach - 1),
        x_name=_("distance"),
        default=(0, min(5, reach - 1)),
        height=360,
    )
    curves = screen.curve_frame(_("distance"), distances.tolist(), named)
    return screen.ScreenView(
        lambda: {say("bias"): screen.view_frame(shown.view), say("curves"): curves},
        SINUSOIDAL_CODE.format(**chosen) + shown.code(),
    )


def against_distance(bias: SinusoidalBiasMatrix, reach: int) -> np.ndarray:
    """The bias at distances 1 - reach … reach - 1: its first row, backwards, and first column."""
    first = torch.tensor([0])
    some = torch.arange(reach)
    future = bias.at(first, some)[0].flip(0)
    past = bias.at(some, first)[1:, 0]
    return torch.cat((future, past)).numpy()


def show_memory(chosen: dict[str, Any]) -> screen.ScreenView:
    """Draw bytes against length, counted from shapes.

    Args:
        chosen: The controls: num_heads, head_dim, max_distance, num_buckets.

    Returns:
        The table and the snippet.
    """
    lengths = 2 ** torch.arange(4, 21)
    sizes = [chosen[name] for name in ("num_heads", "head_dim", "max_distance", "num_buckets")]
    found = relative_bytes(lengths, *sizes)
    methods = list(found)
    curves = {translate(MEMORY[method]): y.numpy() for method, y in found.items()}
    figure = lines(
        lengths.numpy(),
        [Series(name, y) for name, y in curves.items()],
        title=_("Memory of one layer, counted from shapes"),
        x_title=_("length L (tokens)"),
        y_title=_("bytes"),
        log_x=True,
        log_y=True,
    )
    notebooks.computed("memory", **chosen)
    curve_chart(
        figure,
        lambda curve, length: relative_bytes_steps(methods[curve], length, *sizes),
        key="memory",
        alt=_("Bytes against length on logarithmic axes"),
        names=list(curves),
        places=(int(lengths[0]), int(lengths[-1])),
        x_name=_("length"),
        default=(0, 4096),
        height=480,
    )
    st.caption(
        _(
            "In float32. The skewed products and T5's bias are as large as the scores, so their "
            "curves lie on that of the scores."
        )
    )
    at = int((lengths == 4096).nonzero())
    told = ("scores", "gathered", "by_id", "t5_table")
    screen.readouts(
        {
            _("{method}, L = 4096", method=MEMORY[method]): readable_bytes(found[method][at].item())
            for method in told
        }
    )
    frame = screen.curve_frame(_("length"), lengths.tolist(), curves)
    return screen.ScreenView(lambda: {say("bytes"): frame}, MEMORY_CODE.format(**chosen))
