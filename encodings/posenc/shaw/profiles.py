"""Biases that each query mixes from curves over the distance, as Inkling does."""

from torch import Tensor

from posenc.checks import check_positions, check_tensors


def profile_bias(
    weights: Tensor, profiles: Tensor, q_positions: Tensor, k_positions: Tensor
) -> Tensor:
    """Bias of every query and key: r_i · P[:, i - j] within the profiles, and 0 outside them.

    Shaw's q_i·a_{j-i} with a short vector r of its own in the place of the query. Future keys get
    0, too: hiding them is the mask's part.

    Args:
        weights: r, float (batch, queries, heads, profiles): how much of each profile a query takes.
        profiles: P, float (profiles, extent): a curve over distances 0 … extent - 1.
        q_positions: Integers (queries,).
        k_positions: Integers (keys,).

    Returns:
        Float (batch, heads, queries, keys), to be added to the scaled scores.

    Raises:
        ValueError: If the numbers of profiles differ, or positions are not integers.

    Source: transformers 5.23, models/inkling/modeling_inkling.py, InklingRelativeLogits.
    """
    check_tensors(weights=weights, profiles=profiles)
    if weights.shape[-1] != profiles.shape[0]:
        raise ValueError(
            f"weights must have one number per profile, got {weights.shape[-1]} for "
            f"{profiles.shape[0]} profiles."
        )
    rows = check_positions("q_positions", q_positions)
    cols = check_positions("k_positions", k_positions)
    distances = rows[:, None] - cols[None, :]  # (queries, keys)
    extent = profiles.shape[1]
    by_distance = (weights @ profiles).transpose(1, 2)  # (batch, heads, queries, extent)
    where = distances.clamp(0, extent - 1).expand(*by_distance.shape[:2], -1, -1)
    outside = (distances < 0) | (distances >= extent)
    return by_distance.gather(-1, where).masked_fill(outside, 0.0)
