"""Term (d) of Transformer-XL's score, which looks at distance alone, as a bias of its own."""

import torch
from torch import Tensor, nn

from posenc.checks import check_int, check_number
from posenc.quantity.distance import DistanceBias
from posenc.sinusoidal.formula import sinusoidal_inv_freq, sinusoidal_waves
from posenc.transformer_xl.formula import INIT_STD


class SinusoidalBias(DistanceBias):
    """The sinusoidal relative bias of each head, b_h(i - j) = w_h·R_{i-j}, w_h = W_Rᵀv_h / sqrt(d).

    The part of Transformer-XL's score that looks at distance alone (its term (d)), as a bias of
    its own: every head mixes the same sinusoids with weights of its own. Distances of both signs
    are told apart, because sines are odd: the bias serves encoders and decoders alike.

    Args:
        num_heads: Number of heads.
        d_model: Number of sinusoids, even.
        base: Base of the geometric series, above 1.

    Source: Dai et al. 2019, section 3.3, term (d), arXiv:1901.02860.
    """

    def __init__(self, num_heads: int, d_model: int, base: float = 10000.0) -> None:
        super().__init__()
        check_int("num_heads", num_heads, 1)
        check_int("d_model", d_model, 2, even=True)
        self.base = check_number("base", base, above=1)
        self.d_model = d_model
        with torch.device("cpu"):
            self.inv_freq = sinusoidal_inv_freq(d_model, base)
        self.weight = nn.Parameter(torch.empty(num_heads, d_model))
        nn.init.normal_(self.weight, std=INIT_STD)

    def curve(self, relative_position: Tensor, dtype: torch.dtype) -> Tensor:
        """w_h·R_{i-j}, (heads, n)."""
        sinusoids = sinusoidal_waves(
            -relative_position, self.inv_freq, self.d_model, "concatenated"
        )
        return (self.weight @ sinusoids.to(self.weight.device, self.weight.dtype).mT).to(dtype)
