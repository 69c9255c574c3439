"""Towers for images and sound: their own rotary class and function on vectors, without a model.

Images are turned by row and column, sound along the time.
"""

import importlib
import math
from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor
from transformers import PreTrainedConfig

from advisor.comparing.layer import RopeLayer
from advisor.layers import AxialLayer

PLACES = torch.tensor([[0, 0], [1, 0], [0, 1], [3, 7], [40, 2]])
# Vectors as the tower has them, the same turned by the tower, and the places by axis.
Turned = tuple[Tensor, Tensor, dict[str, Tensor]]
HEADS = 2
CLASSES = {
    "mlcd": "MLCDRotaryEmbedding",
    "mlcd_vision_model": "MLCDRotaryEmbedding",
    "gemma4_vision": "Gemma4VisionRotaryEmbedding",
    "dinov3_vit": "DINOv3ViTRopePositionEmbedding",
    "sapiens2": "Sapiens2RopePositionEmbedding",
    "eomt_dinov3": "EomtDinov3RotaryEmbedding",
    "efficientloftr": "EfficientLoFTRRotaryEmbedding",
    "sam3_vit_model": "Sam3ViTRotaryEmbedding",
    "dots3_note_audio_encoder": "Dots3NoteAudioRotaryEmbedding",
}


def module_of(config: PreTrainedConfig) -> Any:
    """The module with the tower's code."""
    path = type(config).__module__.replace("configuration_", "modeling_")
    return importlib.import_module(path)


def rotary(config: PreTrainedConfig, word: str = "Vision") -> Any:
    """The tower's rotary class, made from its configuration."""
    module = module_of(config)
    found = [n for n in vars(module) if n.endswith("RotaryEmbedding") and word in n]
    return getattr(module, CLASSES.get(config.model_type) or found[0])(config)


def vectors(count: int, width: int) -> Tensor:
    return torch.randn(count, HEADS, width, generator=torch.Generator().manual_seed(0))


def by_place(config: PreTrainedConfig, width: int) -> Turned:
    """Towers that are given the row and the column of each patch."""
    module, places = module_of(config), PLACES
    names = {"row": PLACES[:, 0], "column": PLACES[:, 1]}
    if config.model_type == "minimax_m3_vl_vision":
        places = torch.cat([torch.tensor([[2], [0], [5], [1], [0]]), PLACES], dim=1)
        names = {"time": places[:, 0], **names}
    q = vectors(len(places), width)
    cos, sin = rotary(config)(q, places)
    return q, module.apply_rotary_pos_emb_vision(q, q, cos, sin)[0], names


def pixtral(config: PreTrainedConfig, width: int) -> Turned:
    module, q = module_of(config), vectors(len(PLACES), width)
    cos, sin = rotary(config)(q, PLACES)
    turned = module.apply_rotary_pos_emb(q, q, cos, sin, unsqueeze_dim=1)[0]
    return q, turned, {"row": PLACES[:, 0], "column": PLACES[:, 1]}


def column_and_row(config: PreTrainedConfig, width: int) -> Turned:
    """SAM, whose places hold the column first."""
    module, q = module_of(config), vectors(len(PLACES), width)
    cos, sin = rotary(config)(q, PLACES.flip(1))
    apply = getattr(module, "apply_rotary_pos_emb_2d", None)
    apply = apply or module.apply_rotary_pos_emb_2d_self_attn
    turned = apply(q.transpose(0, 1)[None], q.transpose(0, 1)[None], cos, sin)[0]
    return q, turned[0].transpose(0, 1), {"row": PLACES[:, 0], "column": PLACES[:, 1]}


def gemma4(config: PreTrainedConfig, width: int) -> Turned:
    """Gemma 4, whose places hold the column first."""
    module, q = module_of(config), vectors(len(PLACES), width)
    places = PLACES.flip(1)[None]
    cos, sin = rotary(config)(q[None], places)
    turned = module.apply_multidimensional_rope(q[None], cos, sin, places)[0]
    return q, turned, {"row": PLACES[:, 0], "column": PLACES[:, 1]}


