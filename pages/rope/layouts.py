"""The two layouts of RoPE: the permutation between them, and what a forgotten one costs."""

from collections.abc import Callable
from functools import partial
from typing import get_args

import torch
from torch import Tensor

from exhibits.rotations.layouts import LayoutCheck, layout_check
from pages.rope.settings import LAYOUTS, Rotations
from posenc import layout_permutation
from posenc.quantity.matrix import Axis, Computed
from posenc.quantity.step import Step
from posenc.rope.matrix import rotation_matrix
from posenc.rope.pairs import Layout
from posenc.rope.picture import RoPEScore
from posenc.rope.steps import permutation_steps, rotation_steps
from posenc.words import say
from ui import screen
from ui.charts.panels import Panel
from ui.words import _, number, translate

POSITIONS = 32
PANEL_CHANNELS = 64
TOKENS = 64
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


def picture(s: Rotations) -> screen.Picture:
    """The permutation, the scores three ways, and the conversion as a program."""
    scores = three_ways(s)
    m, n = torch.tensor([s.m]), torch.tensor([s.n])
    trained, converted, skipped = (float(score.at(m, n)[0, 0]) for score in scores)
    return screen.Picture(
        figures=[
            permutation(s) if 2 * s.pairs <= PANEL_CHANNELS else too_many(),
            ways(s, scores),
            checked(random_head(s)),
            conversion(s),
        ],
        words=_(
            "In transformers, **interleaved:** GPT-J, Cohere, GLM-4, Llama 4, DeepSeek-V3; "
            "**half:** GPT-NeoX, Llama to 3.3, Mistral 7B, Qwen3, Gemma. Interleaved, query "
            "{m:,} and key {n:,} score **{trained:.2f}**; read as half, **{converted:.2f}** with "
            "the channels permuted, else **{skipped:.2f}**.",
            m=s.m,
            n=s.n,
            trained=trained,
            converted=converted,
            skipped=skipped,
        ),
    )


def ways(s: Rotations, scores: list[RoPEScore]) -> screen.PanelsFigure:
    length = min(s.length, POSITIONS)
    return screen.PanelsFigure(
        key="ways",
        title=_("The same q and k at every position, scored three ways, on one scale"),
        alt=_("Scores as trained, after the permutation, and without it: the third differs"),
        panels=[
            Panel(tag, translate(way), score)
            for tag, way, score in zip("ABC", WAYS, scores, strict=True)
        ],
        height=360,
        cell=(length - 1, length // 4),
        settings={**s.score_program, "length": length},
    )


def three_ways(s: Rotations) -> list[RoPEScore]:
    """Scores as trained (interleaved), converted, and with the conversion forgotten."""
    length = min(s.length, POSITIONS)
    query, key = s.query_and_key
    rotary_dim = s.rope.rotary_dim
    order = torch.cat((layout_permutation(rotary_dim), torch.arange(rotary_dim, s.head_dim)))
    return [
        RoPEScore(query, key, s.inv_freq, length, "interleaved"),
        RoPEScore(query[order], key[order], s.inv_freq, length, "half"),
        RoPEScore(query, key, s.inv_freq, length, "half"),
    ]


def random_head(s: Rotations) -> LayoutCheck:
    """The check on a head of random weights over a text of random embeddings."""
    width = s.head_dim
    generator = torch.Generator().manual_seed(0)
    query, key = torch.randn(2, width, width, generator=generator, dtype=torch.float64)
    x = torch.randn(TOKENS, width, generator=generator, dtype=torch.float64)
    # Entries of q and k then have variance 1.
    return layout_check(query * width**-0.5, key * width**-0.5, x, s.base, s.rope.rotary_dim)


def checked(check: LayoutCheck) -> screen.ReadoutsFigure:
    """The numbers of the head of random weights."""
    converted = _("error with the rows permuted")
    skipped = _("error without, of a score's size")
    return screen.ReadoutsFigure(
        readouts={
            converted: number(check.converted, ".1e"),
            skipped: _("{share:.0f}%", share=100 * check.skipped),
            _("attention on other keys"): _("{share:.0f}%", share=100 * check.moved),
        },
        help={
            converted: _("Largest difference of a score; what is left is rounding."),
            skipped: _(
                "Root mean square over all scores; 141% is a score that has nothing to do with "
                "the right one."
            ),
        },
        caption=_(
            "One head of random weights, {count} tokens of random embeddings, causal mask:",
            count=TOKENS,
        ),
    )


def permutation(s: Rotations) -> screen.PanelsFigure:
    """The rotation in both layouts and the permutation of channels between them."""
    angles, _of_key = s.angles
    order = layout_permutation(2 * s.pairs)
    panels = [
        Panel(layout, translate(LAYOUTS[layout]), rotation_quantity(angles, layout))
        for layout in get_args(Layout)
    ]
    explain = partial(permutation_steps, order)
    matrix = torch.eye(len(order), dtype=torch.float64)[order]
    panels.append(Panel("P", _("permutation P"), entries(matrix, explain)))
    return screen.PanelsFigure(
        key="layouts",
        title=_("Half layout = P × interleaved layout × Pᵀ")
        if s.typed_angles
        else _("Position {m:,}: half layout = P × interleaved layout × Pᵀ", m=s.m),
        alt=_("The rotation in both layouts and the permutation of channels between them"),
        panels=panels,
        height=340,
        cell=(0, 0),
        settings=s.rotation_program,
    )


def too_many() -> screen.WordsFigure:
    """In place of matrices that nobody could read."""
    return screen.WordsFigure(
        _("The matrices are drawn up to {count} rotated channels.", count=PANEL_CHANNELS)
    )


def conversion(s: Rotations) -> screen.WordsFigure:
    """The permutation of a model's weights, to take along."""
    rotary_dim = s.rope.rotary_dim
    rotary = f", rotary_dim={rotary_dim}" if rotary_dim < s.head_dim else ""
    return screen.WordsFigure(
        _("The conversion, with torch alone (here 8 query heads on 2 key heads):"),
        code=CONVERSION.format(heads=8, kv_heads=2, head_dim=s.head_dim, rotary=rotary),
    )


def rotation_quantity(angles: Tensor, layout: Layout) -> Computed:
    """The rotation of a query, its entries explained."""
    return entries(rotation_matrix(angles, layout), partial(rotation_steps, angles, layout))


def entries(matrix: Tensor, explain: Callable[[int, int], tuple[Step, ...]]) -> Computed:
    """A matrix from channels to channels."""
    axes = Axis(say("channel out"), len(matrix)), Axis(say("channel in"), len(matrix))
    return Computed(matrix, say("entry"), *axes, signed=True, explain=explain)
