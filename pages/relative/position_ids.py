"""A padded batch whose position ids can be typed: whose scores stay, and whose do not."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import pandas as pd
import streamlit as st
import torch
from torch import Tensor

from pages.relative import settings
from posenc import Trace, attend, causal_mask, padding_mask
from posenc.attention.steps.measures import difference_steps
from posenc.attention.steps.pairs import after_place_two, attention_steps
from posenc.catalogue import CATALOGUE, ModelShape
from posenc.quantity.matrix import Axis, Computed
from posenc.quantity.step import Step, no_value
from posenc.random_model import RandomProjections, randomise
from posenc.words import say
from ui import controls, screen
from ui.charts.follow import Explain
from ui.charts.panels import Panel
from ui.words import _, markdown, number, plural, translate

TEXT = say("The cat sat on the mat because it was warm and the dog had gone out")
NAMES = ("rope", "alibi", "t5", "learned", "sinusoidal", "fire")
SHAPE = ModelShape(d_model=64, num_heads=4, head_dim=16, length=512)
MOST = 16
"""Ids at most: as many as the text has words."""
LARGEST = 2**24

CODE = """\
ids, padding = {ids}, {padding}
n, length = len(ids), len(ids) + padding
shape = ModelShape(d_model=64, num_heads=4, head_dim=16, length=512)
model = RandomProjections({seed}, 64, num_heads=4, head_dim=16)
encoding = randomise(CATALOGUE["rope"].build(shape), seed={seed}).double()
mask = (torch.arange(length) >= padding)[None]
positions = torch.tensor([[0] * padding + ids])

def logits(tokens, positions, mask):
    x = encoding.embed(model.embed(tokens).double(), positions)
    q, k, v = model.project(x)
    trace = attend(q, k, v, encoding, mask=mask, k_positions=positions, trace=True)
    return trace.logits[0, 0]

with torch.no_grad():
    tokens = [0] * padding + list(range(1, n + 1))
    seen = causal_mask(length, length) & padding_mask(mask)
    padded = logits(tokens, positions, seen)[padding:, padding:]
    alone = logits(tokens[padding:], torch.arange(n), "causal")
values = padded - alone
print(values.nan_to_num().abs().max(), values)
"""


def position_list(typed: tuple[float, ...]) -> list[int]:
    """The typed numbers as positions.

    Raises:
        ValueError: If one is no integer from 0 on, or there are too few or too many.
    """
    if not 2 <= len(typed) <= MOST:
        raise ValueError(
            say("ids must hold 2 to {most} numbers, got {count}.", most=MOST, count=len(typed))
        )
    for value in typed:
        if value != int(value) or not 0 <= value <= LARGEST:
            raise ValueError(
                say(
                    "ids must be integers from 0 to {largest}, got {value:g}.",
                    largest=LARGEST,
                    value=value,
                )
            )
    return [int(value) for value in typed]


@dataclass(frozen=True, kw_only=True)
class Settings:
    first: ClassVar = ("ids", "padding")

    ids: tuple[float, ...] = controls.entry(
        controls.vector,
        say("Position ids"),
        "3, 4, 5, 6, 7, 8",
        help=say("One for each token of the padded text, 2 to {most} of them.", most=MOST),
    )
    padding: int = controls.entry(
        controls.number,
        say("Padding tokens"),
        3,
        0,
        16,
        help=say("They stand in front of the text; the mask hides them."),
    )
    seed: int = settings.seed()


def picture(s: Settings) -> screen.Picture:
    """The changes that the ids make to each encoding's scores, and the batch."""
    ids = position_list(s.ids)
    differences = {}
    refusals = {}
    for name in NAMES:
        try:
            differences[name] = difference(name, ids, s.padding, s.seed)
        except ValueError as error:
            differences[name] = torch.full((len(ids), len(ids)), torch.nan), no_such_position
            refusals[name] = error
    largest = {name: float(d.nan_to_num().abs().max()) for name, (d, __) in differences.items()}
    return screen.Picture(
        figures=[panels(differences), Refusals(refusals), batch(ids, s.padding)],
        code=CODE.format(ids=ids, padding=s.padding, seed=s.seed),
        words=in_words(ids, s.padding, largest),
        readouts={
            CATALOGUE[name].title: _("refused") if name in refusals else number(value, ".2g")
            for name, value in largest.items()
        },
    )


def panels(differences: Mapping[str, tuple[Tensor, Explain]]) -> screen.PanelsFigure:
    count = len(next(iter(differences.values()))[0])
    axes = Axis(say("query"), count), Axis(say("key"), count)
    return screen.PanelsFigure(
        key="ids_changed",
        title=_("Scores in the padded batch minus scores of the text alone, on one scale"),
        alt=_("What the position ids change in the scores, for six encodings"),
        panels=[
            Panel(
                name,
                CATALOGUE[name].title,
                Computed(values, say("difference"), *axes, signed=True, explain=explain),
            )
            for name, (values, explain) in differences.items()
        ],
        height=520,
        columns=3,
        cell=(count - 1, 0),
        tag="learned",
    )


