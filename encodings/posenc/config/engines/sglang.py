"""SGLang: arguments."""

import json
import shlex

from posenc.config.data import Config
from posenc.config.engines.engine import Engine, Serving, Written
from posenc.config.engines.overrides import overrides
from posenc.config.engines.text import own_attention_factor
from posenc.scaling.dynamic import DynamicNTK
from posenc.words import say


def write(config: Config, before: Config, serving: Serving) -> Written:
    """--json-model-override-args with the whole object, and --context-length."""
    # SGLang merges the object into the file's own; with the base in it, that is right whether
    # the object is called rope_scaling (transformers 4) or rope_parameters (5).
    fields = overrides(config, before, "new")
    text = fields
    while "rope_parameters" not in text and text:
        text = next(value for value in text.values() if isinstance(value, dict))
    if text:
        text["rope_scaling"] = text.pop("rope_parameters")
        if "rope_theta" in text["rope_scaling"]:
            text["rope_theta"] = text["rope_scaling"]["rope_theta"]
    override = json.dumps(fields, separators=(",", ":"))
    words = ["--json-model-override-args", override] if fields else []
    length = [] if config.reach is None else ["--context-length", str(config.reach)]
    return Written(shlex.join(words + length), tuple(_notes(config)))


def _notes(config: Config) -> list[str]:
    notes: list[str] = []
    for layer in config.rotary.values():
        factor = own_attention_factor(layer)
        if factor is not None:
            notes.append(
                say(
                    "SGLang does not read attention_factor {factor:.6g}: it computes YaRN's own "
                    "and multiplies it by attn_factor.",
                    factor=factor,
                )
            )
        if isinstance(layer.scaling, DynamicNTK):
            notes.append(
                say(
                    "SGLang fixes the base of dynamic scaling when it loads the model: texts of "
                    "every length are turned by it."
                )
            )
    return notes


SGLANG = Engine(
    id="sglang",
    title="SGLang",
    place=say("after python -m sglang.launch_server --model-path MODEL"),
    versions=say(
        "Read in 0.5.23 (October 2026). A length above the declared one is refused; with "
        "SGLANG_ALLOW_OVERWRITE_LONGER_CONTEXT_LEN=1 it is accepted, but nothing is scaled, so "
        "the declared length is written here."
    ),
    sources=say("SGLang 0.5.23 of 2026-10-30"),
    write=write,
)
