"""Files to take from the studio: the changed config.json, its differences, and a report."""

import json
from collections.abc import Callable
from typing import Any

import streamlit as st

from advisor.decision import Decision
from advisor.report.document import explain
from advisor.report.markdown import markdown
from advisor.report.patch import difference, lines_of, patched
from posenc.words import say
from ui.controls.model_config import OWN, Model, plain
from ui.screen.one_file import download
from ui.words import _, translate

LONGEST_DIFF = 10000


def show_files(model: Model, decision: Decision) -> None:
    """Draw what changes in the file, and what can be downloaded."""
    st.header(_("Files"), anchor=False)
    after = None
    try:
        after = changed_file(model, decision)
    except ValueError as error:
        st.markdown(plain(translate(error)))
    if after is not None:
        show_change(model, after)
    labels = {
        "config.json": _("changed config.json"),
        "config.diff": _("diff"),
        "report.md": _("report (Markdown)"),
        "report.json": _("report (JSON)"),
    }
    with st.container(horizontal=True):
        for name, make in files(model, decision, after).items():
            download(labels[name], make, name)


def changed_file(model: Model, decision: Decision) -> dict[str, Any]:
    """The model's file with what was decided on.

    Raises:
        ValueError: If nothing is written for this model.
    """
    choice = decision.choice
    if choice.config is None:
        raise ValueError(say("{clause}.", clause=choice.clause))
    return patched(model.config, choice.config)


def files(
    model: Model, decision: Decision, after: dict[str, Any] | None
) -> dict[str, Callable[[], str]]:
    """Functions that make each file, by its name; each is put together when it is asked for."""
    before = model.config.source
    title = (model.given.name or _("your own file")) if model.name == OWN else model.name

    def document() -> dict[str, Any]:
        return explain(model.config, decision.target, model.given, decision=decision)

    made: dict[str, Callable[[], str]] = {}
    if after is not None and after != before:
        made["config.json"] = lambda: lines_of(after)
        made["config.diff"] = lambda: difference(before, after)
    made["report.md"] = lambda: markdown(document(), title, translate)
    made["report.json"] = lambda: json.dumps(document(), indent=2, allow_nan=False)
    return made


def show_change(model: Model, after: dict[str, Any]) -> None:
    changes = difference(model.config.source, after)
    if not changes:
        if any(one.severity == "error" for one in model.config.findings):
            st.markdown(_("Nothing is written for the error in the file: put it right by hand."))
        else:
            st.markdown(_("Nothing changes in the file."))
        return
    if model.given.kind != "config":
        st.caption(
            _(
                "Only the model's fields about positions and sizes are known here. Carry the "
                "change over into its own config.json."
            )
        )
    with st.expander(_("What changes in the file")):
        shown = changes if len(changes) <= LONGEST_DIFF else f"{changes[:LONGEST_DIFF]}…"
        st.code(shown, language="diff")
