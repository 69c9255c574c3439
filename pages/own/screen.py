"""Your own checkpoint: loss against length under each scaling, on a model of the reader's."""

import streamlit as st

from lab.measuring import own_checkpoint as own
from lab.queue.jobs import Lab
from pages.own.measuring import CODE, folder_of, show_empty, show_example, show_job, show_model
from ui import controls, screen
from ui.jobs.corpus import own_text, stored
from ui.jobs.desk import may_order, open_lab
from ui.jobs.looks import title
from ui.words import _


def draw(lab: Lab) -> screen.ScreenView | None:
    """Choose a model, see the cost, measure, and the curve as it grows."""
    folders = own.directories(folder_of(lab))
    if not folders:
        with left:
            show_empty(lab)
        with right:
            return show_example()
    with left:
        name = controls.choice(
            "checkpoint", _("Checkpoint"), list(folders),
            help=_("Directories in the lab's folder of checkpoints on the server."),
        )  # fmt: skip
        times = controls.powers(
            "times", _("Longest context, in trained lengths"), 4, 2, 32,
            help=_("s = n / L. Every doubling up to here is measured."),
        )  # fmt: skip
        scalings = {method: title(method) for method in own.methods()[1:]}
        chosen = controls.choices(
            "methods", _("Scalings"), scalings, ["linear", "yarn"],
            help=_("How RoPE is stretched at each length, without training."),
        )  # fmt: skip
        with st.expander(_("More")):
            text = own_text(lab)
        pressed = st.button(_("Measure"), type="primary", disabled=not may_order(lab))
    with right:
        model = own.look(folders[name])
        methods = [m for m in scalings if m in chosen and m in model.methods]
        longest = times * model.length
        show_model(model, longest, methods, lab)
        if pressed:
            payload = {"name": name, "longest": longest, "methods": methods}
            lab.submit("own", payload | {"text": stored(lab, text)})
            lab.ensure_worker()
        jobs = [job for job in lab.shown() if job.kind == "own"]
        mine = [job for job in jobs if job.payload.get("folder") == str(folders[name])]
        if not mine:
            st.info(_("Nothing was measured of this model yet. Press *Measure*."))
            return show_example()
        tables = show_job(lab, mine[0], model)
        return screen.ScreenView(lambda: tables, CODE.format(job=mine[0].id)) if tables else None


lesson = screen.header("own")
left, right = screen.columns()
shown = None
with screen.guard():
    shown = draw(open_lab())
screen.notice(lesson)
screen.tabs(lesson, shown)
