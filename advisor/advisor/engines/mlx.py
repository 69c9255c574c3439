"""MLX, the package mlx-lm: fields of config.json."""

import math
from collections.abc import Iterator

from advisor.comparing.layer import RopeLayer
from advisor.data import Config
from advisor.engines.engine import Engine, Serving, Written
from advisor.engines.flags import changed
from advisor.engines.overrides import says
from advisor.engines.text import IN_CONFIG, as_json, own_attention_factor
from advisor.engines.transformers.write import reaching_fragment
from advisor.facts import TRIED, dated
from advisor.fields import ORIGINAL
from posenc.scaling.longrope import LongRoPE
from posenc.scaling.yarn import YaRN
from posenc.words import Sentence, say

NEW_FIELDS = (
    *("gemma4_text", "glm_moe_dsa", "laguna", "mellum", "minimax_m3_vl_text", "ministral3"),
    *("mistral4", "muse_spark_text", "olmo_hybrid", "qwen3_5_text", "qwen3_5_moe_text"),
)
"""Families of which it reads rope_parameters; of all others rope_theta and rope_scaling."""
TEMPERED = ("ministral3", "mistral4")
"""Families whose classes look for the trained length in any object."""
OWN_BASES = ("mimo_v2_flash",)
"""Families of which it reads a base for each kind of layers, from fields of their own."""


def write(config: Config, before: Config, serving: Serving) -> Written:
    """The fields that its class reads, with the trained length: without it 4096 is taken."""
    return written(config, before, serving, "mlx-lm")


def written(config: Config, before: Config, serving: Serving, package: str) -> Written:
    """The same for one of the packages that share these classes."""
    layers = config.rotary.values()
    if config.model_type == "deepseek_v2" and any(
        not isinstance(layer.scaling, YaRN) for layer in layers
    ):
        raise ValueError(
            f"{package} computes YaRN for every deepseek_v2 file, or does not load it."
        )
    notes = [note for layer in layers for note in _notes(layer, package)]
    if serving.cache_kind in ("q8_0", "int8", "fp8", "q4_0"):
        bits = 4 if serving.cache_kind == "q4_0" else 8
        notes.append(say("Start it with --kv-bits {bits}.", bits=bits))
    if config.model_type in OWN_BASES and not changed(config, before):
        return Written("", tuple(notes))
    if not config.rotary:
        return Written("", tuple(notes))
    fields = reaching_fragment(config, "new" if config.model_type in NEW_FIELDS else "old")
    text = config.text_in(fields)
    if config.model_type in TEMPERED:
        text["rope_parameters"].setdefault(ORIGINAL, _trained(before))
    scaling = text.get("rope_scaling") or {}
    if config.model_type == "phi3" and scaling.get("rope_type") == "default":
        text["rope_scaling"] = None  # models/phi3.py wants LongRoPE's lists in any object
    if not changed(config, before) and says(before, text):
        return Written("", tuple(notes))
    return Written(as_json(fields), tuple(notes))


def _trained(config: Config) -> int | None:
    return next(layer.original_length for layer in config.rotary.values())


def _notes(layer: RopeLayer, package: str) -> Iterator[Sentence]:
    scaling = layer.scaling
    factor = own_attention_factor(layer)
    if isinstance(scaling, LongRoPE):
        yield say(
            "mlx-lm takes LongRoPE's long list for texts of every length, and its factor from "
            "the two lengths."
        )
    if isinstance(scaling, YaRN) and not scaling.truncate:
        yield say(
            "{package} does not read truncate: it rounds the bounds of YaRN's ramp.",
            package=package,
        )
    if isinstance(scaling, YaRN) and factor is not None and scaling.attention_factor is not None:
        yield say(
            "{package} does not read attention_factor. For {factor:.6g} write mscale of "
            "{mscale:.6g} and mscale_all_dim of 0 in its place.",
            package=package,
            factor=factor,
            mscale=(factor - 1) / (0.1 * math.log(scaling.factor)),
        )


MLX = Engine(
    id="mlx",
    title="MLX (mlx-lm)",
    place=IN_CONFIG,
    versions=say(
        "Most models read rope_theta and rope_scaling alone: a file with rope_parameters only has "
        "the class's own base there, silently, or does not load. Dynamic scaling is read since "
        "{dynamic}. There is no argument for the length, and attention_factor is not read.",
        dynamic=dated("dynamic", "mlx"),
    ),
    sources=say(
        "{release}, mlx_lm/models/rope_utils.py and the models", release=TRIED["mlx"].dated
    ),
    write=write,
    language="json",
    url="http://localhost:8080",
)


def write_vlm(config: Config, before: Config, serving: Serving) -> Written:
    """The fields that mlx-lm reads: its models of text are the same."""
    if config.is_scaled_by(LongRoPE):
        raise ValueError("Which classes of mlx-vlm read LongRoPE's lists was not looked at.")
    return written(config, before, serving, "mlx-vlm")


MLX_VLM = Engine(
    id="mlx_vlm",
    title="mlx-vlm",
    place=IN_CONFIG,
    versions=say(
        "Its Qwen-VL classes take no scaling: a file with one does not load, or runs without it. "
        "There is no argument for the length."
    ),
    sources=say(
        "{release}, mlx_vlm/models/rope_utils.py and the config.py of the models",
        release=TRIED["mlx_vlm"].dated,
    ),
    write=write_vlm,
    language="json",
    url="http://localhost:8080",
)
