"""FoX, the forgetting transformer: a learned gate per token fades what lies before it.

The gates are a function of the token embeddings, which the four places do not pass on to the
scores; so this is a pair of functions, not a `PositionalEncoding`.
"""

from torch import Tensor
from torch.nn.functional import logsigmoid

from posenc.checks import check_int, check_tensors


def fox_log_gates(x: Tensor, weight: Tensor, bias: Tensor) -> Tensor:
    """Logarithm of the forget gates: ln f_t = ln σ(w_h · x_t + b_h).

    Args:
        x: Token embeddings, float (batch, seq, d_model).
        weight: Float (heads, d_model).
        bias: Float (heads,).

    Returns:
        Float (batch, heads, seq), at most 0; 0 forgets nothing.

    Source: Lin et al. 2025, section 3, arXiv:2503.02130.
    """
    check_tensors(x=x, weight=weight, bias=bias)
    logits = x @ weight.mT + bias  # (batch, seq, heads)
    return logsigmoid(logits).mT


def fox_bias(log_gates: Tensor, q_len: int | None = None) -> Tensor:
    """Forgetting bias D_ij = Σ_{l=j+1..i} ln f_l, to be added to the scaled scores.

    What token i forgets of token j is the product of the gates after j. A constant gate f is ALiBi
    of slope -ln f.

    Args:
        log_gates: ln f of all tokens, float (..., seq), finite.
        q_len: The queries are the last q_len tokens (a cache); default all of them.

    Returns:
        Float (..., q_len, seq), at most 0; 0 on the diagonal and, where the causal mask forbids
        attention, above it. Sums are taken in float64 (not on MPS).

    Raises:
        ValueError: If q_len is not between 1 and seq.

    Source: Lin et al. 2025, section 3, arXiv:2503.02130.
    """
    check_tensors(log_gates=log_gates)
    seq = log_gates.shape[-1]
    q_len = seq if q_len is None else check_int("q_len", q_len, 1, maximum=seq)
    # Differences of long sums need float64, which MPS does not have.
    wide = log_gates if log_gates.device.type == "mps" else log_gates.double()
    total = wide.cumsum(dim=-1)  # (..., seq)
    # (..., q_len, 1) - (..., 1, seq)
    difference = total[..., seq - q_len :, None] - total[..., None, :]
    return difference.tril(diagonal=seq - q_len).to(log_gates.dtype)
