"""Biases that depend on distance alone: one value per head and distance, spread over all pairs."""

from collections.abc import Callable

import torch
from torch import Tensor

from posenc.checks import can_look, check_positions
from posenc.places import relative_position


def bias_of_distance(
    curve: Callable[[Tensor], Tensor],
    q_positions: Tensor,
    k_positions: Tensor,
    device: torch.device,
) -> Tensor:
    """Spread a function of distance over all pairs, evaluating it once per distance.

    In `torch.compile` and on "meta", where distances cannot be looked at, once per pair.

    Args:
        curve: From relative positions j - i, integers (n,), to the bias of each head, (heads, n).
        q_positions: i, integers (q_len,) or (batch, q_len).
        k_positions: j, integers (k_len,) or (batch, k_len).
        device: Where the curve is evaluated.

    Returns:
        (heads, q_len, k_len), or (batch, heads, q_len, k_len) if either has a batch.
    """
    q_positions = check_positions("q_positions", q_positions)
    k_positions = check_positions("k_positions", k_positions)
    if device.type == "meta" or not can_look(q_positions, k_positions):
        relative = relative_position(q_positions, k_positions).to(device)
        bias = curve(relative.flatten()).unflatten(-1, relative.shape)
        return bias if relative.dim() == 2 else bias[:, :, 0].movedim(0, 1)
    if _consecutive(q_positions) and _consecutive(k_positions):
        first = int(k_positions[0] - q_positions[-1])
        count = len(q_positions) + len(k_positions) - 1
        values = curve(torch.arange(first, first + count, device=device))
        # Window s holds j - i = first + s, first + s + 1, …: the row of the query s before last.
        return values.unfold(-1, len(k_positions), 1).flip(-2)
    distances, index = distinct(relative_position(q_positions, k_positions).to(device))
    bias = curve(distances)[:, index]
    return bias if index.dim() == 2 else bias[:, :, 0].movedim(0, 1)


def distinct(distance: Tensor) -> tuple[Tensor, Tensor]:
    """Integers among which are all of `distance`, rising, (n,); and where each is among them."""
    if distance.numel():
        low = int(distance.min())
        high = int(distance.max())
        if high - low < distance.numel():  # a table of the whole range is no larger: no sorting
            return torch.arange(low, high + 1, device=distance.device), distance - low
    return torch.unique(distance, return_inverse=True)


def _consecutive(positions: Tensor) -> bool:
    return positions.dim() == 1 and len(positions) > 0 and bool((positions.diff() == 1).all())


def per_head(values: Tensor, relative_position: Tensor) -> Tensor:
    """Shape one value per head so that it meets every relative position.

    Args:
        values: (heads,).
        relative_position: (distances,), (q_len, k_len) or (batch, 1, q_len, k_len).

    Returns:
        (heads, 1) or (heads, 1, 1): its product with relative_position is (heads, distances),
        (heads, q_len, k_len) or (batch, heads, q_len, k_len).
    """
    return values.reshape(-1, *[1] * min(relative_position.dim(), 2))


def past_distance(relative_position: Tensor, symmetric: bool = False) -> Tensor:
    """Distance i - j of a past key; a future key counts as distance 0, or |i - j| if symmetric.

    Args:
        relative_position: j - i, integers of any shape; the past is negative.
        symmetric: Count the future like the past.

    Returns:
        Integers of the same shape, at least 0.
    """
    return relative_position.abs() if symmetric else -relative_position.clamp(max=0)
