"""CoPE: positions counted by gates that read the content."""

import torch
from torch import Tensor, nn

from posenc.checks import check_bool, check_int, check_number, check_tensors
from posenc.cope.interpolation import check_table, interpolated, whole_positions
from posenc.places import PositionalEncoding


def cope_gates(logits: Tensor) -> Tensor:
    """How much each key counts for each query: g_ij = σ(logits_ij).

    Args:
        logits: Float (..., q_len, k_len), -inf where the mask forbids attention.

    Returns:
        Same shape, values in [0, 1]; exactly 0 where the logit is -inf.

    Source: Golovneva et al. 2024, section 4, arXiv:2405.18719.
    """
    check_tensors(logits=logits)
    return torch.sigmoid(logits)


def cope_positions(logits: Tensor, max_positions: int) -> Tensor:
    """Contextual positions: p_ij = Σ_{t=j..i} g_it, at most max_positions - 1.

    The sum runs over keys, from key j to the last one that the query may see. The mask must be in
    the logits already: a gate that opens on a future key would count in every position of its row.

    Args:
        logits: Float (..., q_len, k_len), -inf where the mask forbids attention.
        max_positions: Number of position embeddings, at least 2.

    Returns:
        Same shape, float32 or better (bfloat16 cannot count past 256), fractional positions in
        [0, max_positions - 1]. With every gate at 1 the position is i - j + 1: the query's own
        token has position 1, not 0.

    Raises:
        ValueError: If max_positions is less than 2.

    Source: Golovneva et al. 2024, section 4, arXiv:2405.18719.
    """
    max_positions = check_int("max_positions", max_positions, 2)
    check_tensors(logits=logits)
    wide = torch.promote_types(logits.dtype, torch.float32)
    gates = cope_gates(logits.to(wide))  # (..., q_len, k_len)
    positions = gates.flip(-1).cumsum(dim=-1).flip(-1)
    return positions.clamp(max=max_positions - 1)


def cope_logits_direct(query: Tensor, positions: Tensor, embedding: Tensor) -> Tensor:
    """Position logits by definition: c_ij = q_i · e[p_ij], e interpolated for every pair.

    `cope_logits` in `interpolation.py` takes and gives the same in 1 / head_dim of the memory, and
    `CoPE` computes it so. This is for small examples and tests.

    Source: Golovneva et al. 2024, section 4, arXiv:2405.18719.
    """
    check_table(query, positions, embedding)
    low, high, weight = whole_positions(positions)  # (..., q_len, k_len)
    weight = weight[..., None]
    # (..., q_len, k_len, head_dim), one embedding for each pair of tokens
    at_position = weight * embedding.T[high] + (1 - weight) * embedding.T[low]
    return torch.einsum("...id,...ijd->...ij", query, at_position)


class CoPE(PositionalEncoding):
    """Contextual position encoding: each query counts the keys that its gates let count.

    The default is the official code: gates σ(q·k · scale), attention softmax((q·k + c) · scale).
    The two disagreements between published versions are arguments.

    CoPE is defined for causal attention. A query that may see later keys counts them too.

    Args:
        head_dim: Width of a head, at least 1.
        max_positions: Number of position embeddings, at least 2; position max_positions - 1 is the
            cap. The paper uses 64; length + 1 never clamps.
        scale_gates: True takes q·k · scale for the gates (official code); False takes q·k (the
            formula in the paper).
        scale_sum: True scales the position logits like q·k (official code); False adds them to the
            scaled scores as they are (its option `nodiv`, and x-transformers).
        scale: Factor on q·k in the attention; default 1 / sqrt(head_dim). `attend` takes it from
            here and refuses another.

    Raises:
        ValueError: If an argument is out of range.

    Source: Golovneva et al. 2024, section 4, arXiv:2405.18719; facebookresearch/RAM,
    projects/cope/src/cope/context_position.py.
    """

    reads_scores = True

    def __init__(
        self,
        head_dim: int,
        max_positions: int,
        *,
        scale_gates: bool = True,
        scale_sum: bool = True,
        scale: float | None = None,
    ) -> None:
        super().__init__()
        self.head_dim = check_int("head_dim", head_dim, 1)
        self.max_positions = check_int("max_positions", max_positions, 2)
        self.scale_gates = check_bool("scale_gates", scale_gates)
        self.scale_sum = check_bool("scale_sum", scale_sum)
        self.scale: float = (
            head_dim**-0.5 if scale is None else check_number("scale", scale, above=0)
        )
        # One table for all heads; at zero, as published, CoPE starts as attention without position.
        self.embedding = nn.Parameter(torch.zeros(head_dim, max_positions))

    def positions(self, scores: Tensor) -> Tensor:
        """Fractional positions (batch, heads, q_len, k_len) of scaled, masked scores."""
        gate_logits = scores if self.scale_gates else scores / self.scale
        return cope_positions(gate_logits, self.max_positions)

    def bias(self, q: Tensor, scores: Tensor, q_positions: Tensor, k_positions: Tensor) -> Tensor:
        """Position logits of every pair (batch, heads, q_len, k_len).

        Token positions are not used: positions are counted from the scores.
        """
        logits = interpolated(q, self.positions(scores), self.embedding.to(q.dtype)).logits
        return logits * self.scale if self.scale_sum else logits
