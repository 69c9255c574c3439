"""Whose config.json a screen reads: a known model's, or one that is uploaded or pasted."""

from dataclasses import dataclass
from pprint import pformat

import streamlit as st

from posenc import RopeConfig, known_models
from posenc.config.text import parse_config
from posenc.words import Sentence, say
from ui import controls
from ui.words import _, translate

OWN = "own"
"""Stands among the names of models for a file of the reader's."""
DEFAULT = "Llama-3.1-8B"
LONGEST_IN_CODE = 20000
LONGEST_FILE = 2**20
MARKUP = str.maketrans({character: f"\\{character}" for character in "\\*[]<>#$|~"})


@dataclass(frozen=True)
class Model:
    """A configuration and where it comes from."""

    name: str
    source: Sentence
    config: RopeConfig

    @property
    def code(self) -> str:
        """Python that makes `config` just so."""
        if self.name != OWN:
            return f"config = RopeConfig.from_hf(known_models()[{self.name!r}].config)\n"
        fields = pformat(self.config.source, width=90, sort_dicts=False)
        if len(fields) > LONGEST_IN_CODE:
            read = 'parse_config(Path("config.json").read_text())'
            return f"from pathlib import Path\n\nconfig = RopeConfig.from_hf({read})\n"
        return f"config = RopeConfig.from_hf(\n{fields}\n)\n"


def plain(words: str) -> str:
    """Words from a file as Markdown that shows them as they are."""
    return words.translate(MARKUP)


def choose_model() -> str:
    """Draw the list of models; the name, or OWN."""
    names = {name: _label(name) for name in known_models()}
    return controls.choice(
        "model", _("Model"), {OWN: _("your own config.json"), **names}, DEFAULT,
        help=_("Released models by name (type to search), or a file of yours."),
    )  # fmt: skip


def _label(name: str) -> str:
    model, added, _rest = name.partition(" with YaRN")
    return _("{model} with YaRN", model=model) if added else name


def paste() -> str:
    """Draw the fields for a file; its text, which stays when the page changes.

    An uploaded file is written into the field for pasting, so that it can be read and mended.
    """
    state = st.session_state
    st.file_uploader(
        _("Upload a config.json"), "json", key="upload", on_change=_take, max_upload_size=1,
        help=_("At most 1 MiB. The file is read in memory, and kept neither in the address nor "
        "on disk."),
    )  # fmt: skip
    if problem := state.get("_upload_problem"):
        st.error(translate(problem))
    if "config_json" not in state:
        state["config_json"] = state.get("_config_saved", "")
    typed = st.text_area(
        _("Content of config.json"), height=200, key="config_json",
        help=_("The file as transformers 4 or 5 writes it, at most 1 MiB. The text is read here, "
        "and kept neither in the address nor on disk."),
    )  # fmt: skip
    state["_config_saved"] = typed
    return typed


def _take() -> None:
    """Move the uploaded file into the field, or remember what is wrong with it."""
    state = st.session_state
    state["_upload_problem"] = None
    if state["upload"] is None:
        return
    try:
        state["config_json"] = decoded(state["upload"].getvalue())
    except ValueError as error:
        state["_upload_problem"] = str(error)


def decoded(content: bytes) -> str:
    """The text of an uploaded file.

    Raises:
        ValueError: If it is above 1 MiB or not UTF-8.
    """
    if len(content) > LONGEST_FILE:
        raise ValueError(
            say(
                "The file must have at most {most:,} bytes, got {size:,}. The field below stays as "
                "it was.",
                most=LONGEST_FILE,
                size=len(content),
            )
        )
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise ValueError(
            say(
                "The file must be UTF-8 text, got byte {byte:#04x} at place {place}. The field "
                "below stays as it was.",
                byte=content[error.start],
                place=error.start,
            )
        ) from None


def read_model(name: str, typed: str) -> Model:
    """Read the chosen model.

    Args:
        name: A known model, or OWN.
        typed: The text of the file when it is OWN.

    Raises:
        ValueError: If the text is no config.json that can be read; the message names the field, or
            line and column.
    """
    if name == OWN:
        return Model(name, say("Your file."), RopeConfig.from_hf(parse_config(typed)))
    known = known_models()[name]
    return Model(name, known.source, RopeConfig.from_hf(known.config))
