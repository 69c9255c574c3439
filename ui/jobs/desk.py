"""The lab's jobs for the screens: opened once, found by what they train, steered by buttons."""

import logging
from collections.abc import Callable
from functools import cache

import streamlit as st

from lab.queue import starting
from lab.queue.jobs import Lab
from lab.queue.records import Job
from lab.queue.settings import LabSettings
from lab.spec import RunSpec
from posenc.words import say
from ui import screen
from ui.jobs.visitor import on_this_machine, signs_in, visitor
from ui.streamlit.server import SignInError
from ui.words import _, translate

LOG = logging.getLogger("posenc.lab")


@cache
def _open(settings: LabSettings) -> Lab:
    return Lab(settings)


def open_lab() -> Lab:
    """The lab that the environment names, one for all, as this visitor may use it.

    Raises:
        ValueError: If it is closed, does not answer, or a setting is not what it must be.
    """
    who = visitor()
    if who.mode == "off" and not who.admin:
        raise ValueError(who.refusal)
    return lab_of_all().seen_by(who)


def lab_of_all() -> Lab:
    """The lab that the environment names, opened once for all; asked, so that it answers.

    Raises:
        ValueError: If it does not answer, or a setting is not what it must be.
    """
    settings = LabSettings.from_environment()
    lab = _open(settings)
    if lab.lost():
        # Its folder was removed or put in place of another: what is open is a ghost.
        _open.cache_clear()
        lab.close()
        lab = _open(settings)
    return lab


def spec_of(job: Job) -> RunSpec | None:
    """Specification of a training job's run; None for other kinds of jobs."""
    return RunSpec.from_dict(job.payload["spec"]) if job.kind == "train" else None


def job_for(lab: Lab, spec: RunSpec) -> Job | None:
    """The newest job that trains exactly this and was not cancelled."""
    for job in lab.shown():
        if job.payload.get("spec") == spec.to_dict() and job.state != "cancelled":
            return job
    return None


def may_order(lab: Lab | None) -> bool:
    """Whether this visitor may order jobs; where not, a sentence says why."""
    if lab is not None and not lab.who.may_order:
        st.caption(translate(lab.who.refusal))
        ways_to_order(lab)
    return lab is not None and lab.who.may_order


def ways_to_order(lab: Lab) -> None:
    """Draw what lets this visitor order jobs, where something does."""
    if lab.who.mode == "read" and on_this_machine():
        st.caption(
            _(
                "For whoever started this server: the address that it printed in the terminal has "
                "a button *Train it*."
            )
        )
    if signs_in() and lab.who.mode == "own":
        st.button(_("Sign in"), on_click=sign_in)


def sign_in() -> None:
    """Send the reader to the provider of accounts; for callbacks."""
    with screen.guard():
        try:
            st.login()
        except SignInError as error:
            LOG.error("signing in is not set up: %s", error)
            raise ValueError(
                say(
                    "Signing in is not set up as it must be on this server; its log says what is "
                    "missing. Everything that needs no account goes on."
                )
            ) from None


def submit(lab: Lab, spec: RunSpec) -> int | None:
    """Queue a training and see to it that somebody does it; a refusal is shown as its sentence."""
    with screen.guard():
        number = lab.submit("train", {"spec": spec.to_dict()})
        starting.ensure_worker(lab)
        return number
    return None


def duration(seconds: float) -> str:
    """Seconds in words that fit their precision: 8 s, 1 min 20 s, 2 h 5 min."""
    seconds = round(seconds)
    minutes = seconds // 60
    if not minutes:
        return _("{seconds:.0f} s", seconds=seconds)
    if minutes < 60:
        return _("{minutes:.0f} min {seconds:.0f} s", minutes=minutes, seconds=seconds % 60)
    return _("{hours:.0f} h {minutes:.0f} min", hours=minutes // 60, minutes=minutes % 60)


def steer(lab: Lab, job: Job) -> None:
    """Pause, resume, cancel, remove: what makes sense in the job's state, to who may do it."""
    if not lab.who.may_steer(job.owner):
        return
    stopping = job.wanted is not None
    possible = {
        "pause": job.state in ("queued", "running") and not stopping,
        "resume": job.state in ("paused", "failed") or job.wanted == "paused",
        "cancel": not job.ended and job.wanted != "cancelled",
        "remove": job.ended,
    }
    acts = {"pause": lab.pause, "resume": lab.resume, "cancel": lab.cancel, "remove": lab.remove}
    with st.container(horizontal=True):
        for name, (label, help) in BUTTONS.items():
            if possible[name]:
                st.button(
                    translate(label),
                    key=f"{name}_{job.id}",
                    on_click=acting,
                    args=(acts[name], job.id),
                    help=translate(help),
                )


BUTTONS = {
    "pause": (
        say("Pause"),
        say("The job saves its state and waits; another job may run meanwhile."),
    ),
    "resume": (
        say("Resume"),
        say("The job goes back into the queue and continues from its last saved state."),
    ),
    "cancel": (say("Cancel"), say("The job ends without a result.")),
    "remove": (say("Remove"), say("The job is deleted with its curves and its weights.")),
}
"""Label and help, by id."""


def acting(act: Callable[..., None], *what: object) -> None:
    """For buttons: a job may have ended since its button was drawn, and then a sentence says so."""
    with screen.guard():
        act(*what)
