"""Changes of a configuration that a choice asks for, each read back from the file it makes."""

import copy
from collections.abc import Collection
from dataclasses import replace
from typing import cast

from advisor.choosing.lengths import TrainedLengths
from advisor.choosing.makers import documented_yarn
from advisor.comparing.layer import RopeLayer
from advisor.engines.transformers.write import unchecked
from advisor.extend import covering_factor, extend_config
from advisor.fields import DECLARED
from advisor.known_models import KnownModel
from advisor.released import released
from advisor.rope import RopeConfig
from advisor.training import own_word, training
from posenc.scaling.dynamic import DynamicNTK
from posenc.scaling.linear import Linear
from posenc.scaling.llama3 import Llama3
from posenc.scaling.longrope import LongRoPE
from posenc.scaling.methods import unscaled
from posenc.scaling.proportional import Proportional
from posenc.scaling.yarn import YaRN


def counted(config: RopeConfig, keys: Collection[str]) -> RopeConfig:
    """The file with scalings that count from the training where it is known to be another length.

    The file itself where they do so already.
    """
    changed = config
    for key in keys:
        changed = changed.with_layer(key, _counted(config, key))
    return config if changed.layers == config.layers else fresh(changed)


def _counted(config: RopeConfig, key: str) -> RopeLayer:
    """Layers whose scaling counts from the training, and what they then declare."""
    layer = config.rotary[key]
    scaling = layer.scaling
    length = training(config, key).length
    if length is None or getattr(scaling, "original_length", length) == length:
        return layer
    assert isinstance(scaling, DynamicNTK | Llama3 | LongRoPE | YaRN)
    counting = replace(scaling, original_length=length)
    declared = layer.max_length or 0
    word = own_word(config, key) or 0
    if 0 < declared < word:
        declared = word  # the two were swapped
    match counting:
        case DynamicNTK():
            declared = length  # its field for the trained length
        case LongRoPE(factor=factor) if factor == declared / scaling.original_length:
            counting = replace(counting, factor=declared / length)
        case YaRN(factor=factor):
            # Never less than the training: that would be read as the two lengths swapped.
            declared = max(length, min(declared, int(factor * length + 1e-6)))
        case Llama3():
            declared = max(length, declared)
    return replace(layer, scaling=counting, original_length=length, max_length=declared or None)


def restored(config: RopeConfig, known: KnownModel) -> RopeConfig:
    """The file with the layers of the released one."""
    return fresh(replace(config, layers=released(known.name).layers))


def from_trained(config: RopeConfig, key: str, before: int | None) -> RopeConfig:
    """The layers with the length that an extension counts from, whatever the file declares."""
    layer = config.rotary[key]
    if before is None or layer.scaling is not None:
        return config
    return config.with_layer(key, replace(layer, original_length=before))


def stretched(config: RopeConfig, key: str, lengths: TrainedLengths, target: int) -> RopeConfig:
    """The layers with the smallest factor that covers the target.

    YaRN where there is no scaling, else the file's own with a larger factor.
    """
    layer = config.rotary[key]
    scaling = layer.scaling
    if scaling is None or isinstance(scaling, YaRN):
        plain = from_trained(config, key, lengths.before)
        for row in documented_yarn(config):
            most = int((row.factor or 1) * (row.original or 0))
            if row.original == lengths.before and most < target <= (row.tokens or 0):
                # A smaller factor than the ratio of the lengths, as for positions of images.
                return fresh(extend_config(plain, key, "yarn", most).turning(max_length=target))
        return extend_config(plain, key, "yarn", target)
    assert isinstance(scaling, Linear | Llama3 | Proportional)
    reach = cast(int, lengths.reach)
    changed = replace(scaling, factor=scaling.factor * covering_factor(target, reach))
    longer = config.turning(max_length=target)
    before = lengths.before or layer.original_length
    own = replace(longer.rotary[key], scaling=changed, original_length=before)
    return fresh(longer.with_layer(key, own))


def without_scaling(config: RopeConfig, keys: Collection[str], length: int) -> RopeConfig:
    """The file without the scaling of these layers, declaring this length."""
    shorter = config
    for key in keys:
        layer = config.rotary[key]
        plain = replace(layer, scaling=unscaled(layer.scaling), max_length=length)
        shorter = shorter.with_layer(key, plain)
    return fresh(shorter)


def declaring_alone(config: RopeConfig, length: int) -> RopeConfig:
    """The file with another declared length; nothing else in it is written anew."""
    source = copy.deepcopy(config.source)
    config.text_in(source)[config.text.own_name(DECLARED)] = length
    return RopeConfig.from_hf(source)


def fresh(config: RopeConfig) -> RopeConfig:
    """The configuration as it is read back from the file that is written."""
    return RopeConfig.from_hf(unchecked(config))


def same(config: RopeConfig, key: str) -> RopeLayer:
    """The layers of a type, also where all have become alike."""
    return config.rotary.get(key) or next(iter(config.rotary.values()))
