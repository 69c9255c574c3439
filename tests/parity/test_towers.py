"""Image towers turn as transformers' own code turns them: every channel, by row and by column."""

import importlib
import math
from collections.abc import Callable
from typing import Any

import pytest
import torch
from torch import Tensor
from transformers import CONFIG_MAPPING

from posenc import RopeConfig
from posenc.config.axial import AxialLayer
from posenc.config.families.vision import FAMILIES

PLACES = torch.tensor([[0, 0], [1, 0], [0, 1], [3, 7], [40, 2]])
# Vectors as the tower has them, the same turned by the tower, and the places by axis.
Turned = tuple[Tensor, Tensor, dict[str, Tensor]]
HEADS = 2
TOWERS = [
    name for name, family in FAMILIES.items() if family.encoding == "axial" and not family.part
]
CLASSES = {
    "mlcd": "MLCDRotaryEmbedding",
    "mlcd_vision_model": "MLCDRotaryEmbedding",
    "gemma4_vision": "Gemma4VisionRotaryEmbedding",
    "dinov3_vit": "DINOv3ViTRopePositionEmbedding",
    "sapiens2": "Sapiens2RopePositionEmbedding",
    "eomt_dinov3": "EomtDinov3RotaryEmbedding",
    "efficientloftr": "EfficientLoFTRRotaryEmbedding",
    "sam3_vit_model": "Sam3ViTRotaryEmbedding",
}


def module_of(name: str) -> Any:
    path = CONFIG_MAPPING[name].__module__.replace("configuration_", "modeling_")
    return importlib.import_module(path)


def rotary(name: str, module: Any) -> Any:
    """The tower's rotary class, made from the defaults of its configuration."""
    found = [n for n in vars(module) if n.endswith("RotaryEmbedding") and "Vision" in n]
    return getattr(module, CLASSES.get(name) or found[0])(CONFIG_MAPPING[name]())


def vectors(count: int, width: int) -> Tensor:
    return torch.randn(count, HEADS, width, generator=torch.Generator().manual_seed(0))


def by_place(name: str, width: int) -> Turned:
    """Towers that are given the row and the column of each patch."""
    module, places = module_of(name), PLACES
    names = {"row": PLACES[:, 0], "column": PLACES[:, 1]}
    if name == "minimax_m3_vl_vision":
        places = torch.cat([torch.tensor([[2], [0], [5], [1], [0]]), PLACES], dim=1)
        names = {"time": places[:, 0], **names}
    q = vectors(len(places), width)
    cos, sin = rotary(name, module)(q, places)
    return q, module.apply_rotary_pos_emb_vision(q, q, cos, sin)[0], names


def pixtral(name: str, width: int) -> Turned:
    module, q = module_of(name), vectors(len(PLACES), width)
    cos, sin = rotary(name, module)(q, PLACES)
    turned = module.apply_rotary_pos_emb(q, q, cos, sin, unsqueeze_dim=1)[0]
    return q, turned, {"row": PLACES[:, 0], "column": PLACES[:, 1]}


def column_and_row(name: str, width: int) -> Turned:
    """SAM, whose places hold the column first."""
    module, q = module_of(name), vectors(len(PLACES), width)
    cos, sin = rotary(name, module)(q, PLACES.flip(1))
    apply = getattr(module, "apply_rotary_pos_emb_2d", None)
    apply = apply or module.apply_rotary_pos_emb_2d_self_attn
    turned = apply(q.transpose(0, 1)[None], q.transpose(0, 1)[None], cos, sin)[0]
    return q, turned[0].transpose(0, 1), {"row": PLACES[:, 0], "column": PLACES[:, 1]}


def gemma4(name: str, width: int) -> Turned:
    """Gemma 4, whose places hold the column first."""
    module, q = module_of(name), vectors(len(PLACES), width)
    places = PLACES.flip(1)[None]
    cos, sin = rotary(name, module)(q[None], places)
    turned = module.apply_multidimensional_rope(q[None], cos, sin, places)[0]
    return q, turned, {"row": PLACES[:, 0], "column": PLACES[:, 1]}


