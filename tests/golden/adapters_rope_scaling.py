"""Golden cases of scaled frequencies, of real model configurations, and of xPos."""

import math
from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

from posenc import XPos, rope_inv_freq
from posenc.scaling import (
    DynamicNTK,
    Linear,
    Llama3,
    LongRoPE,
    NTKByParts,
    Proportional,
    Scaling,
    YaRN,
)
from posenc.scaling.longrope import longrope_attention_factor
from posenc.scaling.yarn import yarn_correction_dims, yarn_mscale
from posenc.xpos.formula import xpos_decay, xpos_zeta
from posenc.xpos.score import xpos_score_at_distance


def _hf_scaling(params: dict) -> Scaling | None:
    """The scaling that a transformers `rope_parameters` dict names."""
    fields = params["rope_parameters"]
    kind, factor = fields["rope_type"], fields.get("factor")
    longest = params.get("max_position_embeddings")
    original = fields.get("original_max_position_embeddings", longest)
    if kind == "linear":
        return Linear(factor)
    if kind == "dynamic":
        return DynamicNTK(factor, longest)
    if kind == "proportional":
        return Proportional(fields["partial_rotary_factor"])
    if kind == "llama3":
        return Llama3(factor, fields["low_freq_factor"], fields["high_freq_factor"], original)
    if kind == "yarn":
        options = ("beta_fast", "beta_slow", "truncate", "attention_factor")
        options += ("mscale", "mscale_all_dim")
        return YaRN(factor, original, **{key: fields[key] for key in options if key in fields})
    if kind == "longrope":
        # The cases of the attention factor leave the lists out: they do not enter it.
        ones = [1.0] * (params["head_dim"] // 2)
        lists = fields.get("short_factor", ones), fields.get("long_factor", ones)
        return LongRoPE(*lists, original, factor or longest / original)
    assert kind == "default"
    return None


def _hf(params: dict) -> tuple[Tensor, float]:
    rotary_dim = params.get("rotary_dim", params["head_dim"])
    base = params["rope_parameters"]["rope_theta"]
    return rope_inv_freq(rotary_dim, base, _hf_scaling(params), params.get("seq_len"))


def _by_parts(params: dict) -> Tensor:
    original = params["original_max_position_embeddings"]
    if "alpha" in params:
        scaling: Scaling = NTKByParts(params["factor"], original, params["alpha"], params["beta"])
    else:
        scaling = YaRN(
            params["factor"],
            original,
            params["beta_fast"],
            params["beta_slow"],
            params["truncate"],
        )
    return rope_inv_freq(params["dim"], params["base"], scaling)[0]


def _correction_dims(params: dict) -> list[float]:
    low, high = yarn_correction_dims(
        params["dim"],
        params["base"],
        params["original_max_position_embeddings"],
        params["beta_fast"],
        params["beta_slow"],
    )
    return [low, high, math.floor(low), math.ceil(high)]


def _mscale_deepseek(params: dict) -> list[list[float]]:
    scalings = [
        YaRN(params["factor"], 4096, mscale=mscale, mscale_all_dim=all_dim)
        for mscale, all_dim in params["mscale_pairs"]
    ]
    return [[scaling.cos_sin_factor, scaling.softmax_multiplier] for scaling in scalings]


def _xpos_decay(params: dict) -> Tensor:
    zeta = xpos_zeta(params["d"], params["gamma"])
    return xpos_decay(torch.tensor(params["distances"]), zeta, params["scale_base"])


def _xpos_scores(params: dict) -> Tensor:
    query = torch.tensor(params["q"], dtype=torch.float64)
    key, positions = query.flip(0), torch.arange(params["L"])
    encoding = XPos(params["d"], layout=params["layout"], scale_base=params["scale_base"])
    rows = query.expand(1, 1, params["L"], -1), key.expand(1, 1, params["L"], -1)
    turned_query, turned_key = encoding.rotate(*rows, positions, positions)
    scores = (turned_query @ turned_key.mT)[0, 0]
    by_distance = xpos_score_at_distance(
        query,
        key,
        encoding.inv_freq,
        encoding.zeta,
        (positions[:, None] - positions).flatten(),
        params["layout"],
        params["scale_base"],
    )
    torch.testing.assert_close(scores.flatten(), by_distance, rtol=0, atol=1e-12)
    return scores


FORMULAS: dict[str, Callable[[dict], Any]] = {
    "rope_scaling.inv_freq": lambda params: _hf(params)[0],
    "rope_scaling.attention_factor": lambda params: _hf(params)[1],
    "rope_scaling.ntk_by_parts_paper": _by_parts,
    "rope_scaling.ntk_by_parts_code": _by_parts,
    "yarn.correction_dims": _correction_dims,
    "yarn.mscale": lambda params: [yarn_mscale(factor) for factor in params["factors"]],
    "yarn.mscale_deepseek": _mscale_deepseek,
    # What llama.cpp multiplies cos and sin by in the end is the attention factor.
    "llama_cpp.yarn_magnitude": lambda params: [
        YaRN(1 / scale, 4096).cos_sin_factor * params["attn_factor_user"]
        for scale in params["freq_scale"]
    ],
    "longrope.attention_factor": lambda params: [
        longrope_attention_factor(*pair) for pair in params["pairs_factor_origmax"]
    ],
    "xpos.zeta": lambda params: xpos_zeta(params["d"], params["gamma"]),
    "xpos.decay": _xpos_decay,
    "xpos.score_matrix": _xpos_scores,
}
