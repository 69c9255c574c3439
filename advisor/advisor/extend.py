"""A configuration changed so that the model reads further."""

import math
from dataclasses import replace

from advisor.comparing.layer import ROPE_TYPES, RopeLayer
from advisor.engines.engine import check_known
from advisor.engines.transformers.write import unchecked
from advisor.rope import RopeConfig
from advisor.training import trained_length
from posenc.checks import check_choice, check_int
from posenc.scaling.llama3 import Llama3
from posenc.scaling.methods import METHODS, Case, fitting
from posenc.scaling.ntk import NTK
from posenc.scaling.yarn import YaRN

EXTENSIONS = tuple(
    method.id
    for method in fitting("trained").values()
    if not method.form_of and method.kind and (method.kind in ROPE_TYPES or method.kind is NTK)
)
"""Ids of the methods that a config.json can say: those with a rope_type, and a larger base."""


class NotSaid(ValueError):
    """A file of this kind has no way to say a method."""


def covering_factor(target_length: int, trained: int) -> float:
    """target length / trained length, rounded up so that factor · trained length is the target.

    Engines cut that product off to whole tokens: 202,752 · (256,000 / 202,752) is 255,999.99…
    """
    factor = target_length / trained
    while trained * factor < target_length:
        factor = math.nextafter(factor, math.inf)
    return factor


def extend_config(
    config: RopeConfig, layer_type: str, method: str, target_length: int
) -> RopeConfig:
    """The configuration with the scaling of one layer type made anew for a longer text.

    The factor is target length / `trained_length`, and the declared length becomes the target. NTK
    is written as a larger base and no scaling, so that the file no longer says how long the
    training was.

    Args:
        config: A model's configuration.
        layer_type: Key of `config.rotary`.
        method: One of `EXTENSIONS`; a YaRN or Llama-3 scaling that is there
            already keeps its other parameters.
        target_length: L, tokens, above the trained length.

    Returns:
        The configuration as it is read back from the file that `to_hf` writes.

    Raises:
        NotSaid: If what is written is read back as something else.
        ValueError: If the family is unknown, the layers do not rotate, the file does not say how
            long the trained length is, or the target is not above it.

    Source: Chen et al. 2023, section 2.3, arXiv:2306.15595; Peng et al. 2023, section 3,
    arXiv:2309.00071; transformers, modeling_rope_utils.py, _compute_llama3_parameters.
    """
    check_choice("method", method, EXTENSIONS)
    if layer_type in config.layers and layer_type not in config.rotary:
        raise ValueError(f"layer_type must be one that rotates; {layer_type!r} does not rotate.")
    check_choice("layer_type", layer_type, list(config.rotary))
    layer = config.rotary[layer_type]
    trained = trained_length(config, layer_type)
    if trained is None:
        raise ValueError(
            f"original_max_position_embeddings must be given for a file with {layer.rope_type} "
            f"scaling: {layer.max_length} may be the trained length or the extended one."
        )
    check_int("target_length", target_length, trained + 1)
    factor = covering_factor(target_length, trained)
    changed = _stretched(layer, method, factor, trained)
    check_known(config)
    whole = config.with_layer(layer_type, changed).turning(max_length=target_length)
    longer = RopeConfig.from_hf(unchecked(whole))
    again = longer.rotary.get(layer_type) or longer.rotary.get("all")
    if again is None or (again.scaling, again.base) != (changed.scaling, changed.base):
        raise NotSaid(
            f"method must be one that a file of {config.model_type or 'this kind'} can say; "
            f"{method} is read back as something else."
        )
    return longer


def _stretched(layer: RopeLayer, method: str, factor: float, trained: int) -> RopeLayer:
    """The layer with the method in the place of the scaling that it has."""
    scaling = METHODS[method].scaling(Case(factor, trained))
    own = layer.scaling
    if isinstance(scaling, NTK):
        base = scaling.new_base(layer.rotary_dim // 2, layer.base)
        return replace(layer, base=base, scaling=None, original_length=None)
    if isinstance(scaling, Llama3) and isinstance(own, Llama3):
        scaling = replace(own, factor=factor, original_length=trained)
    if isinstance(scaling, YaRN) and isinstance(own, YaRN):
        # A factor of 1 is the makers' choice to leave the scores alone; another is of one length.
        kept = 1.0 if own.attention_factor == 1 else None
        scaling = replace(own, factor=factor, original_length=trained, attention_factor=kept)
    return replace(layer, scaling=scaling, original_length=trained)
