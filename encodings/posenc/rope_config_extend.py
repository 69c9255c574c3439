"""A configuration changed so that the model reads further."""

from dataclasses import replace
from typing import Literal

from posenc.checks import check_choice, check_int
from posenc.rope_config import RopeConfig
from posenc.rope_config_layers import RopeLayer
from posenc.rope_scaling import Linear
from posenc.rope_scaling_by_pair import YaRN

Extension = Literal["linear", "yarn"]


def extend_config(
    config: RopeConfig, layer_type: str, method: Extension, target_length: int
) -> RopeConfig:
    """The configuration with the scaling of one layer type made anew for a longer text.

    The factor is target length / trained length, and the declared length becomes the target.

    Args:
        config: A model's configuration.
        layer_type: Key of `config.rotary`.
        method: "linear" or "yarn"; a YaRN that is there already keeps its other parameters.
        target_length: L, tokens, above the trained length.

    Returns:
        The configuration as it is read back from the file that `to_hf` writes.

    Raises:
        ValueError: If the layers do not rotate, the file does not say how long the trained length
            is, or the target is not above it.

    Source: Chen et al. 2023, section 2.3, arXiv:2306.15595; Peng et al. 2023, section 3,
    arXiv:2309.00071.
    """
    check_choice("method", method, ("linear", "yarn"))
    if layer_type in config.layers and layer_type not in config.rotary:
        raise ValueError(f"layer_type {layer_type!r} must have rotary positions, which it has not.")
    check_choice("layer_type", layer_type, list(config.rotary))
    layer = config.rotary[layer_type]
    trained = layer.trained_length
    if trained is None:
        raise ValueError(
            "original_max_position_embeddings must be given for a file with "
            f"{layer.rope_type} scaling: {layer.max_length} may be the trained length or the "
            "extended one."
        )
    check_int("target_length", target_length, trained + 1)
    factor = target_length / trained
    if method == "linear":
        scaling: Linear | YaRN = Linear(factor)
    elif isinstance(layer.scaling, YaRN):
        scaling = replace(layer.scaling, factor=factor, attention_factor=None)
    else:
        scaling = YaRN(factor, trained)
    layers = {
        key: replace(one, max_length=target_length) if isinstance(one, RopeLayer) else one
        for key, one in config.layers.items()
    }
    changed = replace(layer, scaling=scaling, original_length=trained, max_length=target_length)
    return RopeConfig.from_hf(replace(config, layers={**layers, layer_type: changed}).to_hf("new"))
