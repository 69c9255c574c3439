"""Music Transformer's skew: the scores of relative positions without a lookup per pair."""

import torch
from torch import Tensor


def skewed_relative_logits(query: Tensor, embedding: Tensor) -> Tensor:
    """q_i·e_{j-i} of all past keys without looking up a vector per pair: the skew trick.

    query @ embeddingᵀ has one column per distance. One column of zeros in front and a reshape to
    (length + 1, length) slide row i by length - 1 - i, so that columns become keys.

    Args:
        query: Float (..., length, head_dim).
        embedding: Float (length, head_dim); row r belongs to j - i = r - (length - 1), so that the
            last row is distance 0.

    Returns:
        (..., length, length); zeros above the diagonal, where the trick gives no meaning.

    Raises:
        ValueError: If there is not one embedding per position.

    Source: Huang et al. 2018, section 3.4.1, arXiv:1809.04281.
    """
    length = query.shape[-2]
    if embedding.shape != query.shape[-2:]:
        raise ValueError(
            f"embedding must have shape {tuple(query.shape[-2:])}, one row per position, got "
            f"{tuple(embedding.shape)}."
        )
    by_distance = query @ embedding.mT  # (..., length, length)
    padded = torch.nn.functional.pad(by_distance, (1, 0))  # (..., length, length + 1)
    rows = padded.reshape(*query.shape[:-2], length + 1, length)
    return rows[..., 1:, :].tril()
