"""The gated delta rule of recurrent layers, and what it leaves of each token.

A layer keeps no list of keys but one matrix S. A gate fades it, and the delta rule writes a value
along a key in place of what was read there. So a token is near or far by gates and by later keys.
"""

import torch
from torch import Tensor

from posenc.checks import check_tensors


def gated_delta_rule(q: Tensor, k: Tensor, v: Tensor, log_gates: Tensor, beta: Tensor) -> Tensor:
    """Outputs o_t = S_tᵀ q_t, where S_t = α_t (I - β_t k_t k_tᵀ) S_{t-1} + β_t k_t v_tᵀ.

    Args:
        q: Queries, float (..., seq, key_dim), used as they are; Qwen3-Next makes them and the keys
            of length 1, and divides queries by √key_dim.
        k: Keys, of the same shape.
        v: Values, float (..., seq, value_dim).
        log_gates: ln α, float (..., seq), at most 0; 0 forgets nothing.
        beta: How much of what is read at a key is replaced, float (..., seq), from 0 to 1.

    Returns:
        Float (..., seq, value_dim).

    Raises:
        ValueError: If these are not of the same tokens.

    Source: Yang et al. 2024, section 3.1, equation 10, arXiv:2412.06464.
    """
    check_tensors(q=q, k=k, v=v, log_gates=log_gates, beta=beta)
    _check_tokens(k, q=q.shape[:-1], v=v.shape[:-1], log_gates=log_gates.shape, beta=beta.shape)
    gates = log_gates.exp()
    state = v.new_zeros(*v.shape[:-2], k.shape[-1], v.shape[-1])
    outputs = []
    for t in range(k.shape[-2]):
        key = k[..., t, :, None]  # (..., key_dim, 1)
        state = gates[..., t, None, None] * state
        found = key.mT @ state  # (..., 1, value_dim): what is read at the key
        state = state + key * beta[..., t, None, None] * (v[..., t, None, :] - found)
        outputs.append(q[..., t, None, :] @ state)
    return torch.cat(outputs, dim=-2)


def gated_delta_influence(k: Tensor, log_gates: Tensor, beta: Tensor) -> Tensor:
    """Remainder of each token's key in the memory: u_ij of o_i = Σ_j (q_i · u_ij) v_j.

    Token j writes along u_jj = β_j k_j. Each later token l fades it and takes out what lies along
    its own key: u_lj = α_l (I - β_l k_l k_lᵀ) u_{l-1,j}. The length of u_ij is the largest share of
    v_j that a query of length 1 can read at i.

    Args:
        k: Keys, float (..., seq, key_dim).
        log_gates: ln α, float (..., seq), at most 0.
        beta: Float (..., seq), from 0 to 1.

    Returns:
        Float (..., seq, seq, key_dim): after token i, of token j; 0 for j > i.

    Raises:
        ValueError: If these are not of the same tokens.

    Source: equation 10 of Yang et al. 2024, arXiv:2412.06464, unrolled.
    """
    check_tensors(k=k, log_gates=log_gates, beta=beta)
    _check_tokens(k, log_gates=log_gates.shape, beta=beta.shape)
    gates = log_gates.exp()
    left = torch.zeros_like(k)  # (..., j, key_dim)
    rows = []
    for t in range(k.shape[-2]):
        key = k[..., t, None, :]  # (..., 1, key_dim)
        along = (left * key).sum(-1, keepdim=True)  # (..., j, 1)
        left = gates[..., t, None, None] * (left - beta[..., t, None, None] * along * key)
        written = beta[..., t, None, None] * key
        left = torch.cat((left[..., :t, :], written, left[..., t + 1 :, :]), dim=-2)
        rows.append(left)
    return torch.stack(rows, dim=-3)


def _check_tokens(k: Tensor, **shapes: torch.Size) -> None:
    for name, shape in shapes.items():
        if shape != k.shape[:-1]:
            raise ValueError(
                f"{name} must be of the tokens of k, {tuple(k.shape[:-1])}, got {tuple(shape)}."
            )
