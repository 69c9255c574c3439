"""Golden cases of the rotary family: formula name -> the value to compare with `expected`."""

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

from posenc import apply_rope, layout_permutation, rope_inv_freq
from posenc.precision.formula import max_angle_error
from posenc.precision.rounding import round_positions
from posenc.reading.formula import Reading, mean_cosine
from posenc.rope.layouts import inverse_layout_permutation
from posenc.rope.score import rope_decay_bound, rope_score_at_distance
from posenc.scaling import NTK
from posenc.scaling.ntk import ntk_base
from posenc.study import rope_freqs_cis, rope_rotation_matrix, rope_wavelengths


def _mean_cosine(params: dict) -> Tensor:
    distances = torch.tensor(params["distances"])
    return mean_cosine(Reading(_inv_freq(params)), distances, int(distances.max()) + 2)


def _inv_freq(params: dict) -> Tensor:
    return rope_inv_freq(params["dim"], params["base"])[0]


def _vector(values: list) -> Tensor:
    return torch.tensor(values, dtype=torch.float64)


def _matrix(layout: str) -> Callable[[dict], Tensor]:
    return lambda params: rope_rotation_matrix(params["position"], _inv_freq(params), layout)


def _relative_matrix(params: dict) -> Tensor:
    inv_freq = _inv_freq(params)
    return rope_rotation_matrix(params["m"], inv_freq).mT @ rope_rotation_matrix(
        params["n"], inv_freq
    )


def _apply(layout: str) -> Callable[[dict], Tensor]:
    def apply(params: dict) -> Tensor:
        rotary_dim = params.get("rotary_dim", params.get("dim"))
        inv_freq, _ = rope_inv_freq(rotary_dim, params["base"])
        x = _vector(params["x"])[None]
        return apply_rope(x, torch.tensor([params["position"]]), inv_freq, layout)[0]

    return apply


def _score(params: dict) -> Tensor:
    query, key = _vector(params["q"]), _vector(params["k"])
    inv_freq, _ = rope_inv_freq(len(query), params["base"])
    query_positions, key_positions = torch.tensor(params["pairs_mn"]).T
    turned_query = apply_rope(
        query.expand(len(query_positions), -1), query_positions, inv_freq, params["layout"]
    )
    turned_key = apply_rope(
        key.expand(len(key_positions), -1), key_positions, inv_freq, params["layout"]
    )
    scores = (turned_query * turned_key).sum(dim=-1)
    by_distance = rope_score_at_distance(
        query, key, inv_freq, query_positions - key_positions, params["layout"]
    )
    torch.testing.assert_close(scores, by_distance, rtol=0, atol=1e-12)
    return scores


def _ntk(variant: str) -> Callable[[dict], Tensor]:
    def frequencies(params: dict) -> Tensor:
        scaling = NTK(params.get("factor", params.get("k")), variant, beta=params.get("b", 0.75))
        return rope_inv_freq(params["dim"], params["base"], scaling)[0]

    return frequencies


def _ntk_last_over_original(params: dict) -> Tensor:
    return _ntk("aware")(params)[-1] / _inv_freq(params)[-1]


def _round(dtype: torch.dtype) -> Callable[[dict], Tensor]:
    return lambda params: round_positions(torch.tensor(params["positions"]), dtype)


def _max_angle_error(params: dict) -> Tensor:
    positions = torch.tensor(params["positions"])
    return max_angle_error(positions, _inv_freq(params), getattr(torch, params["dtype"]))


FORMULAS: dict[str, Callable[[dict], Any]] = {
    "rope.inv_freq": _inv_freq,
    "rope.wavelengths": lambda params: rope_wavelengths(_inv_freq(params)),
    "rope.freqs_cis": lambda params: torch.view_as_real(
        rope_freqs_cis(torch.tensor(params["positions"]), _inv_freq(params))
    ),
    "rope.matrix_interleaved": _matrix("interleaved"),
    "rope.matrix_half": _matrix("half"),
    "rope.permutation_interleaved_to_half": lambda params: layout_permutation(params["dim"]),
    "rope.permutation_half_to_interleaved": lambda params: inverse_layout_permutation(
        params["dim"]
    ),
    "rope.apply_interleaved": _apply("interleaved"),
    "rope.apply_half": _apply("half"),
    "rope.apply_partial_interleaved": _apply("interleaved"),
    "rope.apply_partial_half": _apply("half"),
    "rope.score": _score,
    "rope.relative_matrix": _relative_matrix,
    "rope.longterm_decay": lambda params: rope_decay_bound(
        _inv_freq(params), torch.tensor(params["distances"])
    ),
    "rope.mean_cos": _mean_cosine,
    "rope_scaling.ntk_base": lambda params: ntk_base(
        params["dim"], params["base"], params["factor"]
    ),
    "rope_scaling.ntk_alpha_base": lambda params: ntk_base(
        params["dim"], params["base"], params["k"], params["alpha"]
    ),
    "rope_scaling.ntk_last_over_original": _ntk_last_over_original,
    "rope_scaling.ntk_inv_freq": _ntk("aware"),
    "rope_scaling.base_times_k": _ntk("base"),
    "rope_scaling.ntk_su_fixed": _ntk("fixed"),
    "rope_scaling.ntk_mixed": _ntk("mixed"),
    "precision.bfloat16_round": _round(torch.bfloat16),
    "precision.float16_round": _round(torch.float16),
    "precision.float32_round": _round(torch.float32),
    "precision.max_angle_error": _max_angle_error,
}
