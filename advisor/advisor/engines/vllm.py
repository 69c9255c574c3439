"""vLLM: arguments, of the releases since December 2025 and before."""

import json
import shlex
from collections.abc import Iterator
from dataclasses import replace
from typing import Any, Literal

from advisor.data import Config
from advisor.engines.engine import Engine, EngineReading, Serving, Written
from advisor.engines.overrides import other_lengths, overrides, reads_the_file
from advisor.engines.text import other_cache, own_attention_factor, unread_factor
from advisor.facts import TRIED, dated, gap, refused_file, since
from advisor.fields import ORIGINAL
from posenc.scaling.dynamic import DynamicNTK
from posenc.scaling.linear import Linear
from posenc.scaling.longrope import LongRoPE
from posenc.scaling.yarn import YaRN
from posenc.words import Sentence, say

ABOUT = TRIED["vllm"]
OLD = TRIED["vllm_old"]
DRAFT = say(
    "The model's own layers for multi-token prediction do not get --hf-overrides in {release}: if "
    "you start it with them, beyond the file's own length hardly any of their tokens are accepted. "
    "Write the fields into config.json instead.",
    release=ABOUT.release,
)
DRAFTING = (
    *("deepseek_v3", "deepseek_v32", "ernie4_5_moe", "exaone_moe", "glm4_moe", "glm4_moe_lite"),
    *("glm_moe_dsa", "hy_v3", "longcat_flash", "mimo_v2_flash", "nemotron_h"),
    *("qwen3_5_moe_text", "qwen3_5_text", "qwen3_next"),
)
"""Families released with such layers, which config/speculative.py makes a draft model of."""
IN_TRANSFORMERS = (
    *("arcee", "cwm", "flex_olmo", "glm", "gpt_neox", "helium", "hunyuan_v1_dense"),
    *("hunyuan_v1_moe", "jais2", "mellum", "olmo", "olmo2", "olmo3", "phi", "seed_oss"),
    *("smollm3", "starcoder2", "vaultgemma"),
)
"""Families without a class of its own: models/registry.py names transformers' own for them."""


def _write(
    config: Config, before: Config, serving: Serving, generation: Literal["old", "new"]
) -> Written:
    """--hf-overrides with the whole object and the declared length, and --max-model-len."""
    # The object is replaced, so that it holds the base as well; a text above the declared length
    # is refused, by some releases after multiplying with the factor.
    length = serving.length_for(config)
    fields: dict[str, Any] = {}
    if not reads_the_file(config, before, length):
        fields = overrides(config, before, generation, length)
    if config.model_type == "gpt_oss":
        _complete(fields, config)
    words = ["--hf-overrides", json.dumps(fields, separators=(",", ":"))] if fields else []
    words += [] if length is None else ["--max-model-len", str(length)]
    words += ["--max-num-seqs", str(serving.batch)] if serving.batch > 1 else []
    words += ["--kv-cache-dtype", "fp8"] if serving.cache_kind == "fp8" else []
    notes = [*_notes(config, generation), *other_cache("vLLM", serving)]
    # What the class refuses cannot stand in the file.
    if config.rotary and fields and config.model_type in DRAFTING and not refused_file(config):
        notes.append(DRAFT)
    is_safe = generation == "new" and _is_left_alone(fields, before)
    return Written(shlex.join(words), tuple(notes), versions=EITHER if is_safe else "")


def _is_left_alone(fields: dict[str, Any], before: Config) -> bool:
    """Whether nothing of the file wins over the object on transformers 4.

    There `patch_rope_parameters` (0.12.0) takes the file's rope_scaling for the whole object, and
    its rope_theta for that of the object; a class has a base of its own where the file has none.
    """
    written = fields.get("text_config", fields).get("rope_parameters", {})
    file = before.text.values
    base = file.get("rope_theta")
    return (
        file.get("rope_scaling") is None and base is not None and written.get("rope_theta") == base
    )


def _complete(fields: dict[str, Any], config: Config) -> None:
    """Both bounds of YaRN's ramp, for models/gpt_oss.py fails where the object lacks them."""
    for name in ("rope_parameters", "rope_scaling"):
        for layer in config.rotary.values() if fields.get(name) else ():
            if isinstance(layer.scaling, YaRN):
                fields[name] |= {
                    "beta_fast": layer.scaling.beta_fast,
                    "beta_slow": layer.scaling.beta_slow,
                }


def _notes(config: Config, generation: Literal["old", "new"]) -> Iterator[Sentence]:
    if config.dual_chunk is not None and generation == "old":
        yield say(
            "Set VLLM_ATTENTION_BACKEND=DUAL_CHUNK_FLASH_ATTN and VLLM_USE_V1=0, in a release "
            "before {gone}: without them positions stay plain.",
            gone=since("dual_chunk_attention_config", "vllm"),
        )
    for layer in config.rotary.values():
        is_dynamic = isinstance(layer.scaling, DynamicNTK)
        if is_dynamic and generation == "new" and config.model_type in IN_TRANSFORMERS:
            yield say(
                "{release} runs this family in transformers' own class: the base follows the "
                "longest text of a batch, keys in the cache keep the base of the length at "
                "which they were made, and torch.compile is off.",
                release=ABOUT.release,
            )
        elif is_dynamic and generation == "old":
            yield say("vLLM fixes the base of dynamic scaling when it loads the model.")
        if isinstance(layer.scaling, YaRN) and layer.mrope_section is not None:
            yield say(
                "For models with M-RoPE, {release} lays YaRN's ramp around four times the "
                "trained length: the pairs in between are slowed less than transformers does.",
                release=ABOUT.release,
            )
        factor = own_attention_factor(layer)
        if factor is not None and config.model_type == "gpt_oss":
            yield unread_factor("vLLM's gpt-oss", factor)
        elif factor is not None:
            yield say(
                "Releases before {since} do not read attention_factor {factor:.6g}: they "
                "compute YaRN's own and multiply it by attn_factor.",
                since=since("attention_factor", "vllm"),
                factor=factor,
            )


