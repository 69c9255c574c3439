"""Every stage of one attention."""

from dataclasses import dataclass

from torch import Tensor


@dataclass(frozen=True)
class Trace:
    """Every stage of one attention, in the order in which it is computed.

    All but `q`, `k`, `mixed` and `output` (batch, heads, seq, head_dim) have the shape
    (batch, heads, q_len, k_len).
    """

    q: Tensor
    """Queries after place 2 (rotated)."""
    k: Tensor
    """Keys after place 2 (rotated)."""
    content: Tensor
    """q·k · scale before any rotation: the score if there were no positions."""
    dot: Tensor
    """q·k of the rotated queries and keys, not scaled."""
    scaled: Tensor
    """dot · scale, kept within ±softcap where there is one."""
    masked: Tensor
    """scaled, with -inf where the mask forbids attention."""
    bias: Tensor
    """Bias that place 3 adds to the scores (zero where the encoding adds none)."""
    logits: Tensor
    """masked + bias: what the softmax sees."""
    weights: Tensor
    """softmax(logits) over the keys; a row with nothing to attend to is all zeros."""
    mixed: Tensor
    """Values that place 4 adds to the output (zero where the encoding adds none)."""
    output: Tensor
    """weights @ v + mixed."""
    scale: float
    """Factor on q·k."""
    softcap: float | None = None
    """Bound of the scaled scores; None is no bound."""
