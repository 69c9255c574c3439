"""Findings on a configuration, and the settings to paste into a runtime."""

import re
from collections.abc import Callable

import streamlit as st

from advisor import Finding, RopeConfig, known_models
from advisor.engines.all import ENGINES
from advisor.engines.engine import SILENT, Serving, Written
from advisor.fields import READ_AS
from posenc.words import say
from ui import controls
from ui.controls import address
from ui.controls.command import show_command
from ui.controls.model_config import Model, plain
from ui.site.public import folder
from ui.words import _, translate

REPOSITORY = re.compile(r"[A-Za-z0-9][\w.-]*/[A-Za-z0-9][\w.-]*", re.ASCII)
"""A model's name with its maker's before it."""
WORDS = {"error": say("Error"), "warning": say("Warning"), "info": say("Worth knowing")}


def show_findings(config: RopeConfig) -> None:
    """One paragraph for each finding, errors first."""
    st.header(_("Findings"), anchor=False)
    if not config.findings:
        st.markdown(_("Nothing to report: the fields agree with each other."))
    for finding in config.findings:
        st.markdown(finding_words(finding))


def finding_words(finding: Finding) -> str:
    """A finding in Markdown: how grave, what, where, and what to do."""
    fields = ", ".join(f"`{name.replace('`', '·')}`" for name in finding.fields)
    words = f"**{translate(WORDS[finding.severity])}.** {plain(translate(finding.message))}"
    if finding.remedy:
        words += f" *{plain(translate(finding.remedy))}*"
    return f"{words} ({fields})" if fields else words


def show_settings(config: RopeConfig, model: Model, serving: Serving) -> None:
    """The configuration that was decided on for a model, for the engine that is chosen."""
    engine = choose_engine()
    known = known_models().get(model.name)
    called = model.given.name
    if known is not None:
        repository = known.repository
    else:
        repository = called if REPOSITORY.fullmatch(called) else ""
    if show_written(
        engine, lambda: config.settings(engine, model.config, serving), repository, called
    ):
        show_checking(engine, model, serving.length)


def choose_engine() -> str:
    """Draw the choice of an engine; its id."""
    return controls.choice(
        "engine",
        _("Engine"),
        {name: engine.title for name, engine in ENGINES.items()},
        help=_("The program that runs the model. Each has its own words for the same thing."),
    )


def engine_now() -> str:
    """Id of the engine that is chosen, before the choice is drawn."""
    first = next(iter(ENGINES))
    return next((one for one in ENGINES if address.agrees("engine", one, first)), first)


def show_checking(engine: str, model: Model, target: int | None) -> None:
    """How to see that the settings took effect, once the engine runs."""
    about = ENGINES[engine]
    look = translate(about.look)
    if about.look != SILENT:
        look = f"{look} {_('That is the length; whether positions are scaled, it does not say.')}"
    read_as = str(model.config.source.get(READ_AS, ""))
    command = about.check_command(model.argument, target, read_as)
    with st.expander(_("Did it take effect?")):
        st.markdown(
            _(
                "{look} This asks the running server, for the file that it should run (once, in "
                "{folder}: `pip install ./advisor`):",
                look=look,
                folder=folder(),
            )
        )
        show_command(command, "check")


def show_written(
    engine: str, write: Callable[[], Written], repository: str = "", called: str = ""
) -> bool:
    """Settings and what they cannot say, or the sentence that says why there are none.

    Args:
        engine: Id of one of `ENGINES`.
        write: Its settings; raises ValueError with the reason where there are none.
        repository: Where the model's weights are; "" where that is not known.
        called: The model's name; "" for a file without one.

    Returns:
        Whether there are settings.
    """
    about = ENGINES[engine]
    try:
        written = write()
    except ValueError as error:
        st.markdown(plain(translate(error)))
        return False
    if written.to_paste:
        command = about.command.format(model=repository) if repository else ""
        text = f"{command} {written.to_paste}".lstrip()
        told = {"engine": translate(about.title), "place": translate(about.place)}
        if called and "MODEL" in told["place"]:
            told["place"] = _(
                "{place} (MODEL: the repository or folder of {name})",
                place=told["place"],
                name=plain(called),
            )
        st.markdown(
            _("**{engine}**, the whole command:", engine=told["engine"])
            if command
            else _("**{engine}**, {place}:", **told)
        )
        show_command(text, engine)
    for note in written.told:
        st.markdown(plain(translate(note)))
    versions = written.versions if written.to_paste else ""
    said = [plain(translate(one)) for one in (versions, written.tried) if one]
    st.caption(" ".join(said))
    return True
