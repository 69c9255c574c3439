"""A checkpoint of the reader's own on the screen: what it is, what measuring costs, its curve."""

import json
import shutil
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from lab.measuring import own_checkpoint as own
from lab.measuring.own_losses import estimate, lengths_for
from lab.measuring.text import TAIL
from lab.model.methods import SLIDE
from lab.queue.jobs import UNFINISHED, Job, Lab
from lab.queue.perform import ROWS
from lab.queue.settings import CHECKPOINTS
from lab.results.steps import text_steps
from lab.results.tables import load
from lab.training.export_hf import export
from plots.lines import Mark, Series, lines
from plots.looks import look
from plots.style import shade_outside_training
from posenc import Step
from posenc.words import say
from ui import screen
from ui.charts.measured import Followed, measured_chart
from ui.jobs.desk import duration, steer
from ui.jobs.looks import title
from ui.jobs.polling import polled
from ui.jobs.progress import progress
from ui.screen.budget import readable_bytes
from ui.words import _, number, translate

EXAMPLE = "shipped-rope"
PACE = 2e10
"""Floating-point operations per second that are assumed until a job has shown better."""

TRAINED = 128
EXAMPLE_MODEL = "text-rope"
EXAMPLE_METHODS = ("slide", "none", "linear", "yarn")
EXAMPLE_LONGEST = 2048

EXAMPLE_CODE = """\
import pandas as pd

table = pd.read_csv("data/lab/text.csv")
table = table[(table.run == "text-rope-s0") & (table.measure == "tail") & (table.tuned == 0)]
bits = table.groupby(["method", "length"]).bits.mean()
lengths = [128 << step for step in range(5)]
# All methods start from the model as it is at its trained length.
values = torch.tensor(
    [
        [bits["none" if length == 128 else method][length] for length in lengths]
        for method in ("none", "linear", "yarn")
    ],
    dtype=torch.float64,
)
"""

CODE = """\
import json
from pathlib import Path
from lab.queue.jobs import Lab

with Lab() as lab:
    rows = lab.results(job={job})
bits = [row["bits"] for row in rows if row["method"] == "none"]
lengths = sorted({{row["length"] for row in rows}})
values = torch.tensor(bits).view(len(lengths), -1).mean(1)
print(lengths, values)
"""


def folder_of(lab: Lab) -> Path:
    """Where the reader's own checkpoints lie."""
    return lab.settings.home / CHECKPOINTS


def show_empty(lab: Lab) -> None:
    """What to do where there is no checkpoint yet."""
    if not lab.who.trusted:
        st.info(
            _(
                "Nobody has put a model on this server yet, which only its operator can. On a "
                "machine of your own you can: see the project's README."
            )
        )
        return
    st.info(
        _(
            "Put a transformers directory (`config.json`, `*.safetensors`, `tokenizer.json`) into "
            "the folder `{folder}` on the server, one directory for each model. Only safetensors "
            "are read, and no code of the directory is run.",
            folder=folder_of(lab),
        )
    )
    st.button(_("Take the project's model"), on_click=_example, args=(lab,))


def _example(lab: Lab) -> None:
    with screen.guard():
        if not lab.who.trusted:
            raise ValueError(lab.who.refusal)
        folder = folder_of(lab) / EXAMPLE
        shutil.rmtree(folder, ignore_errors=True)
        export("rope", folder)


def show_model(model: own.OwnModel, longest: int, methods: list[str], lab: Lab) -> None:
    """What the directory holds, and what measuring it will take."""
    architecture = str((model.config.get("architectures") or ["unknown"])[0])
    lengths = lengths_for(model, longest)
    cost = estimate(model, lengths, ("none", *methods))
    screen.readouts(
        {
            _("parameters"): number(model.parameters),
            _("trained length L"): number(model.length),
            _("memory"): readable_bytes(cost.memory),
            _("time, about"): duration(cost.operations / (lab.pace() or PACE)),
        },
        help={
            _("time, about"): _(
                "At the pace of the jobs done here; before any is done, at 20 GFLOP/s."
            )
        },
    )
    fits = translate(model.remark or say("Plain RoPE: every scaling fits."))
    st.caption(f"`{architecture}`. {fits}" if architecture.isidentifier() else fits)


def show_example() -> screen.ScreenView:
    """What a measurement looks like: the project's own RoPE model, as it ships."""
    table = load().rows("text", EXAMPLE_MODEL, seed=0, measure="tail", tuned=0)
    table = table[table.method.isin(EXAMPLE_METHODS) & (table.length <= EXAMPLE_LONGEST)]
    rows = table[["method", "length", "chunk", "bits"]].to_dict("records")
    st.caption(_("An example: the project's own RoPE model of text, measured when it was trained."))
    tables = show_curve(rows, TRAINED, _("the example"))
    return screen.ScreenView(lambda: tables, EXAMPLE_CODE)


