"""Golden cases of several axes, remapped distances, temperature and layers without RoPE."""

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

from posenc import rope_inv_freq
from posenc.rope.axes import axial_angles, axis_angles, mrope_axis_of_pair
from posenc.scaling.remap.distances import Remapping, difference
from posenc.scaling.remap.dual_chunk import DualChunk
from posenc.scaling.remap.rerope import LeakyReRoPE, ReRoPE
from posenc.scaling.remap.self_extend import SelfExtend
from posenc.temperature.formula import llama4_temperature, log_n_scale


def _axis_of_pair(params: dict) -> Tensor:
    return mrope_axis_of_pair(params["mrope_section"], interleaved=params["interleaved"])


def _mrope_angles(params: dict) -> Tensor:
    inv_freq, _ = rope_inv_freq(params["head_dim"], params["base"])
    positions = torch.tensor(params["position_thw"])[:, None]
    return axis_angles(positions, inv_freq, _axis_of_pair(params))[0]


def _distances(remapping: Remapping, params: dict) -> Tensor:
    """The cases mark the future by -1."""
    positions = torch.arange(params["L"])
    future = difference(positions, positions) < 0
    return remapping.distance(positions, positions).masked_fill(future, -1.0)


def _self_extend(params: dict) -> Tensor:
    return _distances(SelfExtend(params["neighbor_window"], params["group_size"]), params)


def _dual_chunk_paper(params: dict) -> Tensor:
    window = params["pretrain_length"] - params["chunk_length"]
    return _distances(DualChunk(params["chunk_length"], window, "paper"), params)


def _dual_chunk_code(params: dict) -> Tensor:
    window = params["local_window"]
    return _distances(DualChunk(params["chunk_size"] - window, window, "code"), params)


FORMULAS: dict[str, Callable[[dict], Any]] = {
    "mrope.axis_of_pair": _axis_of_pair,
    "mrope.angles": _mrope_angles,
    "axial_rope.angles_xy": lambda params: axial_angles(
        params["end_y"], params["end_x"], params["dim"], params["theta"], "xy"
    ),
    "axial_rope.angles_hw": lambda params: axial_angles(
        params["height"], params["width"], params["dim"], params["theta"], "hw"
    ),
    "rerope.relative_positions": lambda params: _distances(ReRoPE(params["window"]), params),
    "rerope.leaky_relative_positions": lambda params: _distances(
        LeakyReRoPE(params["window"], params["k"]), params
    ),
    "self_extend.relative_positions": _self_extend,
    "self_extend.max_length": lambda params: [
        SelfExtend(window, group).max_length(length)
        for length, window, group in params["triples_LWG"]
    ],
    "dca.relative_positions_paper": _dual_chunk_paper,
    "dca.relative_positions_code": _dual_chunk_code,
    "llama4.temperature": lambda params: llama4_temperature(
        torch.tensor(params["positions"]), params["floor_scale"], params["attn_scale"]
    ),
    "logn.scale": lambda params: log_n_scale(
        torch.tensor(params["positions"]), params["train_length"]
    ),
}
