"""Which model a screen reads: a known one, or a file that is uploaded, pasted or in the address."""

import re
from dataclasses import dataclass, replace
from functools import cache, reduce
from io import BytesIO
from pprint import pformat

import streamlit as st

from advisor import RopeConfig, known_models
from advisor.fields import READ_AS
from advisor.inputs.link import pack, unpack
from advisor.inputs.read import Given, may_be_a_name, nearest, read_text, target_of, text_of
from advisor.inputs.text import in_short
from advisor.inputs.typed import tokens
from posenc.words import Sentence, say
from ui import controls
from ui.charts.served import component
from ui.controls import address
from ui.controls.claims import said_of_address
from ui.memory import memory
from ui.words import _, translate, unlinked

OWN = "own"
"""Stands among the names of models for a file of the reader's."""
DEFAULT = "Llama-3.1-8B"
LONGEST_IN_CODE = 20000
LARGEST_UPLOAD = 16  # megabytes: what is read of a GGUF file
FILES = {"config": "config.json", "params": "params.json", "gguf": "model.gguf"}
"""Usual names of files, by what is read of them."""
TEXT = "config_json"
GIVEN = "given"
TARGET = "target_length"
LONGEST_FIELD = 2**20
"""Characters of a file that stands in a field of the page."""
TOO_LONG = LONGEST_FIELD + 1
"""Characters that a field sends at most: a text that is cut there is refused, and not misread."""
PASTED = "pasted"
PROBLEM, ABOUT, WANTED = "_given_problem", "_given_about", "_given_name"
WITH_LENGTH = re.compile(r"(\{.*\})\s*([\d.,_]+[kKmM]?)\s*", re.DOTALL)
"""The text of a file, and a length after it."""
NAME_WITH_LENGTH = re.compile(
    r"(.+?)(?: (?:at|with|up|to|for|an?|context|length|of))*"
    r" ([\d.,_]+[km]|[\d.,_]{3,})(?: (?:of|context|length|tokens))*",
    re.IGNORECASE,
)
"""A model's name, and a length after it: Qwen3-8B 64k, Qwen3-8B with 64k context. A number or two
stand in names: Phi 4."""
MARKUP = str.maketrans({character: f"\\{character}" for character in "\\*[]<>#$|~"})


@dataclass(frozen=True)
class Model:
    """A configuration and where it comes from."""

    name: str
    source: Sentence
    config: RopeConfig
    given: Given

    @property
    def argument(self) -> str:
        """Its word on a command line: its name, or the file's usual name."""
        return self.given.name or FILES[self.given.kind]

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
    return unlinked(words.translate(MARKUP))


def choose_model() -> str:
    """Draw the list of models; the name, or OWN."""
    names = {name: _label(name) for name in known_models()}
    _claim_name({OWN, *names})
    return controls.choice(
        "model",
        _("Model"),
        {OWN: own_name(), **names},
        DEFAULT,
        help=_("Released models by name (type to search), or a file of yours."),
    )


def own_name() -> str:
    """The name of a file of the reader's: a model's where one was given in its place."""
    given = str(memory().get("_config_saved", "")).strip()
    return given if given and may_be_a_name(given) else _("your own file")


def _claim_name(listed: set[str]) -> None:
    """Read a name in the address that the list does not have as if it were typed."""
    asked = address.asked_for("model").strip()
    if asked.casefold() in {name.casefold() for name in listed} or not may_be_a_name(asked):
        return
    try:
        name, length = _split(asked)
        model = _named(name)
    except ValueError as error:
        told = {"error": plain(translate(error)), "model": DEFAULT}
        said_of_address(
            _("{error} It stands in the address of this page. Shown is {model}.", **told)
        )
        address.put("model", DEFAULT)
        return
    address.put("model", model)
    if length and not address.asked_for(TARGET):
        address.put(TARGET, length[TARGET])
    if model == OWN:
        address.put(TEXT, name)
        memory()["_config_saved"] = name


