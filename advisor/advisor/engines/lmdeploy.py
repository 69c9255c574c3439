"""LMDeploy: arguments."""

import json
import shlex
from typing import Any

from advisor.data import Config
from advisor.engines.engine import Engine, Serving, Written
from advisor.engines.overrides import overrides, reads_the_file
from advisor.engines.text import other_cache
from advisor.facts import TRIED, dated
from posenc.scaling.dynamic import DynamicNTK
from posenc.scaling.proportional import Proportional
from posenc.scaling.yarn import YaRN
from posenc.words import say

CACHES = {"fp8": "fp8", "int8": "8", "q8_0": "8", "int4": "4", "q4_0": "4"}
"""--quant-policy, by the cache types of `CACHE_BITS`."""
BASE_OF_THE_PROMPT = say(
    "Its TurboMind engine gives each request the base of its prompt's length and keeps it; the "
    "PyTorch engine follows the longest text of the batch. --rope-scaling-factor, which older "
    "documents of LMDeploy and InternLM set beside this, is read by neither since {gone}: the "
    "factor of the file counts.",
    gone=dated("--rope-scaling-factor", "lmdeploy"),
)


def write(config: Config, before: Config, serving: Serving) -> Written:
    """--hf-overrides with the object of transformers 5, which counts under release 4 as well."""
    if config.is_scaled_by(Proportional):
        raise ValueError("LMDeploy has no proportional scaling: it ends with a KeyError.")
    if len(config.rotary) > 1 and config.model_type != "gemma3_text":
        raise ValueError("LMDeploy reads one object for all layers, and these differ.")
    # Dynamic scaling follows the text in both of its engines, and needs no length.
    is_dynamic = config.is_scaled_by(DynamicNTK)
    length = serving.length or config.reach if is_dynamic else serving.length_for(config)
    fields: dict[str, Any] = {}
    if not reads_the_file(config, before, None if is_dynamic else length):
        fields = overrides(config, before, "new", length)
    if config.model_type == "chatglm":
        # Its class halves the channels itself, and by this share once more: chatglm2.py, 558-572.
        fields.get("rope_parameters", {}).pop("partial_rotary_factor", None)
    words = ["--hf-overrides", json.dumps(fields, separators=(",", ":"))] if fields else []
    words += ["--backend", "pytorch"] if _is_beyond_the_factor(config, length) else []
    words += [] if length is None else ["--session-len", str(length)]
    words += ["--max-batch-size", str(serving.batch)] if serving.batch > 1 else []
    policy = CACHES.get(serving.cache_kind)
    words += [] if policy is None else ["--quant-policy", policy]
    notes = [] if policy is not None else [*other_cache("LMDeploy", serving)]
    if is_dynamic:
        notes.insert(0, BASE_OF_THE_PROMPT)
    return Written(shlex.join(words), tuple(notes))


def _is_beyond_the_factor(config: Config, length: int | None) -> bool:
    """Whether YaRN's factor is not the ratio of the lengths, which TurboMind takes for it."""
    scalings = [layer.scaling for layer in config.rotary.values()]
    return any(
        isinstance(one, YaRN) and one.factor * one.original_length + 1e-6 < (length or 0)
        for one in scalings
    )


LMDEPLOY = Engine(
    id="lmdeploy",
    title="LMDeploy",
    place=say("after lmdeploy serve api_server MODEL"),
    command="lmdeploy serve api_server {model}",
    versions=say(
        "A --session-len above the declared length is accepted with a warning, and nothing is "
        "scaled for it. Its TurboMind engine takes YaRN's factor from max_position_embeddings "
        "over the trained length, and has no LongRoPE."
    ),
    sources=say(
        "{release}, lmdeploy/pytorch/nn/rotary_embedding.py and lmdeploy/turbomind/models/utils.py",
        release=TRIED["lmdeploy"].dated,
    ),
    write=write,
    url="http://localhost:23333",
)