@dataclass(frozen=True)
class Refusals:
    """Why an encoding has no such positions, by its id."""

    errors: Mapping[str, ValueError]

    def draw(self) -> screen.Drawn:
        for name, error in self.errors.items():
            said = say("{encoding}: {error}", encoding=CATALOGUE[name].title, error=error)
            st.error(markdown(said))
        return screen.Drawn()


@torch.no_grad()
def difference(name: str, ids: list[int], padding: int, seed: int) -> tuple[Tensor, Explain]:
    """Scores of head 0 with these ids in the batch, minus those with 0, 1, 2, … and no padding.

    Returns:
        The differences, (len(ids), len(ids)), and the steps to each.

    Raises:
        ValueError: If the encoding has no such position.
    """
    n = len(ids)
    length = len(ids) + padding
    encoding = randomise(CATALOGUE[name].build(SHAPE), seed).double()
    model = RandomProjections(seed, SHAPE.d_model, SHAPE.num_heads, SHAPE.head_dim)

    def attention(tokens: list[int], positions: Tensor, mask: Any) -> Trace:
        x = encoding.embed(model.embed(tokens).double(), positions)
        return attend(*model.project(x), encoding, mask=mask, k_positions=positions, trace=True)

    tokens = [0] * padding + list(range(1, n + 1))
    real = (torch.arange(length) >= padding)[None]
    positions = torch.tensor([[0] * padding + ids])
    seen = causal_mask(length, length) & padding_mask(real)
    padded = attention(tokens, positions, seen)
    alone = attention(tokens[padding:], torch.arange(n), "causal")
    values = padded.logits[0, 0, padding:, padding:] - alone.logits[0, 0]

    vectors = after_place_two(encoding)

    def explain(row: int, col: int) -> tuple[Step, ...]:
        at = padding + row, padding + col
        batch = attention_steps(padded, "logits", *at, first=-padding, key=col, vectors=vectors)
        text = attention_steps(alone, "logits", row, col, vectors=vectors)
        return difference_steps(batch, text, (say("padded"), say("alone")), values[row, col].item())

    return values, explain


def no_such_position(row: int, col: int) -> tuple[Step, ...]:
    """In place of steps where an encoding refuses the ids."""
    return (no_value(rf"\Delta_{{{row},{col}}}", "the encoding does not take these ids"),)


def in_words(ids: list[int], padding: int, largest: dict[str, float]) -> str:
    """Effect of these ids, in Markdown."""
    shift = ids[0]
    if ids == list(range(shift, shift + len(ids))):
        if shift == 0:
            return plural(
                "**Ids counted from the mask**: with {count} token of padding in front, every "
                "encoding gives the scores of the text alone.",
                "**Ids counted from the mask**: with {count} tokens of padding in front, every "
                "encoding gives the scores of the text alone.",
                padding,
            )
        return _(
            "**With every id shifted by {shift}**, RoPE, ALiBi and T5 give the scores of the text "
            "alone (RoPE to within **{rope:.1g}**); a learned table changes the scores by up to "
            "**{learned:.2g}**.",
            shift=shift,
            rope=largest["rope"],
            learned=largest["learned"],
        )
    breaks = [f"{ids[i]} → {ids[i + 1]}" for i in np.flatnonzero(np.diff(ids) != 1)]
    return _(
        "**The ids do not go up by one** ({breaks}): distances change, and RoPE's scores are off "
        "by up to **{rope:.2g}**. Between tokens on the same side of a break they stay.",
        breaks=", ".join(breaks[:3]),
        rope=largest["rope"],
    )


def batch(ids: list[int], padding: int) -> screen.TableFigure:
    """Both rows of the batch: a text that fills it, and the padded one."""
    words = translate(TEXT).split()
    length = len(ids) + padding
    rows = {
        _("long text"): [words[i % len(words)] for i in range(length)],
        _("its ids"): range(length),
        _("padded text"): [_("(pad)")] * padding + [words[i % len(words)] for i in range(len(ids))],
        _("mask"): [0] * padding + [1] * len(ids),
        _("the typed ids"): [0] * padding + ids,
    }
    return screen.TableFigure(
        name=say("batch"),
        frame=pd.DataFrame({name: [str(v) for v in row] for name, row in rows.items()}),
        caption=_("The largest difference of each encoding. The batch, its mask and its ids:"),
        turned=True,
    )
