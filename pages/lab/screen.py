"""Trained models: train a small transformer before the class, and read past its training length."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from lab.queue.access import Access
from lab.queue.jobs import Lab
from pages.lab import controls as lab_controls
from pages.lab.jobs import jobs_table
from pages.lab.longer import finished_runs, queue, show_cost, snippet, with_text
from pages.lab.panel import job_panel
from pages.lab.train import expectation, train_at_home, train_view
from posenc.words import Sentence, say
from ui import controls, screen
from ui.jobs.desk import job_for, may_order, open_lab, spec_of, submit
from ui.jobs.polling import polled
from ui.jobs.visitor import administrator
from ui.words import _


@dataclass(frozen=True)
class Places:
    """Where things stand on this screen."""

    left: DeltaGenerator
    right: DeltaGenerator
    options: DeltaGenerator
    """Beside the choice of the picture."""


def train_now(lab: Lab | None, place: Places) -> screen.ScreenView | None:
    """One button, one minute, one model."""
    may = lab is not None and lab.who.may_order
    pressed = False
    with place.left:
        first = st.container() if may else st.container(key=controls.FIRST)
        base, more = st.container(), st.expander(_("More"))
        with base:
            spec = lab_controls.recall_run(first, more)
        if may:
            with st.container(key=controls.FIRST):
                pressed = st.button(_("Train it"), type="primary")
                st.caption(expectation(lab, spec))
    with place.right:
        if pressed and lab is not None:
            submit(lab, spec)
        job = job_for(lab, spec) if lab is not None else None
        with more:  # what ships is read, and its training is not drawn
            log_loss = job is None or job.state == "failed" or lab_controls.log_axis()
        with place.options:
            settings = lab_controls.job_settings(log_loss, spec)
        view = train_view(lab, job, spec, settings)
        if not may:
            train_at_home(lab, spec)
        return view


def longer_runs(lab: Lab | None, place: Places) -> screen.ScreenView | None:
    """Choose, see the cost, queue; what is done stands under it."""
    if lab is not None and not lab.who.may_order:
        with place.left:
            task = lab_controls.task_of_runs()
        with place.right:
            tables = finished_runs(lab, task)
            return screen.ScreenView(lambda: tables, "") if tables else None
    with place.left:
        runs, text = lab_controls.longer_runs(lab)
        with st.container(key=controls.FIRST):
            pressed = may_order(lab) and st.button(_("Queue"), type="primary")
    with place.right:
        if lab is None:
            return None
        cost = show_cost(lab, runs)
        if pressed:
            queue(lab, with_text(lab, runs, text))
        tables = {_("cost"): cost, **finished_runs(lab, runs[0].task)}
        return screen.ScreenView(lambda: tables, snippet(runs[0], bool(text)))


def all_jobs(lab: Lab | None, place: Places) -> screen.ScreenView | None:
    """Every job of this server, and one of them closely."""
    if lab is None:
        return None
    if not lab.jobs(most=1):
        none = _("No job has been started on this server yet.")
        if lab.who.may_order:
            how = _("*Train it now* trains a model in a few minutes, *Longer runs* queues several.")
            none = f"{none} {how}"
        place.right.info(none)
        with place.left:
            administrator()
        return None
    with place.left:
        job = lab_controls.chosen_job(lab)
        with st.expander(_("More")):
            log_loss = lab_controls.log_axis()
            administrator()
    with place.right:
        with place.options:
            settings = lab_controls.job_settings(log_loss, spec_of(job))
        polled(lab, lab.shown, partial(jobs_table, lab))
        return job_panel(lab, job, settings)


PICTURES = {"train": say("Train it now"), "longer": say("Longer runs"), "jobs": say("Jobs")}
DRAW = {"train": train_now, "longer": longer_runs, "jobs": all_jobs}


def pictures(lab: Lab | None) -> Mapping[str, Sentence]:
    """The views that have something: where nothing may be ordered, those of what was done."""
    if lab is not None and lab.who.may_order:
        return PICTURES
    looked_at = PICTURES | {"train": say("A trained model")}
    access = Access.from_environment()
    if lab is None and access.mode != "off":  # it does not answer now: nobody loses the view
        return looked_at
    if lab is None or not lab.jobs("done", most=1):
        del looked_at["longer"]
    if lab is None or not (lab.jobs(most=1) or access.admin):
        del looked_at["jobs"]
    return looked_at


def main() -> None:
    lesson = screen.header("lab")
    lab = None
    with screen.guard():
        lab = open_lab()
    left, right = screen.columns(has_first=True)
    shown = None
    with right:
        views = pictures(lab)
        view, options = "train", st.container()
        if len(views) > 1:
            view_place, options = st.columns([4, 6])
            with view_place:
                view = controls.choice(
                    "view",
                    _("View"),
                    views,
                    wide=True,
                    help=_("One model; longer runs; everything that is queued."),
                )
        with screen.guard():
            shown = DRAW[view](lab, Places(left, right, options))
            controls.say_misspelt(lab_controls.NAMES)
    screen.ask(lesson)
    screen.notice(lesson)
    screen.tabs(lesson, shown)


main()