def _declared(same: EngineReading, config: Config) -> EngineReading:
    """Command-R's model_max_length before all, else the least of all lengths in the file."""
    lengths = other_lengths(config)
    if same.longest is None or not lengths:
        return same
    name = min(lengths, key=lambda one: (one != "model_max_length", lengths[one]))
    if name != "model_max_length" and lengths[name] >= same.longest:
        return same
    return replace(same, longest=lengths[name], longest_from=name)


def reading(new: EngineReading, config: Config, layer_type: str) -> EngineReading:
    """As transformers 5, but for the longest text: see `_get_and_verify_max_len`."""
    same = _declared(replace(new, engine=ABOUT.release), config)
    scaling = config.rotary[layer_type].scaling
    if "gemma3" in (config.source.get("model_type") or config.model_type or ""):
        return same
    found = gap("vllm", config, config)
    if found is not None and found.does == "ignores":
        same = replace(same, factor=None, factor_from=say("vLLM does nothing with it"))
    if isinstance(scaling, Linear | DynamicNTK) and same.longest is not None:
        product = int(same.longest * scaling.factor)
        return replace(same, longest=product, longest_from=f"{same.longest_from} · factor")
    if isinstance(scaling, LongRoPE) and config.text.given(ORIGINAL):
        return replace(same, longest=config.text.integer(ORIGINAL, 1), longest_from=ORIGINAL)
    return same


def reading_before(new: EngineReading, config: Config, layer_type: str) -> EngineReading:
    """As `reading`, but YaRN's longest text is the trained one times the factor."""
    now = replace(reading(new, config, layer_type), engine=f"{ABOUT.name} {ABOUT.also[0]}")
    scaling = config.rotary[layer_type].scaling
    if isinstance(scaling, YaRN):
        product = int(scaling.original_length * scaling.factor)
        return replace(now, longest=product, longest_from=f"{now.trained_from} · factor")
    return now


def _split(tensor: int, stages: int, machines: int) -> str:
    """Heads within a machine, layers between machines, as its documentation advises."""
    more = f" --pipeline-parallel-size {stages}" if stages > 1 else ""
    return f"--tensor-parallel-size {tensor}{more}"


PLACE = say("after vllm serve MODEL")
LOOK = say(
    "Its log says `Using max model len …` and `Maximum concurrency for … tokens per request`."
)
OLDER = {
    "old": OLD.version,
    "works": dated("rope_parameters", "vllm"),
    "five": since("transformers 5", "vllm"),
}
EITHER = say(
    "For vLLM {works} and later, on transformers 4 or 5. (On transformers 4, a rope_scaling in the "
    "model's config.json, or a rope_theta there other than the command's, would silently win over "
    "the command; this file has neither.) vLLM {old} and older do not read rope_parameters: for "
    "them see the engine vLLM up to 0.11.",
    **OLDER,
)
VLLM = Engine(
    id="vllm",
    title="vLLM",
    place=PLACE,
    command="vllm serve {model}",
    versions=say(
        "For vLLM {five} and later, and from {works} on where it runs on transformers 5. On "
        "transformers 4, a rope_scaling in the model's config.json, or a rope_theta there other "
        "than the command's, silently wins over the command. vLLM {old} and older do not read "
        "rope_parameters: for them see the engine vLLM up to 0.11.",
        **OLDER,
    ),
    sources=say(
        "{release}; of {also} and {old} the source was read",
        release=ABOUT.dated,
        also=", ".join(ABOUT.also),
        old=OLD.version,
    ),
    write=lambda config, before, serving: _write(config, before, serving, "new"),
    form="rope_parameters",
    reading=reading,
    look=LOOK,
    split=_split,
)
VLLM_OLD = Engine(
    id="vllm_old",
    title=say("vLLM up to 0.11"),
    place=PLACE,
    command="vllm serve {model}",
    versions=say(
        "For vLLM up to {last}; as its code was read, not run, also for later releases before "
        "{five} that run on transformers 4. On transformers 5 the command of the engine vLLM is "
        "needed. The arguments --rope-scaling and --rope-theta are gone since {gone}.",
        last=OLD.version,
        five=since("transformers 5", "vllm"),
        gone=since("--rope-scaling", "vllm"),
    ),
    sources=OLD.dated,
    write=lambda config, before, serving: _write(config, before, serving, "old"),
    form="--hf-overrides",
    reading=reading_before,
    look=LOOK,
    split=_split,
)
