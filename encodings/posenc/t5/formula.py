"""T5's relative bias: one number per head and bucket of distances, the buckets widening."""

import math
from bisect import bisect_left

import torch
from torch import Tensor, nn

from posenc.checks import check_bool, check_int, check_integers, check_tensors
from posenc.quantity.distance import DistanceBias, past_distance

INIT_STD = 512**-0.5
"""Mesh TensorFlow starts the table at d_model^-0.5; this is T5-small's."""


def t5_bucket(
    relative_position: Tensor, bidirectional: bool, num_buckets: int = 32, max_distance: int = 128
) -> Tensor:
    """Bucket of each relative position: exact when near, logarithmic when far.

    With n buckets for a direction and m = n // 2, a distance D < m is its own bucket; a longer
    one falls into m + floor(ln(D/m) / ln(max_distance/m) · (n - m)), at most n - 1.

    Args:
        relative_position: j - i, integers of any shape; the past is negative.
        bidirectional: True (encoder): half of the buckets for the past, half for the future,
            which starts at num_buckets / 2. That bucket itself is never used: distance 0 counts
            as past. False (decoder): all buckets for the past; every future key is in bucket 0.
        num_buckets: Buckets in all, at least 2 (bidirectional: even, at least 4).
        max_distance: Distances from here on are in the last bucket, which starts well before.

    Returns:
        int64, same shape, values in [0, num_buckets - 1].

    Raises:
        ValueError: If an argument is out of range or positions are not integers.

    Source: Raffel et al. 2019, section 2.1, arXiv:1910.10683; transformers,
        models/t5/modeling_t5.py, T5Attention._relative_position_bucket.
    """
    per_side, exact = bucket_sizes(bidirectional, num_buckets, max_distance)
    relative_position = check_integers("relative_position", relative_position)
    relative_position = relative_position.to(torch.int64)
    if bidirectional:
        offset = torch.where(relative_position > 0, per_side, 0)
        distance = relative_position.abs()
    else:
        offset = torch.zeros_like(relative_position)
        distance = -relative_position.clamp(max=0)
    # MPS has no float64; there, as in the reference, the logarithm is taken in float32.
    dtype = torch.float32 if distance.device.type == "mps" else torch.float64
    ratio = (distance.clamp(min=exact).to(dtype) / exact).log() / math.log(max_distance / exact)
    far = (exact + (ratio * (per_side - exact)).to(torch.int64)).clamp(max=per_side - 1)
    return offset + torch.where(distance < exact, distance, far)


def bucket_sizes(bidirectional: bool, num_buckets: int, max_distance: int) -> tuple[int, int]:
    """Buckets of one direction, and how many of them hold a single distance."""
    check_bool("bidirectional", bidirectional)
    check_int("num_buckets", num_buckets, 4 if bidirectional else 2, even=bidirectional)
    per_side = num_buckets // 2 if bidirectional else num_buckets
    exact = per_side // 2
    check_int("max_distance", max_distance, exact + 1)
    return per_side, exact


def far_edges(per_side: int, exact: int, max_distance: int) -> list[int]:
    """Smallest distance of each bucket behind the first one that is logarithmic, rising."""

    def bucket(distance: int) -> int:
        ratio = math.log(distance / exact) / math.log(max_distance / exact)
        return exact + int(ratio * (per_side - exact))

    distances = range(max_distance)
    return [bisect_left(distances, n, lo=exact, key=bucket) for n in range(exact + 1, per_side)]


def t5_bias(table: Tensor, buckets: Tensor) -> Tensor:
    """Look up the bias of every head.

    Args:
        table: (num_buckets, heads).
        buckets: int64 (distances,), (q_len, k_len) or (batch, 1, q_len, k_len).

    Returns:
        (heads, distances), (heads, q_len, k_len) or (batch, heads, q_len, k_len).
    """
    check_tensors(table=table)
    buckets = check_integers("buckets", buckets)
    # Heads first in memory too, as attention reads them: (heads, ..., q_len, k_len)
    bias = table.mT.index_select(1, buckets.flatten()).unflatten(1, buckets.shape)
    return bias[:, :, 0].movedim(0, 1) if buckets.dim() == 4 else bias


class T5Bias(DistanceBias):
    """A trained number per head and bucket, added to the score.

    T5 itself has one table for all layers and does not scale its scores (`attend(scale=1)`).
    Future keys get the bias of distance 0 in the causal form, where the mask hides them.

    Args:
        num_heads: Number of heads.
        bidirectional: True for an encoder, as in T5's own code by default: the future has numbers
            of its own, which `ALiBi(symmetric=True)` has not. False for a decoder.
        num_buckets: Buckets in all.
        max_distance: See `t5_bucket`.

    Source: Raffel et al. 2019, section 2.1, arXiv:1910.10683.
    """

    def __init__(
        self,
        num_heads: int,
        bidirectional: bool = True,
        num_buckets: int = 32,
        max_distance: int = 128,
    ) -> None:
        super().__init__()
        self.num_heads = check_int("num_heads", num_heads, 1)
        self._per_side, self._exact = bucket_sizes(bidirectional, num_buckets, max_distance)
        # Whole numbers: a logarithm may be rounded to either side of an edge, as a runtime has it.
        edges = far_edges(self._per_side, self._exact, max_distance)
        self._edges = torch.tensor(edges, dtype=torch.float64, device="cpu")
        self.bidirectional = bidirectional
        self.num_buckets = num_buckets
        self.max_distance = max_distance
        self.table = nn.Parameter(torch.empty(num_buckets, num_heads))
        nn.init.normal_(self.table, std=INIT_STD)

    def curve(self, relative_position: Tensor, dtype: torch.dtype) -> Tensor:
        """The number of each distance's bucket, (heads, n)."""
        device = relative_position.device
        wide = torch.float32 if device.type == "mps" else torch.float64
        distance = past_distance(relative_position, self.bidirectional)
        far = torch.bucketize(distance.to(wide), self._edges.to(device, wide), right=True)
        buckets = torch.where(distance < self._exact, distance, self._exact + far)
        if self.bidirectional:
            buckets = buckets + torch.where(relative_position > 0, self._per_side, 0)
        return t5_bias(self.table, buckets).to(dtype)
