"""Fast attention: torch's fused kernel, where nobody needs the stages."""

import torch
from torch import Tensor
from torch.nn.functional import scaled_dot_product_attention

from posenc.attention.masks import Mask, causal_mask
from posenc.places import PositionalEncoding


def fused(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    encoding: PositionalEncoding,
    mask: Mask,
    q_positions: Tensor,
    k_positions: Tensor,
    scale: float,
) -> Tensor:
    """The same result through torch's fused kernel, for encodings that never read the scores."""
    shape = (*q.shape[:-1], k.shape[-2])
    # A bias that does not read the scores needs only their shape: nothing of that size is built.
    bias = encoding.bias(q, q.new_zeros(()).expand(shape), q_positions, k_positions)
    square = q.shape[-2] == k.shape[-2]
    if bias is None and isinstance(mask, str) and square:
        return scaled_dot_product_attention(q, k, v, is_causal=True, scale=scale)
    if isinstance(mask, str):
        mask = causal_mask(q.shape[-2], k.shape[-2], q.device)
    if bias is not None:
        bias = bias.to(q.dtype)
        mask = bias if mask is None else torch.where(mask, bias, -torch.inf)
    if mask is not None:
        mask = mask.expand(shape)
    return scaled_dot_product_attention(q, k, v, attn_mask=mask, scale=scale)
