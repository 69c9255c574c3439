"""Rotation of a query by a model's own function, channel by channel, found from unit vectors.

The function is linear in the query, so unit vectors tell all of it: which channels mix, by which
angle at every position, and by how much all are stretched.
"""

import inspect
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor

from reference.sweep.probe import POSITIONS, SEEN, Applied


@dataclass
class Turning:
    """A rotation as it was measured.

    Args:
        layout: "half" or "interleaved": which channels of the weights form a pair; "other".
        frequencies: Radians per position, float64 (pairs,), in the order of the pairs.
        factor: On cosine and sine.
        first: First rotated channel of what the function is given.
        rotated: How many channels turn.
    """

    layout: str
    frequencies: Tensor
    factor: float
    first: int
    rotated: int


def maps(call: Applied) -> Tensor:
    """The function as matrices, complex-free float64 (positions, out, in)."""
    names = list(inspect.signature(inspect.unwrap(call.function)).parameters)
    given = dict(zip(names, call.args, strict=False)) | call.kwargs
    slot = next(name for name in names if is_vectors(given.get(name)))
    vectors = given[slot]
    width = vectors.shape[-1]
    seq = next(a for a in range(vectors.dim() - 1) if vectors.shape[a] == SEEN)
    rows = []
    for channel in range(width):
        unit = torch.zeros_like(vectors)
        unit[..., channel] = 1
        out = call.function(**{**given, slot: unit})
        out = out[0] if isinstance(out, tuple) else out
        out = out.movedim(seq, 0).reshape(SEEN, -1, out.shape[-1])[:, 0]
        rows.append(out.to(torch.float64))
    return torch.stack(rows, -1)


def is_vectors(value: Any) -> bool:
    """Queries or keys: floating-point numbers with places among the first axes."""
    is_float = isinstance(value, Tensor) and value.is_floating_point() and value.dim() >= 3
    return is_float and SEEN in value.shape[:-1]


def measured(call: Applied) -> Turning | None:
    """The rotation of a call; None where it turns nothing."""
    matrices = maps(call)
    start = matrices[0]
    # In the coordinates of the input: what position p adds to position 0.
    turns = torch.linalg.solve(start, matrices)
    identity = torch.eye(turns.shape[-1], dtype=torch.float64)
    moving = ((turns - identity).abs() > 1e-7).any(0)
    channels = torch.nonzero(moving.any(0)).flatten()
    if not len(channels):
        return None
    partner = (turns - torch.diag_embed(turns.diagonal(dim1=-2, dim2=-1))).abs().amax(0)
    pairs: list[tuple[int, int]] = []
    for channel in channels.tolist():
        other = int(partner[:, channel].argmax())
        if partner[other, channel] < 1e-9:
            return Turning("other", torch.zeros(0), 1.0, 0, len(channels))
        if channel < other:
            pairs.append((channel, other))
    return Turning(
        layout_of(pairs, turns.shape[-1]),
        torch.stack([frequency(turns[:, a, a], turns[:, b, a]) for a, b in pairs]),
        stretch(start, channels),
        min(a for a, _ in pairs),
        2 * len(pairs),
    )


def stretch(start: Tensor, channels: Tensor) -> float:
    """The factor on cosine and sine: what a rotated channel has at position 0."""
    return float(start[:, channels].abs().amax(0).mean())


def frequency(cosines: Tensor, sines: Tensor) -> Tensor:
    """Radians per position: from the farthest position that is still below half a turn."""
    angles = torch.atan2(sines, cosines).abs()
    slow = torch.zeros((), dtype=torch.float64)
    for step in range(1, SEEN):
        if step > 1 and slow * POSITIONS[step] > 3:
            break
        slow = angles[step] / POSITIONS[step] if angles[step] > 0 else slow
    return slow


def layout_of(pairs: list[tuple[int, int]], width: int) -> str:
    """The layout whose pairs these are."""
    if all(b == a + 1 and (a - pairs[0][0]) % 2 == 0 for a, b in pairs):
        return "interleaved" if len(pairs) > 1 else "either"
    gaps = {b - a for a, b in pairs}
    return "half" if len(gaps) == 1 else "other"
