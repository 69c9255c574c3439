"""Train it now: the job that trains what the controls say, or the model that ships."""

import streamlit as st

from lab.queue.costs import measuring_operations
from lab.queue.jobs import Job, Lab
from lab.spec import RunSpec
from pages.lab.models import shipped_model
from pages.lab.panel import JobSettings, job_panel, recall_picture
from ui.jobs.desk import duration, steer
from ui.jobs.progress import progress
from ui.screen.view import ScreenView


def train_view(
    lab: Lab | None, job: Job | None, spec: RunSpec, settings: JobSettings
) -> ScreenView | None:
    """The job's training and the recall of its model; the shipped model where there is none.

    Args:
        lab: The lab; None where it cannot be used.
        job: The job that trains `spec`, if there is one.
        spec: The recall run that the controls describe.
        settings: How its model is looked at.
    """
    if lab is not None and job is not None:
        if job.state != "failed":
            return job_panel(lab, job, settings)
        progress(lab, job, spec)
        steer(lab, job)
    model = shipped_model(spec)
    if model is None:
        st.info(
            f"{spec.title} with seed {spec.seed} has not been trained on this server, and no such "
            "model comes with the project. Press the button."
        )
        return None
    st.caption(
        "This model comes with the project, trained by the same recipe. Press the button and watch "
        "your own grow; it then takes this place."
    )
    return recall_picture(model, settings, f'path = Path("data/lab/{model.path.name}")\n')


def expectation(lab: Lab | None, spec: RunSpec) -> str:
    """How long the training will take: from the jobs done here, else from the shipped run."""
    words = f"{spec.updates:,} steps of {spec.tokens_per_update:,} tokens"
    pace = lab.pace() if lab is not None else None
    if lab is not None and pace is not None:
        operations = lab.cost("train", {"spec": spec.to_dict()}).operations
        return f"{words}: about {duration((operations - measuring_operations(spec)) / pace)} here."
    model = shipped_model(spec)
    if model is None:
        return f"{words}."
    return f"{words}; took {duration(model.run.facts['seconds'])} where the project's was made."
