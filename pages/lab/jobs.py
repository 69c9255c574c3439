"""The jobs of this lab in a table, the newest first."""

import pandas as pd
import streamlit as st

from lab.queue.jobs import Lab
from lab.queue.records import STATES, Job
from ui.jobs.desk import duration, spec_of
from ui.jobs.looks import KINDS, TASKS
from ui.words import _, translate


def jobs_table(lab: Lab, jobs: list[Job]) -> None:
    """State and progress of every job."""
    st.dataframe(
        pd.DataFrame([_row(lab, job) for job in jobs]),
        hide_index=True,
        height=min(38 + 35 * len(jobs), 320),
        column_config={
            _("progress"): st.column_config.ProgressColumn(_("progress"), format="percent")
        },
    )


def _row(lab: Lab, job: Job) -> dict[str, object]:
    spec = spec_of(job)
    trains = job.state == "running" and (spec is None or job.done < spec.updates)
    left = job.remaining if trains else None
    return {
        _("job"): job.id,
        **({_("whose"): _("yours") if job.owner == lab.who.owner else ""} if lab.who.owner else {}),
        _("what"): _("{task}: {title}", task=TASKS[spec.task], title=spec.title)
        if spec
        else translate(KINDS.get(job.kind, job.kind)),
        _("state"): _state(job),
        _("progress"): round(job.done / job.total, 2) if job.total else 0.0,
        _("left"): duration(left) if left else "",
        _("ran"): duration(job.seconds) if job.seconds else "",
        "L": spec.train_length if spec else None,
        _("updates"): spec.updates if spec else None,
        _("seed"): spec.seed if spec else None,
    }


def _state(job: Job) -> str:
    if job.wanted is None:
        return translate(STATES[job.state])
    return _("{state}, then {wanted}", state=STATES[job.state], wanted=STATES[job.wanted])
