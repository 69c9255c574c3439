"""Stick-breaking attention: weights in place of the softmax, with recency and no positions."""

import torch
from torch import Tensor
from torch.nn.functional import logsigmoid

from posenc.checks import check_tensors


def stick_breaking_weights(logits: Tensor) -> Tensor:
    """Each key, from the nearest back, takes a share σ(z_ij) of what is left of the stick.

    A_ij = σ(z_ij) Π_{t=j+1..i-1} (1 - σ(z_it)), summed up in logarithms.

    Args:
        logits: Scaled scores z, float (..., q_len, k_len), -inf where attention is forbidden. The
            paper forbids the query's own token: j < i.

    Returns:
        Weights of the same shape and dtype, 0 where the logit is -inf. A row sums to at most 1:
        no key gets what is left of the stick. The authors' models
        hand on that rest, 1 minus the sum: to the query's own value, or to a learned vector.

    Source: Tan et al. 2024, section 2, arXiv:2410.17980.
    """
    check_tensors(logits=logits)
    wide = logits.to(torch.promote_types(logits.dtype, torch.float32))  # for a sum over all keys
    log_share = logsigmoid(wide)
    log_left = logsigmoid(-wide)  # 0 where the logit is -inf: nothing is taken there
    # Σ over t > j: the reversed cumulative sum, moved by one key.
    after = torch.cat((log_left[..., 1:], torch.zeros_like(log_left[..., :1])), dim=-1)
    weights = torch.exp(log_share + after.flip(-1).cumsum(dim=-1).flip(-1))
    return weights.to(logits.dtype)
