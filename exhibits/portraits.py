"""One small picture per encoding: attention when position is all there is."""

import torch
from torch import Tensor

from posenc.attention.formula import attend
from posenc.checks import check_int
from posenc.places import PositionalEncoding


def portrait(encoding: PositionalEncoding, d_model: int, length: int) -> Tensor:
    """Attention weights of one head over tokens that are all the same.

    Queries and keys are the embeddings themselves, so nothing differs between the tokens but their
    positions. An encoding that adds to the embeddings meets zero vectors, so that scores are the
    products of its own rows; the others meet vectors of ones.

    Args:
        encoding: Built for one head of width d_model.
        d_model: Width of the embeddings, at least 1.
        length: Number of tokens, at least 1.

    Returns:
        Float64 (length, length), the causal attention weights: row i sums to 1.

    Raises:
        ValueError: If a size is out of range or does not fit the encoding.
    """
    check_int("d_model", d_model, 1)
    positions = torch.arange(check_int("length", length, 1))
    zeros = torch.zeros(1, length, d_model, dtype=torch.float64)
    with torch.no_grad():
        x = encoding.embed(zeros, positions)
        if torch.equal(x, zeros):
            x = torch.ones_like(zeros)
        q = x[:, None]
        return attend(q, q, q, encoding.double(), mask="causal", trace=True).weights[0, 0]
