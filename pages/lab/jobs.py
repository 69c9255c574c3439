"""The jobs of this lab in a table, the newest first."""

import pandas as pd
import streamlit as st

from lab.queue.jobs import Job, Lab
from ui.jobs.desk import duration, spec_of
from ui.jobs.polling import polled

SHOWN = 200


def jobs_table(lab: Lab) -> None:
    """State and progress of every job, asked anew every second while one is not over."""
    polled(lab, lambda: lab.jobs()[:SHOWN], _table)


def _table(jobs: list[Job]) -> None:
    st.dataframe(
        pd.DataFrame([_row(job) for job in jobs]),
        hide_index=True,
        height=min(38 + 35 * len(jobs), 320),
        column_config={"progress": st.column_config.ProgressColumn("progress", format="percent")},
    )


def _row(job: Job) -> dict[str, object]:
    spec = spec_of(job)
    trains = job.state == "running" and (spec is None or job.done < spec.updates)
    left = job.remaining if trains else None
    return {
        "job": job.id,
        "what": f"{spec.task}: {spec.title}" if spec else job.kind,
        "state": f"{job.state}, then {job.wanted}" if job.wanted else job.state,
        "progress": round(job.done / job.total, 2) if job.total else 0.0,
        "left": duration(left) if left else "",
        "ran": duration(job.seconds) if job.seconds else "",
        "L": spec.train_length if spec else None,
        "updates": spec.updates if spec else None,
        "seed": spec.seed if spec else None,
    }
