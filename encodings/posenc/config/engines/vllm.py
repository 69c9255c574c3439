"""vLLM: arguments, of the releases since December 2025 and before."""

import json
import shlex
from dataclasses import replace
from typing import Literal

from posenc.config.data import Config
from posenc.config.engines.engine import Engine, Serving, Written
from posenc.config.engines.overrides import overrides
from posenc.config.engines.reading import EngineReading
from posenc.config.engines.text import own_attention_factor
from posenc.config.fields import DECLARED, ORIGINAL
from posenc.scaling.dynamic import DynamicNTK
from posenc.scaling.linear import Linear
from posenc.scaling.longrope import LongRoPE
from posenc.scaling.yarn import YaRN
from posenc.words import say


def _write(
    config: Config, before: Config, serving: Serving, generation: Literal["old", "new"]
) -> Written:
    """--hf-overrides with the whole object and the declared length, and --max-model-len."""
    # The object is replaced, so that it holds the base as well; a text above the declared length
    # is refused, by some releases after multiplying with the factor.
    fields = overrides(config, before, generation)
    arguments = ["--hf-overrides", json.dumps(fields, separators=(",", ":"))] if fields else []
    length = [] if config.reach is None else ["--max-model-len", str(config.reach)]
    return Written(shlex.join(arguments + length), tuple(_notes(config)))


def _notes(config: Config) -> list[str]:
    notes: list[str] = []
    for layer in config.rotary.values():
        if isinstance(layer.scaling, DynamicNTK):
            notes.append(
                say(
                    "vLLM fixes the base of dynamic scaling when it loads the model: texts of "
                    "every length are turned by it."
                )
            )
        if isinstance(layer.scaling, YaRN) and layer.mrope_section is not None:
            notes.append(
                say(
                    "For models with M-RoPE, vLLM 0.33 lays YaRN's ramp around four times the "
                    "trained length: the pairs in between are slowed less than transformers does."
                )
            )
        factor = own_attention_factor(layer)
        if factor is not None:
            notes.append(
                say(
                    "Releases before September 2026 do not read attention_factor {factor:.6g}: "
                    "they compute YaRN's own and multiply it by attn_factor.",
                    factor=factor,
                )
            )
    return notes


def reading(new: EngineReading, config: Config, layer_type: str) -> EngineReading:
    """As transformers 5, but for the longest text: see `_get_and_verify_max_len`."""
    same = replace(new, engine="vLLM 0.33")
    scaling = config.rotary[layer_type].scaling
    if "gemma3" in (config.source.get("model_type") or config.model_type or ""):
        return same
    if isinstance(scaling, DynamicNTK):
        same = replace(same, factor=None, factor_from=say("vLLM does nothing with it"))
    if isinstance(scaling, Linear | DynamicNTK) and same.longest is not None:
        product = int(same.longest * scaling.factor)
        return replace(same, longest=product, longest_from=f"{DECLARED} · factor")
    if isinstance(scaling, LongRoPE) and config.text.given(ORIGINAL):
        return replace(same, longest=config.text.integer(ORIGINAL, 1), longest_from=ORIGINAL)
    return same


def reading_before(new: EngineReading, config: Config, layer_type: str) -> EngineReading:
    """As `reading`, but YaRN's longest text is the trained one times the factor."""
    now = replace(reading(new, config, layer_type), engine="vLLM 0.27")
    scaling = config.rotary[layer_type].scaling
    if isinstance(scaling, YaRN):
        product = int(scaling.original_length * scaling.factor)
        return replace(now, longest=product, longest_from=f"{now.trained_from} · factor")
    return now


PLACE = say("after vllm serve MODEL")
VLLM = Engine(
    id="vllm",
    title="vLLM",
    place=PLACE,
    versions=say(
        "Works in 0.12.0 (December 2025) and later, with transformers 5. Where vLLM runs on "
        "transformers 4, a rope_scaling or rope_theta of the file wins silently; 0.11.2 and "
        "older do not read the object at all. Without --max-model-len, LongRoPE is read up to the "
        "trained length."
    ),
    sources=say("vLLM 0.33.0 of 2026-11-01; 0.27.0, 0.20.0, 0.12.0 and 0.11.2 were read"),
    write=lambda config, before, serving: _write(config, before, serving, "new"),
    reading=reading,
)
VLLM_OLD = Engine(
    id="vllm_old",
    title=say("vLLM up to 0.11"),
    place=PLACE,
    versions=say("Works up to 0.11.2 (November 2025); later releases need the other form."),
    sources=say("vLLM 0.11.2 of 2025-11-20"),
    write=lambda config, before, serving: _write(config, before, serving, "old"),
    reading=reading_before,
)
