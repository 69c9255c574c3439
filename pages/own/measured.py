"""Measurements of a model: its curves as they grow, the keys it found, and the numbers."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import pandas as pd
import streamlit as st

from lab.queue.jobs import Lab
from lab.queue.records import Job
from models.measuring.loss import FILE as LOSSES
from models.measuring.own import Own
from models.measuring.own_run import read_plan
from models.measuring.table import Row
from models.results.keys import keys as found_keys
from models.results.losses import Bits, bits
from models.results.tables import (
    DATA,
    PLAIN,
    Measured,
    lengths,
    load,
    steadiest,
    usual_length,
    way,
)
from pages.own.before import jobs_of, passes_words, roughly, rows_of
from ui import controls, screen
from ui.jobs.desk import steer
from ui.jobs.looks import title
from ui.jobs.losses import loss_figure, way_title
from ui.jobs.polling import polled
from ui.jobs.progress import progress
from ui.screen.one_file import download
from ui.words import _, number, plural, translate
from ui.words.sheet import csv

CODE = """\
import csv
from pathlib import Path

rows = []
for name in {files!r}:
    with Path(name).open() as file:
        rows += [row for row in csv.DictReader(file) if row["length"] == "{length}"]


def mean(method, factor):
    \"\"\"Bits per token, block by block, over the texts.\"\"\"
    its = [row for row in rows if row["method"] == method and float(row["factor"]) == factor]
    texts = [[float(row["bits"]) for row in its if row["text"] == text] for text in {texts!r}]
    return torch.tensor(texts, dtype=torch.float64).mean(0)