def llama4(name: str, width: int) -> Turned:
    """Llama 4, whose grid is counted from 1 and has the class token at its end."""
    module, config = module_of(name), CONFIG_MAPPING[name]()
    side = config.image_size // config.patch_size
    q = vectors(side**2 + 1, width)
    freqs = rotary(name, module)(q)
    turned = module.vision_apply_rotary_emb(q[None], q[None], freqs)[0][0]
    patches = torch.arange(side**2)
    return q[:-1], turned[:-1], {"row": patches // side + 1, "column": patches % side + 1}


def dinov3(name: str, width: int) -> Turned:
    """DINOv3, whose grid goes from -1 to 1."""
    module, config = module_of(name), CONFIG_MAPPING[name]()
    rows, columns, side = 3, 5, config.patch_size
    image = torch.zeros(1, 3, rows * side, columns * side)
    cos, sin = rotary(name, module).eval()(image)
    q = vectors(rows * columns, width).transpose(0, 1)[None]
    turned = module.apply_rotary_pos_emb(q, q, cos, sin)[0]
    row, column = torch.arange(rows), torch.arange(columns)
    grid = torch.cartesian_prod((2 * row + 1) / rows - 1, (2 * column + 1) / columns - 1)
    places = {"row": 2 * math.pi * grid[:, 0], "column": 2 * math.pi * grid[:, 1]}
    return q[0].transpose(0, 1), turned[0].transpose(0, 1), places


def efficientloftr(name: str, width: int) -> Turned:
    """EfficientLoFTR, whose grid is counted from 1; all heads are turned at once."""
    module, config = module_of(name), CONFIG_MAPPING[name]()
    stride = config.q_aggregation_stride
    cos, sin = rotary(name, module)(torch.zeros(1, 1, 3 * stride, 5 * stride))
    q = vectors(15, width)
    turned = module.apply_rotary_pos_emb(
        q.transpose(0, 1), q.transpose(0, 1), cos.flatten(1, 2), sin.flatten(1, 2), unsqueeze_dim=0
    )[0]
    patches = torch.arange(15)
    places = {"row": patches // 5 + 1, "column": patches % 5 + 1}
    return q, turned.reshape(HEADS, 15, width).transpose(0, 1), places


OTHERS: dict[str, Callable[[str, int], Turned]] = {
    "pixtral": pixtral,
    "gemma4_vision": gemma4,
    "llama4_vision_model": llama4,
    "efficientloftr": efficientloftr,
    **dict.fromkeys(("sam3_vit_model", "sam2_video", "sam3_tracker_video"), column_and_row),
    "edgetam_video": column_and_row,
    **dict.fromkeys(("dinov3_vit", "eomt_dinov3", "sapiens2"), dinov3),
}


def read(name: str) -> AxialLayer:
    layer = RopeConfig.from_hf(CONFIG_MAPPING[name]().to_dict()).layers["all"]
    assert isinstance(layer, AxialLayer)
    return layer


def turn(layer: AxialLayer, q: Tensor, places: dict[str, Tensor]) -> Tensor:
    """The vectors turned by what was read."""
    inv_freq, axis = layer.frequencies()
    by_axis = torch.stack([places[name].double() for name in layer.axes.names])
    angle = (by_axis[axis].mT * inv_freq)[:, None]
    first, second = layer.channels().mT
    out = q.double().clone()
    out[..., first] = q[..., first] * angle.cos() - q[..., second] * angle.sin()
    out[..., second] = q[..., second] * angle.cos() + q[..., first] * angle.sin()
    return out


def test_all_towers_are_tried() -> None:
    assert len(TOWERS) == 39


@pytest.mark.parametrize("name", TOWERS)
def test_a_tower_turns_its_channels_as_read(name: str) -> None:
    layer = read(name)
    q, turned, places = OTHERS.get(name, by_place)(name, layer.head_dim)
    torch.testing.assert_close(turn(layer, q, places), turned.double(), rtol=1e-4, atol=2e-5)
    assert not torch.allclose(q, turned)
