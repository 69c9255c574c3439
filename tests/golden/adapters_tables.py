"""Golden cases of tables and biases: formula name -> the value to compare with `expected`."""

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

from posenc import (
    ALiBi,
    Shaw,
    alibi_bias,
    alibi_slopes,
    attend,
    kerple_bias,
    relative_position,
    relative_position_ids,
    t5_bucket,
)
from posenc.fire.formula import fire_normalized_distance
from posenc.learned.longer import interpolate_grid, interpolate_table
from posenc.sandwich.formula import sandwich_kernel
from posenc.shaw.skew import skewed_relative_logits
from posenc.sinusoidal.formula import sinusoidal_at
from posenc.sinusoidal.shift import sinusoidal_similarity
from posenc.t5.edges import t5_bucket_lower_edges
from posenc.transformer_xl.formula import relative_sinusoid


def _table(values: Any) -> Tensor:
    return torch.tensor(values, dtype=torch.float64)


def _distance(params: dict) -> Tensor:
    """j - i where the queries are the last positions."""
    positions = torch.arange(params.get("k_len", params.get("L")))
    return relative_position(positions[-params.get("q_len", len(positions)) :], positions)


def _interpolate_1d(params: dict) -> Tensor:
    return interpolate_table(
        _table(params["table"]), params["new_length"], align_corners=params["align_corners"]
    )


def _interpolate_2d(params: dict) -> Tensor:
    grid, new_grid = _table(params["grid"]), tuple(params["new_size"])
    return interpolate_grid(grid.reshape(-1, 1), tuple(grid.shape), new_grid).reshape(new_grid)


def _sinusoidal(layout: str) -> Callable[[dict], Tensor]:
    return lambda params: sinusoidal_at(
        torch.tensor(params["positions"]), params["d_model"], params["base"], layout
    )


def _tensor2tensor(params: dict) -> Tensor:
    assert params["min_timescale"] == 1
    positions = torch.tensor(params["positions"])
    return sinusoidal_at(positions, params["channels"], params["max_timescale"], "tensor2tensor")


def _ids(convention: str) -> Callable[[dict], Tensor]:
    return lambda params: relative_position_ids(
        params["q_len"], params["k_len"], params["max_distance"], convention
    )


def _shaw(params: dict, mask: str | None) -> Any:
    q, k, v = (_table(params[name])[None, None] for name in ("q", "k", "v"))
    a_key, a_value = _table(params["a_key"]), _table(params["a_value"])
    encoding = Shaw(q.shape[-1], len(a_key) // 2).double()
    with torch.no_grad():
        encoding.key_embedding.copy_(a_key)
        encoding.value_embedding.copy_(a_value)
        return attend(q, k, v, encoding, mask=mask, trace=True)


def _t5_bucket(params: dict) -> Tensor:
    return t5_bucket(
        torch.tensor(params["relative_positions"]),
        params["bidirectional"],
        params["num_buckets"],
        params["max_distance"],
    )


def _t5_bucket_matrix(params: dict) -> Tensor:
    return t5_bucket(
        _distance(params), params["bidirectional"], params["num_buckets"], params["max_distance"]
    )


def _t5_lower_edges(params: dict) -> list:
    edges = t5_bucket_lower_edges(
        params["bidirectional"], params["num_buckets"], params["max_distance"]
    )
    return [[bucket, edge] for bucket, edge in enumerate(edges.tolist())]


def _alibi_bias(symmetric: bool) -> Callable[[dict], Tensor]:
    return lambda params: alibi_bias(
        alibi_slopes(params["num_heads"]), _distance(params), symmetric, dtype=torch.float64
    )


def _alibi_attention(params: dict) -> Tensor:
    zeros = torch.zeros(1, params["num_heads"], params["L"], 2, dtype=torch.float64)
    encoding = ALiBi(params["num_heads"])
    return attend(zeros, zeros, zeros, encoding, mask="causal", trace=True).weights[0]


def _kerple(variant: str) -> Callable[[dict], Tensor]:
    return lambda params: kerple_bias(
        _table(params["r1"]), _table(params["r2"]), _distance(params), variant
    )


def _kerple_at_distance(params: dict) -> Tensor:
    relative = -torch.tensor(params["distances"])
    return kerple_bias(_table([params["r1"]]), _table([params["r2"]]), relative)[0]


def _fire_normalized_distance(params: dict) -> Tensor:
    positions = torch.arange(params["L"])
    return fire_normalized_distance(
        positions, positions, params["c"], params["threshold"], params["eps"]
    )


FORMULAS: dict[str, Callable[[dict], Any]] = {
    "learned_absolute.interpolate_1d": _interpolate_1d,
    "learned_absolute.interpolate_2d": _interpolate_2d,
    "sinusoidal.interleaved": _sinusoidal("interleaved"),
    "sinusoidal.concat_paper_freqs": _sinusoidal("concatenated"),
    "sinusoidal.tensor2tensor": _tensor2tensor,
    "sinusoidal.relative_dot": lambda params: sinusoidal_similarity(
        torch.tensor(params["distances"]), params["d_model"], params["base"]
    ),
    "transformer_xl.relative_sinusoid": lambda params: relative_sinusoid(
        torch.tensor(params["distances"]), params["d_model"]
    ),
    "shaw.ids": _ids("key_minus_query"),
    "shaw.ids_query_minus_key": _ids("query_minus_key"),
    "shaw.scores": lambda params: _shaw(params, None).logits[0, 0],
    "shaw.output": lambda params: _shaw(params, "causal").output[0, 0],
    "shaw.skew_causal": lambda params: skewed_relative_logits(
        _table(params["q"]), _table(params["e_rel"])
    ),
    "t5.bucket": _t5_bucket,
    "t5.bucket_matrix": _t5_bucket_matrix,
    "t5.bucket_lower_edges": _t5_lower_edges,
    "alibi.slopes": lambda params: alibi_slopes(params["num_heads"]),
    "alibi.bias_causal": _alibi_bias(symmetric=False),
    "alibi.bias_symmetric": _alibi_bias(symmetric=True),
    "alibi.attention_zero_scores": _alibi_attention,
    "kerple.log": _kerple("log"),
    "kerple.power": _kerple("power"),
    "kerple.log_at_distance": _kerple_at_distance,
    "sandwich.inner_product": lambda params: sandwich_kernel(
        torch.tensor(params["distances"]), params["d_bar"], params["base"]
    ),
    "fire.normalized_distance": _fire_normalized_distance,
}
