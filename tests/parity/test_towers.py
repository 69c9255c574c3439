"""Towers turn as transformers' own code turns them: every channel, by row and column or time."""

from dataclasses import replace

import pytest
from transformers import CONFIG_MAPPING

from advisor import RopeConfig
from advisor.families import audio, vision
from advisor.layers import AxialLayer
from reference.sweep.judge import ALONE, TURNED
from reference.sweep.towers import apart

IMAGES = [
    name
    for name, family in vision.FAMILIES.items()
    if family.encoding == "axial" and not family.part
]


def test_all_towers_are_tried() -> None:
    assert len(IMAGES) == 39
    assert audio.FAMILIES.keys() - ALONE == {"qwen2_5_omni_dit"}


@pytest.mark.parametrize("name", [*IMAGES, *sorted(ALONE)])
def test_a_tower_turns_its_channels_as_read(name: str) -> None:
    config = CONFIG_MAPPING[name]()
    layers = RopeConfig.from_hf(config.to_dict()).layers
    layer = layers["axial"] if name == "lfm3_vl_vision" else layers["all"]
    assert apart(layer, config) < TURNED


def test_esm_turns_where_its_file_asks_for_it() -> None:
    more = {"position_embedding_type": "rotary", "vocab_size": 33, "pad_token_id": 1}
    config = CONFIG_MAPPING["esm"](**more)
    layer = RopeConfig.from_hf(config.to_dict()).rotary["all"]
    assert apart(layer, config) < TURNED


@pytest.mark.parametrize("name", ["qwen2_vl_vision", "kimi_k25_vision", "gemma4_vision"])
def test_a_wrong_axis_would_be_seen(name: str) -> None:
    config = CONFIG_MAPPING[name]()
    layer = RopeConfig.from_hf(config.to_dict()).layers["all"]
    assert isinstance(layer, AxialLayer)
    swapped = replace(layer.axes, names=layer.axes.names[::-1])
    for wrong in ({"axes": swapped}, {"layout": "interleaved"}, {"base": layer.base * 1.01}):
        assert apart(replace(layer, **wrong), config) > 100 * TURNED
