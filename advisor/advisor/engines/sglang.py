"""SGLang: arguments."""

import json
import shlex
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from advisor.data import Config
from advisor.engines.engine import Engine, EngineReading, Serving, Written, given_object
from advisor.engines.overrides import other_lengths, overrides, reads_the_file
from advisor.engines.text import other_cache, own_attention_factor, unread_factor
from advisor.facts import TRIED
from advisor.fields import ORIGINAL
from posenc.scaling.dynamic import DynamicNTK
from posenc.scaling.linear import Linear
from posenc.words import Sentence, say

TWICE = ("qwen2_vl", "qwen2_5_vl", "qwen3_vl_text")
"""Families whose classes build the text model of the file's outer fields; the longest text is
checked by the inner ones (models/qwen2_5_vl.py:720, qwen2_vl.py:478, qwen3_vl.py:1343)."""
NESTED = say(
    "Run with {release}. Releases before pull request 33351 (summer 2026) put the nested fields in "
    "the place of the whole {part} and stop, or run unscaled: issues 27974 and 33505.",
    release=TRIED["sglang"].release,
    part="`text_config`",
)

FIRST = ("max_sequence_length", "seq_length", "max_seq_len", "model_max_length")
"""Fields of a length that count before the declared one (`CONTEXT_LENGTH_KEYS`)."""


def write(config: Config, before: Config, serving: Serving) -> Written:
    """--json-model-override-args with the whole object, and --context-length."""
    # SGLang merges the object into the file's own; with the base in it, that is right whether
    # the object is called rope_scaling (transformers 4) or rope_parameters (5).
    length = serving.length_for(config)
    fields: dict[str, Any] = {}
    if not reads_the_file(config, before, length):
        fields = overrides(config, before, "new", length)
    text = fields
    while "rope_parameters" not in text and text:
        text = next((value for value in text.values() if isinstance(value, dict)), {})
    if text:
        text["rope_scaling"] = _flat(config, text.pop("rope_parameters"))
        if "rope_theta" in text["rope_scaling"]:
            text["rope_theta"] = text["rope_scaling"]["rope_theta"]
    if config.model_type in TWICE and "text_config" in fields:
        fields |= text
    override = json.dumps(fields, separators=(",", ":"))
    words = ["--json-model-override-args", override] if fields else []
    words += [] if length is None else ["--context-length", str(length)]
    words += ["--max-running-requests", str(serving.batch)] if serving.batch > 1 else []
    words += ["--kv-cache-dtype", "fp8_e4m3"] if serving.cache_kind == "fp8" else []
    notes = [*_notes(config), *other_cache("SGLang", serving)]
    if any(isinstance(fields.get(name), dict) for name in config.path):
        notes.insert(0, NESTED)
    return Written(shlex.join(words), tuple(notes))


def _flat(config: Config, written: dict[str, Any]) -> dict[str, Any]:
    """One object for OLMo 3: SGLang's own class of it fails at an object for each kind."""
    if config.model_type != "olmo3" or "full_attention" not in written:
        return written
    if len({layer.base for layer in config.rotary.values()}) > 1:
        raise ValueError(
            "SGLang reads one base for all layers of OLMo 3, and these have several. It scales "
            "the layers without a window alone: take YaRN."
        )
    return dict(written["full_attention"])


def _notes(config: Config) -> Iterator[Sentence]:
    if config.dual_chunk is not None:
        yield say(
            "SGLang turns the attention backend dual_chunk_flash_attn on by itself for this "
            "file, and refuses any other."
        )
    if config.model_type == "olmo3" and any(one.scaling for one in config.rotary.values()):
        yield say("SGLang scales those layers of OLMo 3 alone that have no window.")
    for layer in config.rotary.values():
        factor = own_attention_factor(layer)
        if factor is not None:
            yield say(
                "{unread} It multiplies that by attn_factor.",
                unread=unread_factor("SGLang", factor),
            )
        if isinstance(layer.scaling, DynamicNTK):
            yield say(
                "SGLang fixes the base of dynamic scaling when it loads the model, that of a "
                "text of {most:,} tokens, factor times the declared length: texts of every "
                "length are turned by it.",
                most=int(layer.scaling.factor * layer.scaling.original_length),
            )


def reading(new: EngineReading, config: Config, layer_type: str) -> EngineReading:
    """As transformers 5, but for the longest text: see `get_context_length`."""
    same = replace(new, engine=TRIED["sglang"].release)
    lengths = other_lengths(config)
    name = next((name for name in FIRST if name in lengths), None)
    if same.longest is not None and name is not None:
        same = replace(same, longest=lengths[name], longest_from=name)
    scaling = config.rotary[layer_type].scaling
    is_one = len(config.rotary) == 1 and not given_object(config, layer_type).given(ORIGINAL)
    if isinstance(scaling, Linear | DynamicNTK) and is_one and same.longest is not None:
        product = int(same.longest * scaling.factor)
        return replace(same, longest=product, longest_from=f"{same.longest_from} · factor")
    return same


def _split(tensor: int, stages: int, machines: int) -> str:
    """Heads over all of them; each machine is started apart, with its number and one address."""
    more = f" --pp-size {stages}" if stages > 1 else ""
    nodes = f" --nnodes {machines} --node-rank N --dist-init-addr HOST:PORT"
    return f"--tp-size {tensor}{more}{nodes if machines > 1 else ''}"


SGLANG = Engine(
    id="sglang",
    title="SGLang",
    place=say("after python -m sglang.launch_server --model-path MODEL"),
    command="python -m sglang.launch_server --model-path {model}",
    versions=say(
        "A length above the declared one is refused; with "
        "SGLANG_ALLOW_OVERWRITE_LONGER_CONTEXT_LEN=1 it is accepted, but nothing is scaled, so "
        "the declared length is written here."
    ),
    sources=TRIED["sglang"].dated,
    write=write,
    form="--json-model-override-args",
    reading=reading,
    url="http://localhost:30000",
    split=_split,
    look=say("Its log says `max_total_num_tokens=…, …, context_len=…`; the second one counts."),
)
