"""Before a measurement: a model's facts, the passes that fit into the time, and the order."""

from collections.abc import Iterable
from dataclasses import replace
from itertools import groupby

import streamlit as st

from lab.queue import starting
from lab.queue.jobs import Lab
from lab.queue.records import Job
from models.files.find import Found
from models.measuring.own import Own, Picked, Request, Unit, look, pick, too_little
from models.measuring.own_run import Plan, done, read_plan, read_rows, text_ids
from models.measuring.table import Row
from posenc.words import say
from ui import screen
from ui.jobs.corpus import stored
from ui.jobs.looks import title
from ui.screen import course
from ui.screen.budget import readable_bytes
from ui.words import _, markdown, number, plural, translate

PACE = 5e10
"""Operations per second that are assumed until this machine has shown its own."""
MORE = {
    "text": say("another text"),
    "keys": say("keys of a text"),
    "length": say("twice the context"),
}
"""Further measurements that could be made, by id."""


def roughly(seconds: float) -> str:
    """A time that is not known better than to the minute."""
    minutes = round(seconds / 60)
    if seconds < 90:
        return _("{seconds:.0f} s", seconds=seconds)
    if minutes < 120:
        return _("{minutes} min", minutes=minutes)
    return _("{hours:,} h {minutes} min", hours=minutes // 60, minutes=minutes % 60)


def look_at(found: Found) -> Own:
    """Look at a model before its weights are loaded; a GGUF file is converted first."""
    place = st.empty()
    words = _("Converting {model}, once", model=found.title)

    def show_progress(part: float) -> None:
        place.progress(part, words)

    model = look(found, progress=show_progress)
    place.empty()
    return model


def jobs_of(lab: Lab, model: Own) -> list[Job]:
    """The measurements of a model, the newest first."""
    return [job for job in lab.jobs() if job.kind == "own" and job.payload.get("model") == model.id]


def rows_of(lab: Lab, model: Own, jobs: Iterable[Job]) -> tuple[list[Row], list[Row]]:
    """Losses and keys of some measurements, the oldest first.

    Raises:
        ValueError: If a file is damaged.
    """
    losses = []
    keys = []
    for job in sorted(jobs, key=lambda job: job.id):
        more = read_rows(model.id, lab.settings.folder(job.id))
        losses += more[0]
        keys += more[1]
    return losses, keys


def newest_plan(lab: Lab, jobs: Iterable[Job]) -> Plan | None:
    """Plan of the newest measurement that has timed the machine."""
    plans = (read_plan(lab.settings.folder(job.id)) for job in jobs)
    return next((plan for plan in plans if plan is not None), None)


def show_before(lab: Lab, model: Own, request: Request, text: bytes, *, pressed: bool) -> None:
    """The model in numbers, what the time holds, and the order where it was pressed."""
    jobs = jobs_of(lab, model)
    plan = newest_plan(lab, jobs)
    pace = plan.pace if plan else PACE
    there = done(*rows_of(lab, model, jobs))
    picked = pick(model, request, pace, text_ids(text), there)
    if plan and plan.remark and plan.picked.length == picked.length:  # no keys can be asked for
        picked = pick(model, replace(request, keys=False), pace, text_ids(text), there)
    screen.readouts(
        {
            _("parameters"): number(model.size.parameters),
            _("trained length L"): number(model.trained),
            _("memory"): readable_bytes(model.memory(picked.length)),
            _("one pass, about"): roughly(model.operations(model.plain, picked.length) / pace),
        },
        help={
            _("memory"): _("At the peak of a pass over {length:,} tokens.", length=picked.length),
            _("one pass, about"): _(
                "Over {length:,} tokens, at {pace:.0e} operations per second: what this machine "
                "showed with this model, or 5e+10 before it was timed.",
                length=picked.length,
                pace=pace,
            ),
        },
    )
    about, link = st.columns([3, 2], vertical_alignment="center")
    about.caption(translate(model.remark or say("Plain RoPE: every scaling fits.")))
    with link:
        words = _("See its attention, with every what-if")
        course.page_link("live_attention", words, {"model": model.found.id})
    place = st.container()
    ordered = False
    with screen.guard():
        ordered = _order(lab, model, request, text, pressed=pressed)
    if not ordered and all(job.ended for job in jobs):
        with place:
            _tell_picked(model, request, picked)


def _tell_picked(model: Own, request: Request, picked: Picked) -> None:
    """Tell what the next press measures."""
    if picked.units:
        st.caption(
            _(
                "**{minutes} hold about:** {passes}.",
                minutes=roughly(request.seconds),
                passes=passes_words(picked),
            )
        )
    elif picked.least:
        st.warning(translate(too_little(model, picked, request.seconds)))
    else:
        st.caption(_("All texts here are measured: take a longer context, or a text of yours."))
    st.caption(more_words(picked))


def passes_words(picked: Picked) -> str:
    """The passes; texts that are read in the same ways together."""
    texts: dict[tuple[str, str], list[str]] = {}
    for (kind, text), units in groupby(picked.units, lambda unit: (unit.kind, unit.text)):
        texts.setdefault((kind, _methods(units)), []).append(text)
    parts = []
    for (kind, methods), names in texts.items():
        if kind == "keys":
            count = plural("keys in {count} text", "keys in {count} texts", len(names))
            parts.append(_("{keys}: {methods}", keys=count, methods=methods))
        else:
            quoted = ", ".join(f"`{name}`" for name in names)
            parts.append(_("{texts}: {methods}", texts=quoted, methods=methods))
    return _("{length:,} tokens of {passes}", length=picked.length, passes="; ".join(parts))


def _methods(units: Iterable[Unit]) -> str:
    return ", ".join(
        _("{method} ×{factor:g}", method=title(unit.method), factor=unit.factor)
        if unit.factor > 1
        else title(unit.method)
        for unit in units
    )


def more_words(picked: Picked) -> str:
    """Further measurements and their costs, in a sentence."""
    each = [
        _(
            "{what} {time}",
            what=translate(MORE[what]) if what in MORE else title(what),
            time=roughly(seconds),
        )
        for what, seconds in picked.more.items()
    ]
    return _("What each more takes, about: {list}.", list=", ".join(each))


def _order(lab: Lab, model: Own, request: Request, text: bytes, *, pressed: bool) -> bool:
    """Queue it; what passes a limit is asked about on one's own machine, and refused elsewhere.

    Returns:
        Whether it is in the queue now.

    Raises:
        ValueError: If it is refused, in a sentence.
    """
    payload = {
        "name": model.found.id,
        "minutes": round(request.seconds / 60),
        "times": request.times,
        "methods": list(request.methods),
        "keys": request.keys,
        "text": "",
    }
    sure = False
    try:
        lab.settings.limits.check_cost(lab.cost("own", payload))
    except ValueError as error:
        if not lab.who.trusted:
            raise
        st.warning(markdown(error))
        sure = st.checkbox(
            _("Measure all the same: this machine is mine"),
            help=_(
                "The limits keep a shared server usable; variables set them: POSENC_LAB_MAX_HOURS "
                "and others."
            ),
        )
        if not sure:
            return False
    if pressed:
        lab.submit("own", payload | {"text": stored(lab, text)}, sure=sure)
        starting.ensure_worker(lab)
    return pressed