values = torch.stack([mean(*way) for way in {ways!r}])
"""


def show_measured(lab: Lab, model: Own) -> screen.ScreenView | None:
    """Progress and curves, asked anew every second while more is measured; None without any."""
    jobs = jobs_of(lab, model)
    if not jobs:
        if lab.who.may_order:  # else there is nothing to press
            st.info(_("Nothing was measured of this model yet. Press *Measure*."))
        return None

    def show(now: list[Job]) -> screen.ScreenView | None:
        if not now:
            return None
        newest = now[0]
        _tell(lab, newest)
        steer(lab, newest)
        losses, keys = rows_of(lab, model, now)
        if not losses:
            return None
        files = [lab.settings.folder(job.id) / LOSSES for job in reversed(now)]
        files = [file for file in files if file.is_file()]
        if not lab.who.trusted:  # folders of a server are nobody's business: it is the download
            files = [Path(f"{model.found.id}-{LOSSES}")]
        about = Shown(model.found.title, model.trained, files)
        view = show_curves(about, losses, growing=not newest.ended)
        tables = {**view.tables(), **_keys(model, keys)}
        _downloads(model, losses, keys)
        return screen.ScreenView(lambda: tables, view.code)

    return polled(lab, lambda: jobs_of(lab, model), show)


def _tell(lab: Lab, job: Job) -> None:
    """Tell how the measuring goes, and which passes were picked."""
    progress_of_own(lab, job)
    plan = read_plan(lab.settings.folder(job.id))
    if plan is None:
        return
    if plan.picked.units:
        st.caption(_("Picked: {passes}.", passes=passes_words(plan.picked)))
    if plan.remark:
        st.caption(_("No keys are asked for: {why}", why=translate(plan.remark)))


def progress_of_own(lab: Lab, job: Job) -> None:
    """A bar with the pass that is being made; the usual sentence where none is."""
    now = job.values
    if job.state != "running" or "method" not in now or job.wanted:
        progress(lab, job, None)
        return
    if now["kind"] == "loss":
        what = _("`{text}`", text=now["text"])
    else:
        what = _("keys of text {number}", number=int(now["text"]) + 1)
    st.progress(
        job.done / job.total,
        _(
            "Pass {number} of {total}: {what}, {method}, {length:,} tokens; about {left} left.",
            number=job.done + 1,
            total=job.total,
            what=what,
            method=title(now["method"]),
            length=now["length"],
            left=roughly(now["left"]),
        ),
    )


@dataclass(frozen=True)
class Shown:
    """The model of some curves, and the files of their rows."""

    title: str
    trained: int
    files: list[Path]


def show_curves(about: Shown, losses: Sequence[Row], *, growing: bool) -> screen.ScreenView:
    """Loss against position, a curve for each way, all over the same texts."""
    there = lengths(losses)
    length = there[-1]
    if len(there) > 1:
        options = {str(one): number(one) for one in reversed(there)}
        length = int(
            controls.choice(
                "length",
                _("Tokens per pass"),
                options,
                str(length),
                help=_("Every length that was measured of this model."),
            )
        )
    rows = [row for row in losses if row["length"] == length]
    ways = list(dict.fromkeys(way(row) for row in rows if row["text"] == rows[0]["text"]))
    found = bits(Measured("", tuple(rows), (), ()), length, ways)
    figure = loss_figure(
        found,
        ways,
        about.title,
        about.trained,
        key="own",
        caption=_band(found, way_title(steadiest(ways))),
        rev=f"{about.title} {length}",
        growing=growing,
    )
    code = CODE.format(
        files=[str(file) for file in about.files],
        length=length,
        texts=found.texts,
        ways=[tuple(one) for one in ways],
    )
    return screen.ScreenView(figure.draw().tables, code)


def _band(found: Bits, partner: str) -> str:
    texts = plural("{count} text", "{count} texts", len(found.texts))
    if len(found.texts) < 2:
        return _("{texts}: another may say something else.", texts=texts)
    return _(
        "Mean over {texts}, the same for all curves. A band reaches from the text with the "
        "smallest difference to *{partner}* to the one with the largest: it says how these texts "
        "differ, not how others may.",
        texts=texts,
        partner=partner,
    )


def _keys(model: Own, rows: list[Row]) -> dict[str, pd.DataFrame]:
    """Keys that were found of those that were asked for, by length."""
    if not rows:
        return {}
    ways = list(dict.fromkeys(map(way, rows)))
    shares = {}
    for one, found in found_keys(Measured(model.id, (), tuple(rows), ()), ways).items():
        _share, low, high = found.by_length()
        counts = zip(found.right.sum(0), found.asked.sum(0), low, high, strict=True)
        shares[way_title(one)] = [
            _(
                "{right} of {asked} ({low:.0f} to {high:.0f}%)",
                right=int(right),
                asked=int(asked),
                low=start,
                high=end,
            )
            for right, asked, start, end in counts
        ]
        counted = found.lengths
    columns = [_("{length:,} tokens", length=n) for n in counted]
    frame = pd.DataFrame.from_dict(shares, orient="index", columns=columns)
    frame = frame.rename_axis(_("keys found"))
    st.table(frame)
    st.caption(
        _(
            "Ten named keys stand in filler as long as the context, and each is asked for; a key "
            "counts where each of its tokens is the most likely next one. In brackets: the "
            "95% interval of the share (Wilson)."
        )
    )
    return {_("keys found"): frame}


def _downloads(model: Own, losses: list[Row], keys: list[Row]) -> None:
    """Every row as it was measured."""
    with st.container(horizontal=True):
        for name, rows in (("losses.csv", losses), ("keys.csv", keys)):
            if rows:
                download(
                    _("Download {name}", name=name),
                    partial(csv, pd.DataFrame(rows), index=False),
                    f"{model.found.id}-{name}",
                    key=f"get_{name}",
                )


def show_example(model: Own | None = None) -> screen.ScreenView:
    """Show an example of a measurement: the model that ships with its curves."""
    shipped = load()
    if model is not None and model.found.id == shipped.model:
        st.caption(_("What ships of this model with the screen *Extrapolation, measured*:"))
    else:
        st.caption(
            _(
                "An example: {model}, which was measured for the screen *Extrapolation, measured*.",
                model=shipped.about.title,
            )
        )
    file = Path(DATA.parent.name, DATA.name, LOSSES)
    longest = usual_length(shipped.losses)
    needed = longest / shipped.about.trained  # the factor of what is measured here
    rows = [
        row
        for row in shipped.losses
        if row["length"] == longest and row["factor"] in (PLAIN.factor, needed)
    ]
    return show_curves(
        Shown(shipped.about.title, shipped.about.trained, [file]), rows, growing=False
    )
