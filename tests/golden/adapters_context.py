"""Golden cases of encodings that read the content, and of no encoding at all."""

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

from posenc import CoPE, NoPE, attend, causal_mask
from posenc.cope.formula import cope_gates, cope_positions
from posenc.cope.interpolation import cope_logits
from posenc.fox import fox_bias
from posenc.gated_delta.formula import gated_delta_influence, gated_delta_rule
from posenc.stick_breaking import stick_breaking_weights


def _table(values: Any) -> Tensor:
    return torch.tensor(values, dtype=torch.float64)


def _query_key(params: dict) -> tuple[Tensor, Tensor]:
    return _table(params["q"]), _table(params["k"])


def _masked_scores(params: dict) -> Tensor:
    """q·k / sqrt(head_dim), the future masked: what attention hands to CoPE."""
    query, key = _query_key(params)
    scores = query @ key.T * query.shape[-1] ** -0.5
    return scores.masked_fill(~causal_mask(*scores.shape), -torch.inf)


def _cope_gates(params: dict) -> Tensor:
    return cope_gates(_masked_scores(params))


def _cope_positions(params: dict) -> Tensor:
    return cope_positions(_masked_scores(params), params["npos_max"])


def _cope_logits(params: dict) -> Tensor:
    return cope_logits(_query_key(params)[0], _cope_positions(params), _table(params["pos_emb"]))


def _cope_attention(params: dict) -> Tensor:
    query, key = _query_key(params)
    encoding = CoPE(query.shape[-1], params["npos_max"]).double()
    with torch.no_grad():
        encoding.embedding.copy_(_table(params["pos_emb"]))
        stages = attend(
            query[None, None], key[None, None], key[None, None], encoding, mask="causal", trace=True
        )
    return stages.weights[0, 0]


def _fox_bias(params: dict) -> Tensor:
    return fox_bias(_table(params["forget_gates"]).log())


def _stick_breaking_weights(params: dict) -> Tensor:
    logits = _table(params["logits"])
    past = torch.ones(logits.shape, dtype=torch.bool).tril(diagonal=-1)
    return stick_breaking_weights(logits.masked_fill(~past, -torch.inf))


def _memory(params: dict) -> tuple[Tensor, Tensor, Tensor]:
    """Keys, the logarithms of the gates, and what is replaced."""
    return _table(params["k"]), _table(params["gates"]).log(), _table(params["beta"])


def _gated_delta_rule(params: dict) -> Tensor:
    keys, log_gates, beta = _memory(params)
    query = _table(params["q"]) * keys.shape[-1] ** -0.5  # as transformers divides it
    return gated_delta_rule(query, keys, _table(params["v"]), log_gates, beta)


def _gated_delta_influence(params: dict) -> Tensor:
    """Lengths of what is left after the last token."""
    return gated_delta_influence(*_memory(params))[-1].norm(dim=-1)


def _nope_attention(params: dict) -> Tensor:
    zeros = torch.zeros(1, 1, params["L"], 2, dtype=torch.float64)
    return attend(zeros, zeros, zeros, NoPE(), mask="causal", trace=True).weights[0, 0]


FORMULAS: dict[str, Callable[[dict], Any]] = {
    "cope.gates": _cope_gates,
    "cope.positions": _cope_positions,
    "cope.position_logits": _cope_logits,
    "cope.attention": _cope_attention,
    "fox.bias": _fox_bias,
    "stick_breaking.weights": _stick_breaking_weights,
    "gated_delta.rule": _gated_delta_rule,
    "gated_delta.influence": _gated_delta_influence,
    "nope.attention_zero_scores": _nope_attention,
}