def show_job(lab: Lab, job: Job, model: own.OwnModel) -> screen.Frames:
    """Progress and curve of a measurement, asked anew every second while it runs."""

    def show(now: Job) -> screen.Frames:
        progress(lab, now, None)
        steer(lab, now)
        st.caption(_("Measured on this machine by transformers."))
        rows, growing = rows_of(lab, now), now.state in UNFINISHED
        return show_curve(rows, model.length, model.folder.name, growing=growing)

    with screen.guard():
        return polled(lab, lambda: [lab.job(job.id)], lambda now: show(now[0])) or {}
    return {}


def rows_of(lab: Lab, job: Job) -> list[dict[str, Any]]:
    """What was measured so far."""
    path = lab.settings.folder(job.id) / ROWS
    if job.state != "done" and path.is_file():
        return list(json.loads(path.read_text()))
    return lab.results(job=job.id)


def curve_table(rows: list[dict[str, Any]]) -> pd.DataFrame:
    """Mean over the texts and its standard error, by method and length."""
    table = pd.DataFrame(rows, columns=["method", "length", "chunk", "bits"])
    grouped = table.groupby(["method", "length"], sort=False).bits
    return grouped.agg(bits="mean", se="sem", texts="size")


def show_curve(
    rows: list[dict[str, Any]], trained: int, name: str, *, growing: bool = False
) -> screen.Frames:
    """Loss of the last tokens against context length, and the sliding window.

    Args:
        rows: What was measured: method, length, chunk, bits.
        trained: L, tokens that the model was trained on.
        name: Of the model.
        growing: Whether more is being measured.
    """
    if not rows:
        return {}
    table = curve_table(rows)
    start = table.loc[["none"]].loc[("none", trained)] if "none" in table.index else None
    series, marks, followed = [], [], []
    lengths = sorted({length for _method, length in table.index})
    for method in dict.fromkeys(known for known, _length in table.index):
        found = table.loc[method].reindex(lengths)
        if method == SLIDE:
            marks.append(Mark("y", float(found.bits.dropna().iloc[0]), _("sliding window of L")))
            continue
        # All methods start from the model as it is at its trained length.
        origin = "none" if start is not None else method
        if start is not None:
            found.loc[trained] = start
        its = look(method)
        bits, se = found.bits.to_numpy(float), found.se.to_numpy(float)
        series.append(
            Series(
                title(method), bits, color=its.color, dash=its.dash, low=bits - se, high=bits + se
            )
        )  # fmt: skip
        known = [length for length, one in zip(lengths, bits, strict=True) if np.isfinite(one)]
        steps = partial(_steps, rows, {trained: origin}, method)
        followed.append(Followed(title(method), known, steps))
    if not series:
        return {_("curves"): table.reset_index()}
    figure = lines(
        lengths,
        series,
        title=_(
            "Loss of the last {tail} tokens against context, {name}",
            tail=min(TAIL, trained), name=name,
        ),
        x_title=_("context (tokens)"),
        y_title=_("loss (bits per token)"),
        log_x=True,
        marks=marks,
    )  # fmt: skip
    ticks = {"tickvals": lengths, "ticktext": [f"{length:,}" for length in lengths]}
    figure = figure.relayout(xaxis=ticks)
    figure = shade_outside_training(figure, trained, max(lengths))
    picture = st.container()
    st.caption(
        _(
            "{texts} texts, with the same target tokens at every length. A band is one standard "
            "error over the texts. With so few texts, differences inside the bands mean nothing.",
            texts=table.texts.max(),
        )
    )
    below = st.container()
    with picture:
        measured_chart(
            figure,
            followed,
            key="own",
            alt=_("Curves of the loss against the length of the context"),
            x_name=_("context (tokens)"),
            unit=_("bits per token"),
            height=420,
            rev=name,
            growing=growing,
            below=below,
        )
    values = np.array([one.y for one in series])
    return {
        _("curves"): pd.DataFrame(
            values.T,
            index=pd.Index(lengths, name=_("context")),
            columns=[one.name for one in series],
        ),
        _("errors"): table.reset_index(),
    }


def _steps(
    rows: list[dict[str, Any]], origins: dict[int, str], method: str, length: float
) -> tuple[Step, ...]:
    """The texts behind one point; at some lengths another method's are drawn."""
    key = origins.get(int(length), method), length
    return text_steps([row["bits"] for row in rows if (row["method"], row["length"]) == key])
