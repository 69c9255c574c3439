"""The two layouts of RoPE: the permutation between them, and what a forgotten one costs."""

from collections.abc import Callable
from functools import partial
from typing import get_args

import streamlit as st
import torch
from torch import Tensor

from exhibits.rotations.layouts import LayoutCheck, layout_check
from pages.rope.settings import LAYOUTS, RopeSettings
from posenc import Axis, Computed, Step, layout_permutation
from posenc.rope.matrix import rotation_matrix
from posenc.rope.pairs import Layout
from posenc.rope.picture import RoPEScore
from posenc.rope.steps import permutation_steps, rotation_steps
from posenc.words import say
from ui import notebooks, screen
from ui.charts.panels import Panel, PanelFigure, follow_panels
from ui.words import _, number, translate

POSITIONS, PANEL_CHANNELS, TOKENS = 32, 64, 64
WAYS = (
    say("trained: interleaved"),
    say("rows permuted, half"),
    say("not permuted, half"),
)

CONVERSION = """\
import torch

def interleaved_to_half(weight, num_heads, rotary_dim=None):
    \"\"\"Rows of a query or key projection: (num_heads * head_dim, d_model), or a bias.\"\"\"
    heads = weight.unflatten(0, (num_heads, -1)).clone()
    d = heads.shape[1] if rotary_dim is None else rotary_dim
    heads[:, :d] = torch.cat((heads[:, 0:d:2], heads[:, 1:d:2]), dim=1)
    return heads.flatten(0, 1)

q_proj = torch.randn({heads} * {head_dim}, 16)
k_proj = torch.randn({kv_heads} * {head_dim}, 16)  # grouped-query attention: fewer heads
q_proj = interleaved_to_half(q_proj, {heads}{rotary})
k_proj = interleaved_to_half(k_proj, {kv_heads}{rotary})  # values and output stay as they are
"""


def show(s: RopeSettings) -> screen.ScreenView:
    """The sentence, the scores three ways, the permutation, and the conversion as a program."""
    sentence = st.container()
    rope = s.rope
    check = random_head(s)
    scores = three_ways(s)
    m, n = s.positions
    trained, converted, skipped = (
        float(score.at(torch.tensor([m]), torch.tensor([n]))[0, 0]) for score in scores
    )
    sentence.markdown(
        _(
            "Query at {m:,}, key at {n:,}: the trained score is **{trained:.4f}**. In the half "
            "layout the score is **{converted:.4f}** with the channels permuted and "
            "**{skipped:.4f}** without. In a head of random weights the forgotten permutation "
            "sends **{moved:.0f} %** of the attention to other keys.",
            m=m,
            n=n,
            trained=trained,
            converted=converted,
            skipped=skipped,
            moved=100 * check.moved,
        )
    )
    length = min(s.length, POSITIONS)
    picture = PanelFigure(
        "ways",
        _("The same q and k at every position, scored three ways, on one scale"),
        _("Scores as trained, after the permutation, and without it: the third differs"),
        [
            Panel(tag, translate(way), score)
            for tag, way, score in zip("ABC", WAYS, scores, strict=True)
        ],
        height=360,
    )
    notebooks.computed("ways", **s.scored, length=length)
    views, _place = follow_panels([picture], key="ways", default=(length - 1, length // 4))
    show_check(check)
    if 2 * len(s.inv_freq) <= PANEL_CHANNELS:
        show_permutation(s)
    else:
        st.caption(
            _("The matrices are drawn up to {count} rotated channels.", count=PANEL_CHANNELS)
        )
    rotary = f", rotary_dim={rope.rotary_dim}" if rope.rotary_dim < rope.head_dim else ""
    st.markdown(_("The conversion, with torch alone (here 8 query heads on 2 key heads):"))
    st.code(
        CONVERSION.format(heads=8, kv_heads=2, head_dim=rope.head_dim, rotary=rotary), language="py"
    )
    return screen.ScreenView(lambda: {way: screen.view_frame(v) for way, v in views.items()})


def three_ways(s: RopeSettings) -> list[RoPEScore]:
    """Scores as trained (interleaved), converted, and with the conversion forgotten."""
    length = min(s.length, POSITIONS)
    order = channel_order(s)
    return [
        RoPEScore(s.query, s.key, s.inv_freq, length, "interleaved"),
        RoPEScore(s.query[order], s.key[order], s.inv_freq, length, "half"),
        RoPEScore(s.query, s.key, s.inv_freq, length, "half"),
    ]


def channel_order(s: RopeSettings) -> Tensor:
    """The permutation of the rotated channels; those after them stay."""
    rotary_dim = s.rope.rotary_dim
    return torch.cat((layout_permutation(rotary_dim), torch.arange(rotary_dim, s.rope.head_dim)))


def random_head(s: RopeSettings) -> LayoutCheck:
    """The check on a head of random weights over a text of random embeddings."""
    width = s.rope.head_dim
    generator = torch.Generator().manual_seed(0)
    query, key = torch.randn(2, width, width, generator=generator, dtype=torch.float64)
    x = torch.randn(TOKENS, width, generator=generator, dtype=torch.float64)
    # Entries of q and k then have variance 1.
    return layout_check(query * width**-0.5, key * width**-0.5, x, s.rope.base, s.rope.rotary_dim)


def show_check(check: LayoutCheck) -> None:
    """The numbers of the head of random weights."""
    st.caption(
        _(
            "One head of random weights, {count} tokens of random embeddings, causal mask:",
            count=TOKENS,
        )
    )
    converted = _("permuted rows + half − original + interleaved")
    skipped = _("not permuted: error ÷ size of a score")
    screen.readouts(
        {
            converted: number(check.converted, ".1e"),
            skipped: _("{share:.0f} %", share=100 * check.skipped),
            _("attention on other keys"): _("{share:.0f} %", share=100 * check.moved),
        },
        help={
            converted: _("Largest difference of a score; what is left is rounding."),
            skipped: _(
                "Root mean square over all scores; 141 % is a score that has nothing to do with "
                "the right one."
            ),
        },
    )


def show_permutation(s: RopeSettings) -> None:
    """The rotation in both layouts and the permutation of channels between them."""
    order = layout_permutation(2 * len(s.query_angles))
    panels = [
        Panel(layout, translate(LAYOUTS[layout]), rotation_quantity(s.query_angles, layout))
        for layout in get_args(Layout)
    ]
    explain = partial(permutation_steps, order)
    permutation = torch.eye(len(order), dtype=torch.float64)[order]
    panels.append(Panel("P", _("permutation P"), entries(permutation, explain)))
    picture = PanelFigure(
        "layouts",
        _("Half layout = P × interleaved layout × Pᵀ"),
        _("The rotation in both layouts and the permutation of channels between them"),
        panels,
        height=340,
    )
    notebooks.computed("layouts", **s.turned)
    follow_panels([picture], key="layouts", default=(0, 0))


def rotation_quantity(angles: Tensor, layout: Layout) -> Computed:
    """The rotation of a query, its entries explained."""
    return entries(rotation_matrix(angles, layout), partial(rotation_steps, angles, layout))


def entries(matrix: Tensor, explain: Callable[[int, int], tuple[Step, ...]]) -> Computed:
    """A matrix from channels to channels."""
    axes = Axis(say("channel out"), len(matrix)), Axis(say("channel in"), len(matrix))
    return Computed(matrix, say("entry"), *axes, signed=True, explain=explain)
