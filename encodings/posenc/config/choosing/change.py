"""Changes of a configuration that a choice asks for, each read back from the file it makes."""

from collections.abc import Collection
from dataclasses import replace
from typing import cast

from posenc.config.choosing.lengths import TrainedLengths
from posenc.config.engines.transformers.write import unchecked
from posenc.config.extend import covering_factor, extend_config
from posenc.config.layers import RopeLayer
from posenc.config.rope import RopeConfig
from posenc.scaling.linear import Linear
from posenc.scaling.llama3 import Llama3
from posenc.scaling.methods import unscaled
from posenc.scaling.proportional import Proportional
from posenc.scaling.yarn import YaRN


def stretched(config: RopeConfig, key: str, lengths: TrainedLengths, target: int) -> RopeConfig:
    """The layers with the smallest factor that covers the target.

    YaRN where there is no scaling, else the file's own with a larger factor.
    """
    layer = config.rotary[key]
    scaling = layer.scaling
    if scaling is None:
        # The makers' word on the training counts, where the file declares more.
        known = replace(layer, original_length=lengths.before)
        told = replace(config, layers={**config.layers, key: known})
        return extend_config(told, key, "yarn", target)
    if isinstance(scaling, YaRN):
        return extend_config(config, key, "yarn", target)
    assert isinstance(scaling, Linear | Llama3 | Proportional)
    reach = cast(int, lengths.reach)
    changed = replace(scaling, factor=scaling.factor * covering_factor(target, reach))
    longer = declaring(config, target)
    own = replace(longer.rotary[key], scaling=changed)
    return fresh(replace(longer, layers={**longer.layers, key: own}))


def without_scaling(config: RopeConfig, keys: Collection[str], length: int) -> RopeConfig:
    """The file without the scaling of these layers, declaring this length."""
    layers = dict(config.layers)
    for key in keys:
        plain = unscaled(config.rotary[key].scaling)
        layers[key] = replace(config.rotary[key], scaling=plain, max_length=length)
    return fresh(replace(config, layers=layers))


def declaring(config: RopeConfig, length: int) -> RopeConfig:
    """The same layers, declaring another length; not read back."""
    layers = {
        key: replace(one, max_length=length) if isinstance(one, RopeLayer) else one
        for key, one in config.layers.items()
    }
    return replace(config, layers=layers)


def fresh(config: RopeConfig) -> RopeConfig:
    """The configuration as it is read back from the file that is written."""
    return RopeConfig.from_hf(unchecked(config))


def same(config: RopeConfig, key: str) -> RopeLayer:
    """The layers of a type, also where all have become alike."""
    return config.rotary.get(key) or next(iter(config.rotary.values()))
