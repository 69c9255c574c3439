"""Cost of one attention of each encoding here and now: parameters, time, memory."""

import math
from dataclasses import replace

import pandas as pd
import torch

from pages.side_by_side import code, comparison, timing
from pages.side_by_side.comparison import LETTERS, ComparisonSettings
from pages.side_by_side.settings import Settings
from posenc.quantity.parameters import parameter_steps
from posenc.words import say
from ui import screen
from ui.charts.follow import Explain
from ui.controls import device
from ui.screen.budget import seat
from ui.text import live
from ui.words import _, number, plural, translate

BARS = {
    "parameters": say("parameters"),
    "time": say("time (ms)"),
    "memory": say("memory (KiB)"),
}
COLUMNS = BARS | {"calls": say("calls timed")}
COUNTED = ("parameters", "calls")


def picture(s: Settings) -> screen.Picture:
    """Parameters, time and memory of one attention of each, measured now."""
    rows = {}
    encodings = []
    for letter, one in zip(LETTERS, s.compared, strict=False):
        large = replace(s.attention, encoding=one.entry)
        live.check_length(large)
        with seat(live.memory_needed(large)):
            work, encoding = comparison.attention_of(s.attention, one)
            time, calls = timing.milliseconds(work, s.device)
            held = timing.peak_bytes(work, s.device)
        encodings.append(encoding)
        rows[f"{letter} {one.title}"] = {
            "parameters": sum(p.numel() for p in encoding.parameters()),
            "time": time,
            "memory": math.nan if held is None else held / 1024,
            "calls": calls,
        }
    costs = pd.DataFrame.from_dict(rows, orient="index")
    table = pd.DataFrame({translate(COLUMNS[name]): written(costs[name]) for name in COLUMNS})
    learned = costs["parameters"]
    counted = bars(s, learned, lambda _curve, place: parameter_steps(encodings[place]))
    measured = [bars(s, costs[name]) for name in ("time", "memory")]
    return screen.Picture(
        words="" if learned.any() else _("None of these learns anything: 0 parameters each."),
        figures=[
            screen.RowFigure(figures=[counted, *measured] if learned.any() else measured),
            screen.WordsFigure(caption(s.attention)),
            screen.WordTableFigure(name=say("cost"), frame=table),
        ],
        code=code.cost(s.attention, s.compared),
    )


def written(costs: pd.Series) -> pd.Series:
    """Counts whole, measured numbers with three digits, and a dash where there is none."""
    form = ",.0f" if costs.name in COUNTED else ".3g"
    return costs.map(lambda cost: "–" if math.isnan(cost) else number(cost, form))


def bars(s: Settings, costs: pd.Series, steps: Explain | None = None) -> screen.BarsFigure:
    """A bar for each encoding; what is measured has no steps."""
    name = translate(BARS[str(costs.name)])
    title = _("{cost}, measured", cost=name)
    if steps is not None:
        title = plural(
            "{cost} for {count} head, counted",
            "{cost} for {count} heads, counted",
            s.attention.num_heads,
            cost=name,
        )
    return screen.BarsFigure(
        key=str(costs.name),
        alt=_("Bars of {cost} for each encoding", cost=name),
        values=costs.to_numpy(),
        name=name,
        title=title[:1].upper() + title[1:],
        x_title="",
        y_title=name,
        ticks=list(costs.index),
        labels=list(costs.index),
        color=[one.look.color for one in s.compared],
        y_range=(0, 1.2 * costs.max() or 1),
        finish=lambda drawn: drawn.restyle(
            # The empty line leaves room for the mark.
            text=written(costs) + "<br> ",
            textposition="outside",
            cliponaxis=False,
        ),
        steps=steps,
        x_name=_("encoding"),
        point=(0, int(costs.to_numpy().argmax())),
        height=320,
    )


def caption(settings: ComparisonSettings) -> str:
    """Sentence on what was measured, where, and how."""
    threads = torch.get_num_threads()
    place = plural(
        "`{device}` in `{dtype}` with {count} thread",
        "`{device}` in `{dtype}` with {count} threads",
        threads,
        device=settings.device.type,
        dtype=str(device.working_dtype(settings.device)).removeprefix("torch."),
    )
    return _(
        "Time and memory have no formula. They were measured here and now, on {place}: one "
        "attention over {tokens:,} tokens with {heads} heads of {channels} channels, from "
        "embeddings to output, without projections. What an encoding learns is random. The "
        "time is the median of the calls, the memory what tensors held at the peak. Other work "
        "of this machine counts too, so compare only bars of one picture.",
        place=place,
        tokens=settings.length,
        heads=settings.num_heads,
        channels=settings.head_dim,
    )
