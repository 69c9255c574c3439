"""Positions of the tokens of a padded batch."""

import torch
from torch import Tensor


def positions_from_mask(attention_mask: Tensor) -> Tensor:
    """Position ids that count the real tokens of each row: 0 for the first, whatever is before it.

    Args:
        attention_mask: (batch, seq), non-zero for real tokens.

    Returns:
        int64 (batch, seq); padding in front has 0, padding behind the last token's position. Both
        have to be masked.

    Source: transformers, the usual `attention_mask.cumsum(-1) - 1` of its generation code.
    """
    return (attention_mask.bool().to(torch.int64).cumsum(dim=-1) - 1).clamp(min=0)
