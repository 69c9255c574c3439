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
from plots.lines import bars
from posenc.quantity.parameters import parameter_steps
from ui import screen
from ui.charts.component import chart
from ui.charts.curve import curve_chart
from ui.controls import device
from ui.text import live


def show(settings: ComparisonSettings, contenders: Sequence[Contender]) -> screen.ScreenView:
    """Parameters, time and memory of one attention of each, measured now."""
    rows, encodings = {}, []
    for letter, one in zip(LETTERS, contenders, strict=False):
        live.check_length(replace(settings, encoding=one.entry))
        work, encoding = side_by_side.attention_of(settings, one)
        encodings.append(encoding)
        time, calls = cost.milliseconds(work, settings.device)
        held = cost.peak_bytes(work, settings.device)
        rows[f"{letter} {one.title}"] = {
            "parameters": sum(p.numel() for p in encoding.parameters()),
            "time (ms)": time,
            "memory (KiB)": math.nan if held is None else held / 1024,
            "calls timed": calls,
        }
    frame = pd.DataFrame.from_dict(rows, orient="index")
    colors = [one.look.color for one in contenders]
    for column, name in zip(st.columns(3, gap="medium"), list(frame)[:3], strict=True):
        with column:
            figure = bars(
                frame[name].to_numpy(),
                title=name[:1].upper() + name[1:],
                x_title="",
                y_title=name,
                labels=list(LETTERS[: len(frame)]),
                color=colors,
                y_range=(0, 1.1 * frame[name].max() or 1),
            )
            alt = f"Bars of {name} for each encoding"
            if name != "parameters":
                chart(figure, key=name.split()[0], alt=alt, height=320)
                continue
            curve_chart(
                figure,
                lambda _, place: parameter_steps(encodings[place]),
                key=name,
                alt=alt,
                names=[name],
                places=(0, len(frame) - 1),
                x_name="encoding",
                default=(0, int(frame[name].to_numpy().argmax())),
                height=320,
                labels=list(rows),
            )
    st.dataframe(frame)
    threads = torch.get_num_threads()
    st.caption(
        "Time and memory have no formula: they were measured here and now, on "
        f"{settings.device.type} in "
        f"{str(device.working_dtype(settings.device)).removeprefix('torch.')} with "
        f"{threads} thread{'s' * (threads > 1)}: one attention over {settings.length:,} tokens "
        f"with {settings.num_heads} heads of {settings.head_dim} channels, from embeddings to "
        "output, without projections; what an encoding learns is random. Time: median of the "
        "calls. Memory: tensors held at the peak. What else this machine does counts too; compare "
        "bars of one picture only."
    )
    return screen.ScreenView(lambda: {"cost": frame}, side_by_side_code.cost(settings, contenders))
