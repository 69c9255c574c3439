"""ALiBi: a penalty on the score that grows linearly with distance, steeper in some heads."""

import torch
from torch import Tensor, nn

from posenc.checks import (
    check_bool,
    check_finite,
    check_int,
    check_integers,
    check_number,
    check_tensors,
)
from posenc.quantity.distance import DistanceBias, per_head


def alibi_slopes(num_heads: int, bias_max: float = 8.0) -> Tensor:
    """Slope of each head: m_h = 2^(-8(h+1)/n) for n a power of two.

    Other head counts take the slopes of the power of two below, then every second slope of the
    power of two above, from its first. The list is not sorted, and must not be.

    Args:
        num_heads: Number of heads n, at least 1.
        bias_max: The 8 in the formula (MPT calls it alibi_bias_max), above 0.

    Returns:
        float64 (num_heads,), each in (0, 1).

    Raises:
        ValueError: If an argument is out of range.

    Source: Press et al. 2021, section 3, arXiv:2108.12409; ofirpress/attention_with_linear_biases,
        fairseq/models/transformer.py, get_slopes.
    """
    num_heads = check_int("num_heads", num_heads, 1)
    bias_max = check_number("bias_max", bias_max, above=0)
    below = 2 ** (num_heads.bit_length() - 1)
    slopes = _geometric_slopes(below, bias_max)
    more = _geometric_slopes(2 * below, bias_max)[::2][: num_heads - below]
    return torch.cat((slopes, more))


def _geometric_slopes(num_heads: int, bias_max: float) -> Tensor:
    heads = torch.arange(1, num_heads + 1, dtype=torch.float64)
    return 2.0 ** (-bias_max * heads / num_heads)


def alibi_bias(
    slopes: Tensor,
    relative_position: Tensor,
    symmetric: bool = False,
    *,
    dtype: torch.dtype = torch.float32,
) -> Tensor:
    """The penalty -m_h·(i - j) on key j ≤ i; 0 on future keys, which the causal mask hides.

    Args:
        slopes: m, (heads,).
        relative_position: j - i, integers (distances,), (q_len, k_len) or
            (batch, 1, q_len, k_len); the past is negative.
        symmetric: Penalise the future too: -m_h·|i - j|.
        dtype: Of the result.

    Returns:
        (heads, distances), (heads, q_len, k_len) or (batch, heads, q_len, k_len) in `dtype`.

    Raises:
        ValueError: If an argument is of another kind.

    Source: Press et al. 2021, section 3, arXiv:2108.12409; symmetric: its repository, issue 5.
    """
    check_tensors(slopes=slopes)
    relative_position = check_integers("relative_position", relative_position)
    check_bool("symmetric", symmetric)
    # bfloat16 does not hold distances above 256: it comes after the product.
    wide = torch.promote_types(torch.promote_types(slopes.dtype, dtype), torch.float32)
    ahead = relative_position.to(wide)  # (q_len, k_len), the same for every head
    penalty = -ahead.abs() if symmetric else ahead.clamp(max=0)
    # (heads, 1, 1) · (q_len, k_len) -> (heads, q_len, k_len)
    return (per_head(slopes, relative_position) * penalty).to(dtype)


def check_slopes(slopes: Tensor, num_heads: int) -> Tensor:
    """Return `slopes` in float64 on the CPU if there is a finite one for each head."""
    check_tensors(slopes=slopes)
    if slopes.shape != (num_heads,) or not slopes.is_floating_point():
        raise ValueError(
            f"slopes must be {num_heads} floating-point numbers, one for each head, got "
            f"{slopes.dtype} of shape {tuple(slopes.shape)}."
        )
    return check_finite("slopes", slopes.detach().to("cpu", torch.float64))


class ALiBi(DistanceBias):
    """Linear penalty on distance, one slope per head.

    >>> alibi = ALiBi(8)
    >>> q, k, v = torch.randn(3, 1, 8, 10, 64)  # (batch, heads, tokens, head_dim)
    >>> out = attend(q, k, v, alibi, mask="causal")
    >>> sdpa = torch.nn.functional.scaled_dot_product_attention
    >>> torch.testing.assert_close(sdpa(q, k, v, attn_mask=alibi(10, causal=True)), out)
    >>> one_new = sdpa(q[:, :, -1:], k, v, attn_mask=alibi(1, 10))  # behind a cache
    >>> torch.testing.assert_close(one_new, out[:, :, -1:])

    Args:
        num_heads: Number of heads.
        symmetric: Penalise the future like the past (encoders). `T5Bias(bidirectional=True)` is
            something else: the future has numbers of its own.
        learned: Train the slopes, from those they are made with.
        bias_max: The 8 of `alibi_slopes`, above 0 (MPT's alibi_bias_max).
        slopes: m, (num_heads,), in place of the published ones.

    Raises:
        ValueError: If an argument is out of range.

    Source: Press et al. 2021, section 3, arXiv:2108.12409.
    """

    def __init__(
        self,
        num_heads: int,
        *,
        symmetric: bool = False,
        learned: bool = False,
        bias_max: float = 8.0,
        slopes: Tensor | None = None,
    ) -> None:
        super().__init__()
        with torch.device("cpu"):
            published = alibi_slopes(num_heads, bias_max)
        slopes = published if slopes is None else check_slopes(slopes, len(published))
        self.num_heads = len(published)
        self.bias_max = bias_max
        self.symmetric = check_bool("symmetric", symmetric)
        self.learned_slopes = (
            nn.Parameter(torch.empty(self.num_heads).copy_(slopes))
            if check_bool("learned", learned)
            else None
        )
        self._slopes = slopes

    @property
    def slopes(self) -> Tensor:
        """m, (heads,): the trained ones, or those it was made with in float64."""
        return self._slopes if self.learned_slopes is None else self.learned_slopes

    def curve(self, relative_position: Tensor, dtype: torch.dtype) -> Tensor:
        """-m_h·(i - j), (heads, n); 0 on future keys unless symmetric."""
        slopes = self.slopes.to(relative_position.device, torch.promote_types(dtype, torch.float32))
        return alibi_bias(slopes, relative_position, self.symmetric, dtype=dtype)
