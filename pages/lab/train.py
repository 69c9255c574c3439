"""Train it now: the job that trains what the controls say, or the model that ships."""

import streamlit as st

from lab.queue.jobs import Lab
from lab.queue.records import Job
from lab.queue.work.costs import measuring_operations
from lab.spec import RunSpec
from pages.lab.models import shipped_model
from pages.lab.panel import JobSettings, job_panel, recall_picture
from ui.controls.command import show_command
from ui.jobs.desk import duration, steer, ways_to_order
from ui.jobs.progress import progress
from ui.screen.layout import ScreenView
from ui.site.public import folder
from ui.words import _, translate


def train_view(
    lab: Lab | None, job: Job | None, spec: RunSpec, settings: JobSettings
) -> ScreenView | None:
    """The job's training and the recall of its model; the shipped model where there is none."""
    if lab is not None and job is not None:
        if job.state != "failed":
            return job_panel(lab, job, settings)
        progress(lab, job, spec)
        steer(lab, job)
    model = shipped_model(spec)
    if model is None:
        st.info(
            _(
                "{title} with seed {seed} has not been trained on this server, and no such model "
                "comes with the project.",
                title=spec.title,
                seed=spec.seed,
            )
        )
        return None
    view = recall_picture(model, settings, f'path = Path("data/lab/{model.path.name}")\n')
    about = _("This model comes with the project.")
    if lab is not None and lab.who.may_order:
        about = _(
            "This model comes with the project, trained by the same recipe. Press the button to "
            "train one of your own; it is then shown here instead."
        )
    st.caption(about)
    return view


def train_at_home(lab: Lab | None, spec: RunSpec) -> None:
    """Tell who may order nothing here how the model that is shown is trained elsewhere."""
    st.header(_("Train one of your own"), anchor="train-one-of-your-own")
    if lab is not None and lab.who.mode != "read":
        st.markdown(translate(lab.who.refusal))
    st.markdown(
        _(
            "Models are trained on a machine of yours, with Python 3.11 or newer: download "
            "{folder}, unpack it and open a terminal there. `make run` installs what it needs and "
            "starts this app with a button *Train it*. Without the app, `make install`, and then "
            "this command trains the model that is chosen above:",
            folder=folder(),
        )
    )
    show_command(command(spec), "train")
    st.caption(expectation(lab, spec))
    if lab is not None:
        ways_to_order(lab)


def command(spec: RunSpec) -> str:
    """Command that trains the run from a terminal, in the project's folder."""
    settings = "".join(f" --set {name}={value:g}" for name, value in spec.settings.items())
    seed = f" --seed {spec.seed}" if spec.seed else ""
    return f".venv/bin/python -m lab train {spec.encoding}{settings}{seed}"


def expectation(lab: Lab | None, spec: RunSpec) -> str:
    """How long the training will take: from the jobs done here, else from the shipped run."""
    updates = {"updates": spec.updates, "tokens": spec.tokens_per_update}
    pace = lab.pace() if lab is not None else None
    if lab is not None and pace is not None:
        operations = lab.cost("train", {"spec": spec.to_dict()}).operations
        seconds = (operations - measuring_operations(spec)) / pace
        return _(
            "{updates:,} updates of {tokens:,} tokens: about {time} of training here.",
            time=duration(seconds),
            **updates,
        )
    model = shipped_model(spec)
    if model is None:
        return _("{updates:,} updates of {tokens:,} tokens.", **updates)
    return _(
        "{updates:,} updates of {tokens:,} tokens; the model that comes with the project took "
        "{time} to train.",
        time=duration(model.run.facts["seconds"]),
        **updates,
    )
