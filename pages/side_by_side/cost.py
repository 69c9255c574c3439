"""What one attention of each encoding takes here and now: parameters, time, memory."""

import math
from collections.abc import Sequence
from dataclasses import replace

import pandas as pd
import streamlit as st
import torch

from pages.side_by_side import code as side_by_side_code
from pages.side_by_side import comparison as side_by_side
from pages.side_by_side import timing as cost
from pages.side_by_side.comparison import LETTERS, ComparisonSettings, Contender
from plots.figure import Figure
from plots.lines import bars
from posenc.quantity.parameters import parameter_steps
from posenc.words import say
from ui import screen
from ui.charts.component import chart
from ui.charts.curve import curve_chart
from ui.controls import device
from ui.screen.budget import seat
from ui.text import live
from ui.words import _, plural, translate

BARS = {
    "parameters": say("parameters"),
    "time": say("time (ms)"),
    "memory": say("memory (KiB)"),
}
COLUMNS = BARS | {"calls": say("calls timed")}


def show(settings: ComparisonSettings, contenders: Sequence[Contender]) -> screen.ScreenView:
    """Parameters, time and memory of one attention of each, measured now."""
    rows = {}
    encodings = []
    for letter, one in zip(LETTERS, contenders, strict=False):
        large = replace(settings, encoding=one.entry)
        live.check_length(large)
        with seat(live.memory_needed(large)):
            work, encoding = side_by_side.attention_of(settings, one)
            time, calls = cost.milliseconds(work, settings.device)
            held = cost.peak_bytes(work, settings.device)
        encodings.append(encoding)
        rows[f"{letter} {one.title}"] = {
            "parameters": sum(p.numel() for p in encoding.parameters()),
            "time": time,
            "memory": math.nan if held is None else held / 1024,
            "calls": calls,
        }
    frame = pd.DataFrame.from_dict(rows, orient="index")
    for place, name in zip(st.columns(3, gap="medium"), BARS, strict=True):
        with place:
            figure, alt = picture(frame[name], [one.look.color for one in contenders])
            if name != "parameters":
                chart(figure, key=name, alt=alt, height=320)
                continue
            curve_chart(
                figure,
                lambda _curve, place: parameter_steps(encodings[place]),
                key=name,
                alt=alt,
                names=[translate(BARS[name])],
                places=(0, len(frame) - 1),
                x_name=_("encoding"),
                default=(0, int(frame[name].to_numpy().argmax())),
                height=320,
                labels=list(rows),
            )
    shown = frame.rename(columns={name: translate(title) for name, title in COLUMNS.items()})
    st.dataframe(shown)
    caption(settings)
    return screen.ScreenView(
        lambda: {_("cost"): shown}, side_by_side_code.cost(settings, contenders)
    )


def picture(costs: pd.Series, colors: Sequence[str]) -> tuple[Figure, str]:
    """A bar for each encoding, and what it shows for those who cannot see it."""
    name = translate(BARS[str(costs.name)])
    figure = bars(
        costs.to_numpy(),
        title=name[:1].upper() + name[1:],
        x_title="",
        y_title=name,
        labels=list(LETTERS[: len(costs)]),
        color=colors,
        y_range=(0, 1.1 * costs.max() or 1),
    )
    return figure, _("Bars of {cost} for each encoding", cost=name)


def caption(settings: ComparisonSettings) -> None:
    """What was measured, where, and how."""
    threads = torch.get_num_threads()
    place = plural(
        "`{device}` in `{dtype}` with {count} thread",
        "`{device}` in `{dtype}` with {count} threads",
        threads,
        device=settings.device.type,
        dtype=str(device.working_dtype(settings.device)).removeprefix("torch."),
    )
    st.caption(
        _(
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
    )
