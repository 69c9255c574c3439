"""The fields that say what one rotary layer does, the same in both generations."""

import copy
from typing import Any

from advisor.comparing.layer import RopeLayer
from advisor.data import Config
from advisor.engines.engine import given_object
from advisor.fields import ORIGINAL, Fields
from advisor.reader.near_miss import OF_THE_OBJECT, meant
from posenc.scaling.llama3 import Llama3
from posenc.scaling.longrope import LongRoPE
from posenc.scaling.proportional import Proportional
from posenc.scaling.yarn import YaRN, yarn_mscale

YARN_OPTIONS = ("beta_fast", "beta_slow", "truncate", "mscale", "mscale_all_dim")
"""Fields of YaRN that are written where they are not the usual ones."""
WRITTEN = (
    *("factor", "low_freq_factor", "high_freq_factor", "short_factor", "long_factor"),
    *("short_mscale", "long_mscale", "attention_factor"),
)
"""Fields of a scaling that are written where it has them; its own fields have the same names."""
KNOWN = {
    *("rope_type", "type", "rope_theta", ORIGINAL, "alpha", *YARN_OPTIONS, *WRITTEN),
    *("partial_rotary_factor", "mrope_section", "mrope_interleaved"),
}
"""Fields of an object that is written here; any other stays as the file has it."""


def carried(config: Config, layer_type: str) -> dict[str, Any]:
    """The fields of the file's own object that are not known here (llama_4_scaling_beta).

    Without a misspelt one that is written by its right name.
    """
    values = given_object(config, layer_type).values
    written = layer_parameters(config.rotary[layer_type], config.text)
    right = meant(values.keys(), OF_THE_OBJECT)
    out = {
        name: copy.deepcopy(value)
        for name, value in values.items()
        if name not in KNOWN
        and not isinstance(value, dict)
        and (name not in right or written.get(right[name]) != value)
    }
    all_dim = values.get("mscale_all_dim") or 0.0
    layer = config.rotary[layer_type]
    factor = getattr(layer.scaling, "factor", 1.0)
    sharper = layer.softmax_multiplier
    is_alone = sharper != 1 and all_dim and not isinstance(layer.scaling, YaRN)
    if is_alone and sharper == yarn_mscale(factor, all_dim) ** 2:
        out["mscale_all_dim"] = all_dim  # beside another scaling it is for the softmax alone
    return out


def scaling_fields(layer: RopeLayer) -> dict[str, Any]:
    """The fields of the scaling, without base and share of rotated channels."""
    scaling = layer.scaling
    out: dict[str, Any] = {"rope_type": layer.rope_type}
    for name in WRITTEN:
        value = getattr(scaling, name, None)
        if value is not None:
            out[name] = list(value) if isinstance(value, tuple) else value
    if isinstance(scaling, YaRN):
        usual = YaRN(scaling.factor, scaling.original_length)
        values = {name: getattr(scaling, name) for name in YARN_OPTIONS}
        out |= {name: one for name, one in values.items() if one != getattr(usual, name)}
    if isinstance(scaling, Proportional) and scaling.factor == 1:
        del out["factor"]
    if isinstance(scaling, YaRN | Llama3 | LongRoPE):
        out[ORIGINAL] = scaling.original_length
    elif layer.original_length != layer.max_length:
        out[ORIGINAL] = layer.original_length
    if layer.mrope_section is not None:
        out["mrope_section"] = list(layer.mrope_section)
    if layer.mrope_interleaved:
        out["mrope_interleaved"] = True
    return out


def rotary_share(layer: RopeLayer) -> float:
    """partial_rotary_factor: a share that gives back rotary_dim when it is rounded down."""
    if isinstance(layer.scaling, Proportional):
        return layer.scaling.proportion
    share = layer.rotary_dim / layer.head_dim
    exact = int(layer.head_dim * share) == layer.rotary_dim
    return share if exact else (layer.rotary_dim + 0.5) / layer.head_dim


def layer_parameters(layer: RopeLayer, text: Fields) -> dict[str, Any]:
    """The layer's rope_parameters of transformers 5."""
    out = {**scaling_fields(layer), "rope_theta": layer.base}
    share = rotary_share(layer)
    if text.family is not None and text.family.turned_share:
        share = layer.head_dim / (layer.head_dim + layer.nope_dim)
    is_proportional = isinstance(layer.scaling, Proportional)
    has_share = share != 1 or text.get("partial_rotary_factor") is not None
    if has_share and (is_proportional or not has_width(text)):
        out["partial_rotary_factor"] = share
    return out


def has_width(text: Fields) -> bool:
    """True for files that give rotary_dim itself (GPT-J)."""
    return text.get("rotary_dim") is not None
