"""One head in both layouts of RoPE: with its weights converted, and without."""

from collections.abc import Sequence
from dataclasses import dataclass

from torch import Tensor

from posenc.attention.formula import attend
from posenc.attention.measures import attention_moved
from posenc.rope.formula import RoPE
from posenc.rope.layouts import convert_projection
from posenc.rope.pairs import Layout


@dataclass(frozen=True)
class LayoutCheck:
    """Half-split attention of one head whose weights were trained interleaved."""

    converted: float
    """Largest difference of a score from the trained one when the weights were converted."""
    skipped: float
    """Root mean square error of the scores when they were not, in units of the scores' own."""
    moved: float
    """Share of the attention that then lands on other keys, on average, causal mask."""


def layout_check(
    query_weight: Tensor, key_weight: Tensor, x: Tensor, base: float, rotary_dim: int
) -> LayoutCheck:
    """Run one head three ways: as trained, converted, and read in the wrong layout.

    Args:
        query_weight: Of one interleaved head, (head_dim, d_model).
        key_weight: The same shape.
        x: Embeddings of the tokens, (seq, d_model).
        base: Base of the frequencies.
        rotary_dim: Rotated channels, even.

    Returns:
        The `LayoutCheck`, in the precision of the weights.

    Raises:
        ValueError: If head_dim or rotary_dim is odd.
    """
    head_dim = len(query_weight)
    weights = query_weight, key_weight
    moved = [convert_projection(weight, head_dim, "half", rotary_dim) for weight in weights]
    ways: tuple[tuple[Sequence[Tensor], Layout], ...] = (
        (weights, "interleaved"),
        (moved, "half"),
        (weights, "half"),
    )
    traces = []
    for (query, key), layout in ways:
        rope = RoPE(head_dim, base, layout=layout, rotary_dim=rotary_dim)
        q, k = (x @ query.mT)[None, None], (x @ key.mT)[None, None]
        traces.append(attend(q, k, k, rope, mask="causal", trace=True))
    trained, converted, skipped = traces
    wrong = (skipped.scaled - trained.scaled).square().mean().sqrt()
    return LayoutCheck(
        converted=float((converted.scaled - trained.scaled).abs().max()),
        skipped=float(wrong / trained.scaled.square().mean().sqrt()),
        moved=float(attention_moved(trained.weights, skipped.weights).mean()),
    )
