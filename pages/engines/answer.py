"""One engine's support for one family, how that is known, and how far each engine was run."""

import json
from functools import cache
from pathlib import Path
from typing import Any

import pandas as pd
import streamlit as st

from advisor.engines.all import ENGINES
from advisor.facts import TRIED
from advisor.report.families import AS_IT_IS, Answer, families
from posenc.words import say
from ui.controls.model_config import plain
from ui.screen import course
from ui.words import _, rounded, translate

RECORD = Path(__file__).parent.parent.parent / "data" / "engines.json"
HERE = ("transformers_5", "transformers_4")
"""Engines that this project's tests run."""
MARKS = {
    "ran": ("●", say("ran"), say("the engine's own code computed what is written here")),
    "read": ("○", say("read"), say("that code was read, and not run")),
    "ignored": ("✕", say("ignored"), say("the engine runs the model without it, silently")),
    "refused": (
        "■",
        say("refused"),
        say("no line to paste: it does not load, computes something else, or has no such setting"),
    ),
    "not tried": ("–", say("not tried"), say("nobody looked")),
}
"""By id: the sign, the word and what it means."""


def show_answer(answer: Answer, family: str, engine: str, method: str) -> None:
    """The mark in words, what says so, and where the line to paste is."""
    about = TRIED[engine]
    sign, word, _meaning = MARKS[answer.mark]
    st.markdown(
        _(
            "**{family} in {engine} ({version} of {date}): {sign} {word}.** {words}",
            family=plain(family),
            engine=translate(ENGINES[engine].title),
            version=about.version,
            date=about.date,
            sign=sign,
            word=translate(word),
            words=" ".join([plain(translate(answer.words)), *_evidence(family, engine, method)]),
        )
    )
    asked = {"model": answer.model, "target": answer.target}
    if answer.mark in ("ran", "read", "not tried"):
        wanted = {"model": answer.model, "target_length": str(answer.target), "engine": engine}
        wanted["extension"] = method
        words = _(
            "The line for {model} at {target:,} tokens in {engine}", **asked, engine=about.name
        )
        course.page_link("config", words, wanted)
    else:
        st.caption(_("Asked for {model} at {target:,} tokens.", **asked))


def _evidence(family: str, engine: str, method: str) -> list[str]:
    """The models of a family with which an engine computed the same, in a sentence."""
    run = record().get(engine, {"rows": []})
    name = "as it is" if method == AS_IT_IS else method
    same = [
        row
        for row in run["rows"]
        if row["outcome"] == "same" and row["method"] == name and row["model"] in families()[family]
    ]
    if not same:
        return []
    first, *others = [row["model"] for row in same]
    return [
        _(
            "On {date} it agreed for {models}, within {difference}.",
            date=run["ran"],
            models=_("{first} and {count} more", first=first, count=len(others))
            if others
            else first,
            difference=rounded(max(row.get("difference", row.get("angle")) for row in same), 2),
        )
    ]


def show_runs() -> None:
    """One row for each engine: what was tried of it."""
    frame = pd.DataFrame(
        {
            _("engine"): translate(ENGINES[engine].title),
            _("version"): about.version,
            _("of"): about.date,
            _("compared"): _compared(engine),
            _("run on"): record().get(engine, {}).get("ran", ""),
        }
        for engine, about in TRIED.items()
    )
    st.dataframe(frame, hide_index=True)
    st.caption(
        _(
            "Settings were compared with every layer of the model's own class; in exllamav3 with "
            "the frequencies of its settings. llama.cpp ran a file that its own conversion made, "
            "with one head and few channels. This project's tests compare transformers too."
        )
    )


def _compared(engine: str) -> str:
    if engine not in record():
        return _("in this project's tests") if engine in HERE else _("read only")
    counts = record()[engine]["counts"]
    told = {"same": counts["same"], "other": counts.get("differs", 0)}
    return _("{same} agreed, {other} differed", **told)


@cache
def record() -> dict[str, Any]:
    """Results of the engines' own code, by engine."""
    return json.loads(RECORD.read_text("utf-8"))