def _label(name: str) -> str:
    model, added, _rest = name.partition(" with YaRN")
    return _("{model} with YaRN", model=model) if added else name


def ask_for_model() -> bool:
    """Draw the one field for whatever a reader has: a file, its text, or a model's name.

    Returns:
        Whether it holds an answer: not after something that cannot be read, which is said.
    """
    st.chat_input(
        _("1 · Paste or drop a config.json, or name a model: Qwen3-8B 128k"),
        key=GIVEN,
        max_chars=TOO_LONG,
        accept_file=True,
        file_type=["json", "gguf"],
        max_upload_size=LARGEST_UPLOAD,
        on_submit=_take,
    )
    with st.container(key="unsent"):
        st.caption(_("Send it with the arrow; below is the previous model."))
    _paste(key=PASTED, data={"most": LONGEST_FIELD}, on_refused_change=_refuse)
    problem = memory().get(PROBLEM)
    if problem is None or memory().get(ABOUT) != _chosen():
        return True
    said = translate(problem)
    st.error(plain(said))
    wanted, length = memory()[WANTED]
    with st.container(horizontal=True):
        for name in nearest(wanted, known_models()):
            if name in said:
                st.button(name, on_click=_choose, args=({"model": name, **length},))
    return False


def _choose(settings: dict[str, str]) -> None:
    memory().pop(PROBLEM)
    controls.apply(settings)


def go_back(name: str) -> None:
    """Say that there is no answer to what cannot be read, and draw the way to that of a model."""
    st.info(_("No advice: what was given above cannot be read."))
    model = plain(own_name()) if name == OWN else _label(name)
    st.button(_("Back to {model}", model=model), on_click=lambda: memory().pop(PROBLEM))


def _chosen() -> tuple[object, ...]:
    """The model, length and file that stay where something cannot be read."""
    text = memory().get("_config_saved", "")
    return (*map(st.session_state.get, ("model", TARGET)), text)


def _problem(error: str, wanted: str = "", length: dict[str, str] | None = None) -> None:
    """Keep what is wrong, with the name and the length that were typed, where there were any."""
    memory().update({PROBLEM: error, ABOUT: _chosen(), WANTED: (wanted, length or {})})


def _refuse() -> None:
    """Say that a text was too long to be sent."""
    size = st.session_state[PASTED].get("refused")
    if isinstance(size, int):
        told = say(
            "The pasted text has {size:,} bytes, of at most {most:,}, and was not taken: a "
            "config.json has a few thousand. Is it the right file?",
            size=size,
            most=LONGEST_FIELD,
        )
        _problem(told)


def paste() -> str:
    """Draw the field with a file of the reader's; its text, which stays when the page changes.

    What is given above is written into it, so that it can be read and fixed. What matters of it
    stands in the address, so that a link shows the same to others.
    """
    _claim_text()
    typed = st.text_area(
        _("config.json, params.json or a model's name"),
        height=200,
        max_chars=TOO_LONG,
        key=TEXT,
        help=_(
            "The file as transformers 4 or 5 writes it, Mistral's or Meta's params.json, the "
            "metadata of a GGUF file as JSON, or the name of a known model; at most 1 MiB. A file "
            "that is dropped may have 8, and stands here without its long lists. Of a GGUF file "
            "the header is enough, which its first 16 MB hold: {command}. The file is read in "
            "memory and not kept on disk; fields about positions and sizes are kept in the "
            "address.",
            command="`head -c 16000000 model.gguf > head.gguf`",
        ),
    )
    memory()["_config_saved"] = typed
    try:
        address.note(TEXT, typed, "", packed=pack(typed))
    except ValueError as error:
        address.note(TEXT, typed, "", packed="")
        st.caption(translate(error))
    return typed


