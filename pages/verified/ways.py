"""Two ways to one number, computed here and now."""

from dataclasses import dataclass

import pandas as pd
import torch

from exhibits.two_ways.all import two_ways
from exhibits.two_ways.steps import furthest_steps
from pages.verified import bars
from posenc.words import say
from ui import screen
from ui.controls import device
from ui.words import _, translate

CODE = """\
ways = two_ways(device="{device}", dtype={dtype})
values = torch.tensor([one.difference for one in ways])
for one in ways:
    print(f"{{one.difference:8.1e}}  {{one.title}}")
"""


@dataclass(frozen=True, kw_only=True)
class Settings:
    device: torch.device = device.device(under="")


def picture(s: Settings) -> screen.Picture:
    """How far the two ways are apart."""
    dtype = device.working_dtype(s.device)
    ways = two_ways(device=s.device, dtype=dtype)
    differences = [one.difference for one in ways]
    figure = bars.bars(
        "two_ways",
        differences,
        # One encoding has several bars: the numbers lead to the lines of the table.
        [f"{n} {translate(one.subject)}" for n, one in enumerate(ways, 1)],
        _("Two ways to one number, computed here on {device}", device=s.device.type),
        lambda _curve, bar: furthest_steps(ways[bar]),
        caption=_("Random queries and keys of 48 tokens. No bar means equal to the last bit."),
    )
    titles = [f"{n} {translate(one.title)}" for n, one in enumerate(ways, 1)]
    table = screen.TableFigure(
        name=say("difference"),
        frame=pd.DataFrame({_("two ways"): titles, _("largest difference"): differences}),
        indexed=False,
        formats={_("largest difference"): bars.POWERS},
    )
    return screen.Picture(
        figures=[figure, table, bars.counts(), *bars.versions(s.device)],
        code=CODE.format(device=s.device, dtype=dtype),
    )
