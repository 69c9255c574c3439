"""Values that turn, too: what the output of a head becomes as the whole text moves on."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import torch
from torch import Tensor

from pages.rope import settings
from plots.lines import Series
from posenc import apply_rope, attend
from posenc.quantity.sampling import log_positions
from posenc.quantity.step import Step, number
from posenc.words import say
from ui import screen
from ui.controls import entry
from ui.controls import number as number_control
from ui.words import _, translate
from ui.words import number as written

POINTS = 200
TOKENS = 12
WAYS = {
    "alone": say("values left alone"),
    "turned": say("values turned"),
    "back": say("turned, and the output turned back"),
}


@dataclass(frozen=True, kw_only=True)
class Settings(settings.Encoding):
    seed: int = entry(
        number_control,
        say("Seed"),
        0,
        0,
        2**31 - 1,
        help=say("Of the random query, keys and values; one seed, one picture."),
    )

    @cached_property
    def vectors(self) -> Tensor:
        """A query, and the keys and values of all tokens, float64 (1 + 2 · tokens, head_dim)."""
        generator = torch.Generator().manual_seed(self.seed)
        shape = 1 + 2 * TOKENS, self.head_dim
        return torch.randn(shape, generator=generator, dtype=torch.float64)

    @property
    def shifts(self) -> Tensor:
        """Positions by which the text has moved on, those of the curves."""
        return log_positions(self.length, POINTS)

    def outputs(self, shifts: Tensor) -> Mapping[str, Tensor]:
        """Output of the last token in each way, (shifts, head_dim), by the way's id."""
        q, k, v = self.vectors.split((1, TOKENS, TOKENS))
        places = torch.arange(TOKENS) + shifts[:, None]
        last = places[:, -1:]
        query, keys, values = (x.expand(len(shifts), 1, -1, -1) for x in (q, k, v))
        turned = apply_rope(values, places, self.inv_freq)
        sums = [
            attend(query, keys, each, self.rope, q_positions=last, k_positions=places)
            for each in (values, turned)
        ]
        back = apply_rope(sums[1], -last, self.inv_freq)
        return {name: out[:, 0, 0] for name, out in zip(WAYS, (*sums, back), strict=True)}


def picture(s: Settings) -> screen.Picture:
    """How alike the output stays, in three ways."""
    start = s.outputs(torch.tensor([0]))
    heights = {name: alike(out, start[name]).numpy() for name, out in s.outputs(s.shifts).items()}
    return screen.Picture(
        figures=[curves(s, start, heights)],
        readouts={
            _("channels turned"): _("{turned} of {all}", turned=s.rope.rotary_dim, all=s.head_dim),
            _("least alike, not turned back"): written(float(heights["turned"].min()), ".3f"),
            _("least alike, turned back"): written(float(heights["back"].min()), ".3f"),
        },
    )


def alike(outputs: Tensor, start: Tensor) -> Tensor:
    """Cosine between each output and that of the text at its beginning, (shifts,)."""
    return (outputs * start).sum(dim=-1) / (outputs.norm(dim=-1) * start.norm(dim=-1))


def curves(
    s: Settings, start: Mapping[str, Tensor], heights: Mapping[str, np.ndarray]
) -> screen.LinesFigure:
    ways = [*WAYS]

    def steps(curve: int, shift: int) -> tuple[Step, ...]:
        return alike_steps(s, start[ways[curve]][0], ways[curve], shift)

    return screen.LinesFigure(
        key="values",
        alt=_(
            "Three curves over the shift of the text: 1 where values are left alone, falling and "
            "swinging where they are turned, 1 again where the output is turned back"
        ),
        x=s.shifts,
        log_x=True,
        series=[Series(translate(WAYS[name]), heights[name]) for name in ways],
        title=_("How alike the output stays as the text moves on"),
        x_title=_("positions by which the text has moved on"),
        y_title=_("cosine to the output at 0"),
        steps=steps,
        x_name=_("shift"),
        point=(1, int(s.shifts[len(s.shifts) // 4])),
        table=say("outputs"),
        settings=program(s),
        rev=f"{program(s)}",
        caption=_(
            "The last of {tokens} tokens asks. Queries, keys and values are random numbers; "
            "queries and keys are turned in all three ways.",
            tokens=TOKENS,
        ),
    )


def program(s: Settings) -> dict[str, Any]:
    return {"head_dim": s.head_dim, **s.program, **screen.only(s, "length", "seed")}


def alike_steps(s: Settings, start: Tensor, way: str, shift: int) -> tuple[Step, ...]:
    """The output here and at the beginning, their product and their cosine."""
    out = s.outputs(torch.tensor([shift]))[way][0]
    product, here, first = (out * start).sum().item(), out.norm().item(), start.norm().item()
    value = alike(out[None], start[None]).item()
    return (
        Step(r"o_\Delta \cdot o_0", "", "", product),
        Step(r"\lVert o_\Delta \rVert", "", "", here),
        Step(r"\lVert o_0 \rVert", "", "", first),
        Step(
            r"\cos",
            r"\frac{o_\Delta \cdot o_0}{\lVert o_\Delta \rVert \lVert o_0 \rVert}",
            rf"{number(product)} / ({number(here)} \cdot {number(first)})",
            value,
        ),
    )
