"""Whatever a person has of a model: config.json, params.json, a GGUF header, or its name."""

import difflib
import json
import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any, Literal

from advisor.inputs import gguf, gguf_fields, params
from advisor.inputs.command_line import Line, is_line, judged, parsed
from advisor.inputs.text import LONGEST_TEXT, parse_config
from advisor.inputs.wrong_file import wrong_bytes, wrong_object, wrong_text
from advisor.known_models import all_models
from posenc.words import Sentence, say

Kind = Literal["config", "params", "gguf", "name"]
LONGEST_MODEL_NAME = 100
LONGEST_METADATA = 2**20
SUGGESTED = 3
SAME_FILE = {
    "DeepSeek-R1": "DeepSeek-V3",
    "DeepSeek-R1-0528": "DeepSeek-V3",
    "DeepSeek-V3-0324": "DeepSeek-V3",
    "Llama-3.3-70B": "Llama-3.1-70B",
    "Mistral-Small-3.1-24B-2503": "Mistral-Small-3.1-24B",
    "Mistral-Small-3.2-24B": "Mistral-Small-3.1-24B",
    "Mistral-Small-3.2-24B-2506": "Mistral-Small-3.1-24B",
}
"""Models whose files say of positions what a known model's says; assumed."""
BYWORDS = {
    *("instruct", "it", "chat", "base", "hf", "thinking", "gguf", "mlx", "awq", "gptq", "exl3"),
    *("fp8", "int4", "int8", "4bit", "8bit", "bnb"),
}
"""Words in a name that say nothing of the file's positions."""


STORED = re.compile(r"[-.](UD-)?(I?Q\d+_\w+|BF16|F16|F32|MXFP4\w*)$", re.IGNORECASE)
"""How a GGUF file's weights are stored, at the end of its name: Qwen3-8B-Q4_K_M."""


@dataclass(frozen=True)
class Given:
    """A reader's input as the fields of a config.json.

    Args:
        kind: What it was: "config", "params" (Mistral's or Meta's), "gguf" or "name".
        fields: For `RopeConfig.from_hf`.
        notes: What is worth knowing about this reading.
        name: What it was called where it was given; "" where it was not.
        target: Tokens that are asked for with it; None where none are.
        line: What is wrong with the command line that it was; () for anything else.
    """

    kind: Kind
    fields: dict[str, Any]
    notes: tuple[Sentence, ...] = ()
    name: str = ""
    target: int | None = None
    line: tuple[Sentence, ...] = ()


def read_bytes(data: bytes) -> Given:
    """Read a file.

    Args:
        data: Its bytes; of a GGUF file its beginning is enough.

    Raises:
        ValueError: If it is none of what can be read; one sentence says what it is.
    """
    return read_text(text_of(data))


def text_of(data: bytes) -> str:
    """The text of a file; of a GGUF file its metadata as JSON, which `read_text` takes.

    Raises:
        ValueError: If it is neither UTF-8 text of at most 8 MiB nor GGUF with metadata of at most
            1 MiB.
    """
    if data[:4] == gguf.MAGIC:
        header = gguf_fields.named(gguf.read_header(data))
        lines = (f" {json.dumps(name)}: {json.dumps(value)}" for name, value in header.items())
        text = "{{\n{}\n}}".format(",\n".join(lines))
        if len(text) > LONGEST_METADATA:
            raise ValueError(
                f"The metadata of the GGUF file must have at most {LONGEST_METADATA:,} characters, "
                f"got {len(text):,}."
            )
        return text
    if (wrong := wrong_bytes(data)) is not None:
        raise ValueError(wrong)
    if len(data) > LONGEST_TEXT:
        raise ValueError(f"The file must have at most {LONGEST_TEXT:,} bytes, got {len(data):,}.")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise ValueError(
            f"The file must be UTF-8 text, got byte {data[error.start]:#04x} at place "
            f"{error.start}."
        ) from None


def read_text(text: str) -> Given:
    """Read a text: an object of JSON, or a model's name.

    Raises:
        ValueError: If it is none of what can be read; one sentence says what it is, or where it
            stops being JSON.
    """
    if is_line(text):
        return _of_line(parsed(text))
    if (wrong := wrong_text(text)) is not None:
        raise ValueError(wrong)
    name = text.strip()
    if may_be_a_name(name):
        return _known(name)
    config = parse_config(text)
    if isinstance(config.get("metadata"), dict) and "endian" in config:
        config = _dumped(config)
    if gguf_fields.ARCHITECTURE in config:
        return Given("gguf", *gguf_fields.fields_of(config))
    if params.is_params(config):
        return Given("params", *params.fields_of(config))
    if (wrong := wrong_object(config)) is not None:
        raise ValueError(wrong)
    return Given("config", config)


def _of_line(line: Line) -> Given:
    """The model of a command line, and what is wrong with the line."""
    given = _known(STORED.sub("", line.model.removesuffix(".gguf")))
    wrong = tuple(judged(line, given.fields))
    fine = () if wrong else (say("Nothing in this command line is dead or in the wrong place."),)
    return replace(given, target=line.length, line=(*wrong, *fine))


def target_of(text: str) -> int | None:
    """Tokens that a command line asks for; None for any other text."""
    return parsed(text).length if is_line(text) else None


def may_be_a_name(text: str) -> bool:
    """Whether a text is a word or two, and nothing of JSON."""
    if not text[:1].isalnum() or len(text) > LONGEST_MODEL_NAME or not text.isprintable():
        return False
    if is_line(text):
        return False
    return any(map(str.isalpha, text)) and text not in ("null", "true", "false", "NaN", "Infinity")


def _known(name: str) -> Given:
    """A known model by its name, however it is written; a maker's name before it may be there.

    Raises:
        ValueError: If no model is called so; the nearest names are offered.
    """
    models = {**all_models(), **{other: all_models()[one] for other, one in SAME_FILE.items()}}
    wanted = name.rpartition("/")[2]
    for spelling in (str.casefold, _letters, _words):
        found = [known for known in models if spelling(known) == spelling(wanted)]
        if len(found) == 1:
            model = models[found[0]]
            return Given("name", model.config, (model.source,), name)
    names = nearest(wanted, models)
    if not names:
        raise ValueError(f"{name} is none of the known models. Give its config.json.")
    raise ValueError(
        f"{name} is none of the known models; the nearest are {', '.join(names)}. Or give its "
        "config.json."
    )


def nearest(name: str, models: Iterable[str]) -> list[str]:
    """Models whose names are most like this one, the most like first; none where none is."""
    known = {model.casefold(): model for model in models}
    near = difflib.get_close_matches(name.casefold(), known, SUGGESTED, 0.5)
    return [known[one] for one in near]


def _letters(name: str) -> str:
    """A name without what stands between its letters and digits."""
    return "".join(re.findall(r"[a-z0-9]+", name.casefold()))


def _words(name: str) -> str:
    """The same without words that say nothing of the file's positions."""
    return "".join(one for one in re.findall(r"[a-z0-9]+", name.casefold()) if one not in BYWORDS)


def _dumped(config: dict[str, Any]) -> dict[str, Any]:
    """Metadata from the output of `gguf-dump --json`."""
    found = {
        name: entry["value"]
        for name, entry in config["metadata"].items()
        if isinstance(entry, dict) and "value" in entry and not name.startswith("tokenizer.")
    }
    tensors = config.get("tensors")
    rotation = [name for name in gguf.ROTATION if isinstance(tensors, dict) and name in tensors]
    cut = {} if tensors else {"header_is_cut": True}
    return {**found, **dict.fromkeys(rotation), **cut}
