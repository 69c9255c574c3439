"""The lab's jobs for the screens: opened once, found by what they train, steered by buttons."""

from collections.abc import Callable
from functools import cache

import streamlit as st
from sqlalchemy.exc import OperationalError

from lab.queue.jobs import Job, Lab
from lab.queue.settings import LabSettings
from lab.spec import RunSpec
from ui import screen


@cache
def _open(settings: LabSettings) -> Lab:
    return Lab(settings)


def open_lab() -> Lab:
    """The lab that the environment names, one for all visitors of this server.

    Raises:
        ValueError: If its folder or its database cannot be used, in a sentence.
    """
    settings = LabSettings.from_environment()
    try:
        return _open(settings)
    except (OSError, OperationalError):
        raise ValueError(
            f"The lab's folder {settings.home} or its database cannot be written, so nothing can "
            "be trained here. Name another folder in POSENC_LAB_HOME."
        ) from None


def spec_of(job: Job) -> RunSpec | None:
    """What a training job trains; None for other kinds of jobs."""
    return RunSpec.from_dict(job.payload["spec"]) if job.kind == "train" else None


def job_for(lab: Lab, spec: RunSpec) -> Job | None:
    """The newest job that trains exactly this and was not cancelled."""
    for job in lab.jobs():
        if job.payload.get("spec") == spec.to_dict() and job.state != "cancelled":
            return job
    return None


def submit(lab: Lab, spec: RunSpec) -> int | None:
    """Queue a training and see to it that somebody does it; a refusal is shown as its sentence."""
    with screen.guard():
        number = lab.submit("train", {"spec": spec.to_dict()})
        lab.ensure_worker()
        return number
    return None


def duration(seconds: float) -> str:
    """Seconds in words that fit their precision: 8 s, 1 min 20 s, 2 h 5 min."""
    if seconds < 60:
        return f"{seconds:.0f} s"
    if seconds < 3600:
        return f"{seconds // 60:.0f} min {seconds % 60:.0f} s"
    return f"{seconds // 3600:.0f} h {seconds % 3600 // 60:.0f} min"


def steer(lab: Lab, job: Job) -> None:
    """Pause, go on, cancel: what makes sense in the job's state."""
    stopping = job.wanted is not None
    buttons = {
        "Pause": (lab.pause, job.state in ("queued", "running") and not stopping),
        "Go on": (lab.resume, job.state in ("paused", "failed") or job.wanted == "paused"),
        "Cancel": (lab.cancel, not job.ended and job.wanted != "cancelled"),
        "Remove": (lab.remove, job.ended),
    }
    with st.container(horizontal=True):
        for name, (act, possible) in buttons.items():
            if possible:
                st.button(
                    name,
                    key=f"{name}_{job.id}",
                    on_click=_act,
                    args=(act, job.id),
                    help=HELP[name],
                )


HELP = {
    "Pause": "It saves and waits; another job may run meanwhile.",
    "Go on": "Back into the queue; it goes on from where it saved.",
    "Cancel": "It ends without a result.",
    "Remove": "Forget the job, its curves and its weights.",
}


def _act(act: Callable[[int], None], number: int) -> None:
    """A job may have ended since its button was drawn: then the sentence says so."""
    with screen.guard():
        act(number)
