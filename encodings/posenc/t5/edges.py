"""Where T5's buckets begin."""

import torch
from torch import Tensor

from posenc.t5.formula import bucket_sizes, far_edges


def t5_bucket_lower_edges(
    bidirectional: bool, num_buckets: int = 32, max_distance: int = 128
) -> Tensor:
    """Smallest past distance D = i - j that reaches each bucket.

    Args:
        bidirectional: See `t5_bucket`.
        num_buckets: Buckets in all.
        max_distance: See `t5_bucket`.

    Returns:
        int64 (buckets of one direction,), rising; equal neighbours mean an empty bucket. The
        future side of a bidirectional table has the same edges, num_buckets / 2 buckets further.

    Raises:
        ValueError: If an argument is out of range.
    """
    per_side, exact = bucket_sizes(bidirectional, num_buckets, max_distance)
    return torch.tensor([*range(exact + 1), *far_edges(per_side, exact, max_distance)])
