"""No positional encoding: order reaches the model through the causal mask alone."""

from posenc.places import PositionalEncoding


class NoPE(PositionalEncoding):
    """Every place is left alone.

    A causal mask still tells positions apart: with equal scores, row i of the attention is
    1 / (i + 1). Without a mask the output is the same whatever the order of the tokens.

    Source: Haviv et al. 2022, arXiv:2203.16634; Kazemnejad et al. 2023, arXiv:2305.19466.
    """
