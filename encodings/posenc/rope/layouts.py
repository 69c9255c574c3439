"""Moving trained weights from one layout of RoPE to the other."""

from collections.abc import Sequence
from dataclasses import dataclass

from torch import Tensor

from posenc.attention.formula import attend
from posenc.attention.measures import attention_moved
from posenc.checks import check_choice, check_int
from posenc.rope.formula import RoPE
from posenc.rope.matrix import inverse_layout_permutation, layout_permutation
from posenc.rope.pairs import LAYOUTS, Layout


def convert_projection(
    weight: Tensor, head_dim: int, to: Layout = "half", rotary_dim: int | None = None
) -> Tensor:
    """Reorder the rows of a query or key projection for the other layout.

    Interleaved RoPE on the old weights and half-split RoPE on the converted ones give the same
    scores. Values and the output projection stay as they are. Whatever acts on the channels of a
    query or key between projection and rotation (a bias, the weight of a norm) is converted
    likewise.

    Args:
        weight: (heads · head_dim, d_model), or a bias (heads · head_dim,). Keys of grouped-query
            attention have fewer heads.
        head_dim: Channels of a head.
        to: "half" if the weights are interleaved, "interleaved" if they are half-split.
        rotary_dim: Rotated channels of each head, the first ones; default all. The others stay.

    Returns:
        The same shape and dtype.

    Raises:
        ValueError: If the rows are not whole heads, or rotary_dim is odd or above head_dim.

    Source: transformers, models/llama/convert_llama_weights_to_hf.py, permute.
    """
    check_int("head_dim", head_dim, 2, even=True)
    rotary_dim = head_dim if rotary_dim is None else rotary_dim
    check_int("rotary_dim", rotary_dim, 2, maximum=head_dim, even=True)
    check_choice("to", to, LAYOUTS)
    if weight.shape[0] % head_dim:
        raise ValueError(
            f"weight must have a multiple of head_dim = {head_dim} rows, got {weight.shape[0]}."
        )
    order = (layout_permutation if to == "half" else inverse_layout_permutation)(rotary_dim)
    heads = weight.unflatten(0, (-1, head_dim)).clone()
    heads[:, :rotary_dim] = heads[:, order.to(weight.device)]
    return heads.flatten(0, 1)


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