def llama4(config: PreTrainedConfig, width: int) -> Turned:
    """Llama 4, whose grid is counted from 1 and has the class token at its end."""
    module = module_of(config)
    side = config.image_size // config.patch_size
    q = vectors(side**2 + 1, width)
    freqs = rotary(config)(q)
    turned = module.vision_apply_rotary_emb(q[None], q[None], freqs)[0][0]
    patches = torch.arange(side**2)
    return q[:-1], turned[:-1], {"row": patches // side + 1, "column": patches % side + 1}


def dinov3(config: PreTrainedConfig, width: int) -> Turned:
    """DINOv3, whose grid goes from -1 to 1."""
    module = module_of(config)
    rows, columns, side = 3, 5, config.patch_size
    image = torch.zeros(1, 3, rows * side, columns * side)
    cos, sin = rotary(config).eval()(image)
    q = vectors(rows * columns, width).transpose(0, 1)[None]
    turned = module.apply_rotary_pos_emb(q, q, cos, sin)[0]
    row, column = torch.arange(rows), torch.arange(columns)
    grid = torch.cartesian_prod((2 * row + 1) / rows - 1, (2 * column + 1) / columns - 1)
    places = {"row": 2 * math.pi * grid[:, 0], "column": 2 * math.pi * grid[:, 1]}
    return q[0].transpose(0, 1), turned[0].transpose(0, 1), places


def efficientloftr(config: PreTrainedConfig, width: int) -> Turned:
    """EfficientLoFTR, whose grid is counted from 1; all heads are turned at once."""
    module = module_of(config)
    stride = config.q_aggregation_stride
    cos, sin = rotary(config)(torch.zeros(1, 1, 3 * stride, 5 * stride))
    q = vectors(15, width)
    turned = module.apply_rotary_pos_emb(
        q.transpose(0, 1), q.transpose(0, 1), cos.flatten(1, 2), sin.flatten(1, 2), unsqueeze_dim=0
    )[0]
    patches = torch.arange(15)
    places = {"row": patches // 5 + 1, "column": patches % 5 + 1}
    return q, turned.reshape(HEADS, 15, width).transpose(0, 1), places


OTHERS: dict[str, Callable[[PreTrainedConfig, int], Turned]] = {
    "pixtral": pixtral,
    "gemma4_vision": gemma4,
    "llama4_vision_model": llama4,
    "efficientloftr": efficientloftr,
    **dict.fromkeys(("sam3_vit_model", "sam2_video", "sam3_tracker_video"), column_and_row),
    "edgetam_video": column_and_row,
    **dict.fromkeys(("dinov3_vit", "eomt_dinov3", "sapiens2"), dinov3),
}


def sound(config: PreTrainedConfig, width: int) -> Turned:
    """Towers that are given the place in time."""
    places = torch.tensor([0, 1, 2, 7, 40])
    q = vectors(len(places), width).transpose(0, 1)[None]
    cos, sin = rotary(config, "")(q, places[None])
    turned = module_of(config).apply_rotary_pos_emb(q, q, cos, sin)[0]
    return q[0].transpose(0, 1), turned[0].transpose(0, 1), {"time": places}


def roformer(config: PreTrainedConfig, width: int) -> Turned:
    """RoFormer, whose table holds the sines and then the cosines of each place."""
    module, places = module_of(config), torch.tensor([0, 1, 2, 7, 40])
    q = vectors(len(places), width).transpose(0, 1)[None]
    table = module.RoFormerSinusoidalPositionalEmbedding(41, width).create_weight()
    apply = module.RoFormerSelfAttention.apply_rotary_position_embeddings
    turned = apply(table[places][None, None], q, q)[0]
    return q[0].transpose(0, 1), turned[0].transpose(0, 1), {"time": places}


def clvp(config: PreTrainedConfig, width: int) -> Turned:
    """CLVP's encoders, which turn the first channels alone."""
    module, places = module_of(config), torch.arange(5)
    q = vectors(len(places), width).transpose(0, 1)[None]
    angles = module.ClvpRotaryPositionalEmbedding(config)(torch.zeros(1, 5, 1))[0]
    first, rest = q.split((angles.shape[-1], width - angles.shape[-1]), dim=-1)
    turned = module.apply_rotary_pos_emb(
        first, first, first, angles.cos(), angles.sin(), places[None]
    )[0]
    turned = torch.cat((turned, rest), dim=-1)
    return q[0].transpose(0, 1), turned[0].transpose(0, 1), {"time": places}


def turned_by_image(config: PreTrainedConfig, width: int) -> Turned:
    """The rotation in an image tower."""
    return OTHERS.get(config.model_type, by_place)(config, width)


def turn(layer: AxialLayer | RopeLayer, q: Tensor, places: dict[str, Tensor]) -> Tensor:
    """The vectors turned by what was read."""
    if isinstance(layer, AxialLayer):
        inv_freq, axis = layer.frequencies()
        by_axis = torch.stack([places[name].double() for name in layer.axes.names])
        angle = (by_axis[axis].mT * inv_freq)[:, None]
        first, second = layer.channels().mT
    else:
        inv_freq, _ = layer.frequencies()
        angle = (places["time"].double()[:, None] * inv_freq)[:, None]
        channels = torch.arange(layer.rotary_dim)
        is_half = layer.layout == "half"
        first, second = channels.reshape(2, -1) if is_half else channels.reshape(-1, 2).mT
    out = q.double().clone()
    out[..., first] = q[..., first] * angle.cos() - q[..., second] * angle.sin()
    out[..., second] = q[..., second] * angle.cos() + q[..., first] * angle.sin()
    return out


def apart(layer: AxialLayer | RopeLayer, config: PreTrainedConfig) -> float:
    """The largest difference between what the tower does to vectors and what was read."""
    alone = {"roformer": roformer, "clvp_encoder": clvp}.get(config.model_type, sound)
    tower = turned_by_image if isinstance(layer, AxialLayer) else alone
    q, turned, places = tower(config, layer.head_dim)
    if torch.allclose(q, turned):
        raise RuntimeError("the tower turns nothing")
    return float((turn(layer, q, places) - turned.double()).abs().max())