def _claim_text() -> None:
    """Give the field the file of the address, or what it held before."""
    saved = str(memory().get("_config_saved", ""))

    def read(raw: list[str]) -> str:
        # The address holds less than the file: on the way back the file itself is kept.
        return saved if _packed(saved) == raw[-1] else unpack(raw[-1])

    wrong = address.claim(TEXT, saved, read=read, fits=lambda _text: True, limits="")
    if wrong is None:
        return
    try:
        unpack(wrong)
    except ValueError as error:
        said_of_address(_("{error} The field for a file stays as it was.", error=error))


def _packed(text: str) -> str:
    try:
        return pack(text)
    except ValueError:
        return ""


def _take() -> None:
    """Move what was given into the field for a file, or choose the model that was named.

    What cannot be read is said, and nothing changes.
    """
    kept = memory()
    given = st.session_state[GIVEN]
    kept[PROBLEM] = None
    name = ""
    length: dict[str, str] = {}
    try:
        if given.files and not isinstance(given.files[0], BytesIO):  # a server started anew
            raise ValueError(say("The file has not reached the server; drop the file again."))
        if not given.files and not given.text.strip():
            raise ValueError(
                say(
                    "The file was not taken: it may have at most {most} MB. A config.json has a "
                    "few kilobytes; of a GGUF file the first {most} MB are enough.",
                    most=LARGEST_UPLOAD,
                )
            )
        text = text_of(given.files[0].getvalue()) if given.files else given.text
        if given.files and len(text) > LONGEST_FIELD:
            text = in_short(text)
        asked = given.text.strip() if given.files else ""
        if split := WITH_LENGTH.fullmatch(text.strip()):
            text, asked = split.groups()
        if may_be_a_name(text.strip()):
            name, length = _split(text)
            model, text = _named(name), name
        else:
            model = OWN
            # The target of the last model says nothing of another file.
            length = {TARGET: _field(tokens("The length", asked) if asked else target_of(text))}
    except ValueError as error:
        return _problem(error.args[0], name.rpartition("/")[2], length)
    controls.apply({"model": model, **length})
    if model == OWN:
        st.session_state[TEXT] = kept["_config_saved"] = text


def _split(text: str) -> tuple[str, dict[str, str]]:
    """A model's name, and the length that was typed after it, if one was.

    Raises:
        ValueError: If it is no length.
    """
    text = " ".join(text.split())
    found = NAME_WITH_LENGTH.fullmatch(text)
    if found is None:
        return text, {}
    return found[1], {TARGET: _field(tokens("The length", found[2]))}


def _field(length: int | None) -> str:
    """A length as its field holds it: empty where there is none."""
    return str(length) if length else ""


def _named(name: str) -> str:
    """A known model by its name; OWN for a further size of one, which is not in the list.

    Raises:
        ValueError: If no model is called so.
    """
    fields = read_text(name).fields
    listed = (known for known, model in known_models().items() if model.config is fields)
    return next(listed, OWN)


def read_model(name: str, typed: str) -> Model:
    """Read the chosen model.

    Raises:
        ValueError: If the text is nothing that can be read; the message says what it is, names
            the field, or line and column.
    """
    if name == OWN:
        given = read_text(typed)
        notes = (*given.line, *given.notes)
        source = reduce(_and_then, notes) if notes else say("Your file.")
        return Model(name, source, RopeConfig.from_hf(given.fields), given)
    return _known_model(name)


def read_as(model: Model, family: str) -> Model:
    """A file whose model type is not known, read as one of a family that is."""
    fields = {**model.config.source, READ_AS: family}
    source = _and_then(model.source, say("Read as {family}, as you asked.", family=family))
    given = replace(model.given, fields=fields)
    return Model(model.name, source, RopeConfig.from_hf(fields), given)


@cache
def _known_model(name: str) -> Model:
    known = known_models()[name]
    given = Given("name", known.config, (known.source,), name)
    return Model(name, known.source, RopeConfig.from_hf(known.config), given)


def _and_then(first: Sentence, second: Sentence) -> Sentence:
    return say("{first} {second}", first=first, second=second)


_paste = component("paste", "screen/paste.js")
