"""The two layouts of RoPE: the order of channels, and trained weights moved to the other one."""

import torch
from torch import Tensor

from posenc.checks import check_choice, check_int, check_tensors
from posenc.rope.pairs import LAYOUTS, Layout


def layout_permutation(head_dim: int) -> Tensor:
    """Channel order that turns interleaved into half: x_half = x_interleaved[..., permutation].

    Args:
        head_dim: Rotated channels d, even.

    Returns:
        int64 (d,): 0, 2, 4, …, 1, 3, 5, ….  R_half = P R_interleaved Pᵀ, P the permutation matrix.

    Raises:
        ValueError: If head_dim is odd.

    Source: transformers, models/llama/convert_llama_weights_to_hf.py, permute.
    """
    check_int("head_dim", head_dim, 2, even=True)
    return torch.arange(head_dim).unflatten(0, (-1, 2)).mT.flatten()


def inverse_layout_permutation(head_dim: int) -> Tensor:
    """Channel order that turns half into interleaved: 0, d/2, 1, d/2 + 1, …, int64 (d,)."""
    check_int("head_dim", head_dim, 2, even=True)
    return torch.arange(head_dim).unflatten(0, (2, -1)).mT.flatten()


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
    check_tensors(weight=weight)
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
