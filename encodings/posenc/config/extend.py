"""A configuration changed so that the model reads further."""

from dataclasses import replace
from typing import Literal

from posenc.checks import check_choice, check_int
from posenc.config.layers import RopeLayer
from posenc.config.rope import RopeConfig
from posenc.scaling.linear import Linear
from posenc.scaling.llama3 import Llama3
from posenc.scaling.ntk import ntk_base
from posenc.scaling.yarn import YaRN
from posenc.words import say

Extension = Literal["linear", "ntk", "llama3", "yarn"]
EXTENSIONS = ("linear", "ntk", "llama3", "yarn")


def extend_config(
    config: RopeConfig, layer_type: str, method: Extension, target_length: int
) -> RopeConfig:
    """The configuration with the scaling of one layer type made anew for a longer text.

    The factor is target length / trained length, and the declared length becomes the target. NTK
    is written as a larger base and no scaling, so that the file no longer says how long the
    training was.

    Args:
        config: A model's configuration.
        layer_type: Key of `config.rotary`.
        method: "linear", "ntk", "llama3" or "yarn"; a YaRN or Llama-3 scaling that is there
            already keeps its other parameters.
        target_length: L, tokens, above the trained length.

    Returns:
        The configuration as it is read back from the file that `to_hf` writes.

    Raises:
        ValueError: If the layers do not rotate, the file does not say how long the trained length
            is, or the target is not above it.

    Source: Chen et al. 2023, section 2.3, arXiv:2306.15595; Peng et al. 2023, section 3,
    arXiv:2309.00071; transformers, modeling_rope_utils.py, _compute_llama3_parameters.
    """
    check_choice("method", method, EXTENSIONS)
    if layer_type in config.layers and layer_type not in config.rotary:
        raise ValueError(
            say("layer_type must be one that rotates; {kind!r} does not rotate.", kind=layer_type)
        )
    check_choice("layer_type", layer_type, list(config.rotary))
    layer = config.rotary[layer_type]
    trained = layer.trained_length
    if trained is None:
        raise ValueError(
            say(
                "original_max_position_embeddings must be given for a file with {kind} scaling: "
                "{length} may be the trained length or the extended one.",
                kind=layer.rope_type,
                length=layer.max_length,
            )
        )
    check_int("target_length", target_length, trained + 1)
    changed = _stretched(layer, method, target_length / trained, trained)
    layers = {
        key: replace(one, max_length=target_length) if isinstance(one, RopeLayer) else one
        for key, one in config.layers.items()
    }
    changed = replace(changed, max_length=target_length)
    return RopeConfig.from_hf(replace(config, layers={**layers, layer_type: changed}).to_hf("new"))


def _stretched(layer: RopeLayer, method: Extension, factor: float, trained: int) -> RopeLayer:
    """The layer with the method in the place of the scaling that it has."""
    own = layer.scaling
    match method:
        case "ntk":
            base = ntk_base(layer.rotary_dim, layer.base, factor)
            return replace(layer, base=base, scaling=None, original_length=None)
        case "linear":
            scaling: Linear | Llama3 | YaRN = Linear(factor)
        case "llama3" if isinstance(own, Llama3):
            scaling = replace(own, factor=factor)
        case "llama3":
            scaling = Llama3(factor, original_length=trained)
        case _ if isinstance(own, YaRN):
            scaling = replace(own, factor=factor, attention_factor=None)
        case _:
            scaling = YaRN(factor, trained)
    return replace(layer, scaling=scaling, original_length=trained)
