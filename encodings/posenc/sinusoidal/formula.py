"""Sinusoidal positions: sines and cosines of the position at a geometric series of frequencies."""

from typing import Literal

import torch
from torch import Tensor, nn

from posenc.checks import check_choice, check_embedding, check_int, check_number, check_tensors
from posenc.places import PositionalEncoding
from posenc.waves import rope_angles

SinusoidalLayout = Literal["interleaved", "concatenated", "tensor2tensor"]
SINUSOIDAL_LAYOUTS = ("interleaved", "concatenated", "tensor2tensor")


def sinusoidal_inv_freq(
    d_model: int, base: float = 10000.0, layout: SinusoidalLayout = "interleaved"
) -> Tensor:
    """Angle per position of each sine: θ_i = base^(-2i/d_model).

    In the tensor2tensor layout θ_i = base^(-i/(n-1)) with n = d_model // 2, so that the slowest
    frequency is exactly 1/base.

    Args:
        d_model: Width of the table, at least 1; may be odd.
        base: Base of the geometric series, above 1.
        layout: "interleaved" and "concatenated" share their frequencies.

    Returns:
        float64, radians per position, one for each sine: (ceil(d_model / 2),), or
        (d_model // 2,) in the tensor2tensor layout.

    Raises:
        ValueError: If an argument is out of range.

    Source: Vaswani et al. 2017, section 3.5, arXiv:1706.03762; tensor2tensor,
        layers/common_attention.py, get_timing_signal_1d.
    """
    check_int("d_model", d_model, 1)
    check_number("base", base, above=1)
    check_choice("layout", layout, SINUSOIDAL_LAYOUTS)
    if layout == "tensor2tensor":
        pairs = d_model // 2
        exponents = torch.arange(pairs, dtype=torch.float64) / max(pairs - 1, 1)
    else:
        exponents = torch.arange(0, d_model, 2, dtype=torch.float64) / d_model
    return base**-exponents


def wave_columns(table: Tensor, layout: SinusoidalLayout) -> tuple[Tensor, Tensor]:
    """The columns of a table (..., d_model) that hold sines, and those that hold cosines.

    Where d_model is odd the last frequency has a sine and no cosine; in the tensor2tensor layout
    the last column then holds neither.
    """
    if layout == "interleaved":
        return table[..., 0::2], table[..., 1::2]
    d_model = table.shape[-1]
    sines = d_model // 2 if layout == "tensor2tensor" else (d_model + 1) // 2
    return table[..., :sines], table[..., sines : sines + d_model // 2]


def sinusoidal_at(
    positions: Tensor, d_model: int, base: float = 10000.0, layout: SinusoidalLayout = "interleaved"
) -> Tensor:
    """Sinusoidal encoding of any positions: sin(pθ_i) and cos(pθ_i).

    Args:
        positions: Integers, or numbers in float32 or float64 (timesteps of a diffusion), (seq,) or
            (batch, seq).
        d_model: Width, at least 1; may be odd.
        base: Base of the geometric series, above 1.
        layout: Order of the columns: sin θ_0, cos θ_0, sin θ_1, … if interleaved, else all sines
            and then all cosines.

    Returns:
        float64 (..., seq, d_model), on the device of the positions (on the CPU for MPS).

    Raises:
        ValueError: If an argument is out of range or positions are no such numbers.

    Source: Vaswani et al. 2017, section 3.5, arXiv:1706.03762.
    """
    return sinusoidal_waves(positions, sinusoidal_inv_freq(d_model, base, layout), d_model, layout)


def sinusoidal_waves(
    positions: Tensor, inv_freq: Tensor, d_model: int, layout: SinusoidalLayout
) -> Tensor:
    """`sinusoidal_at` of frequencies that are there already."""
    angles = rope_angles(positions, inv_freq)  # (..., seq, freqs)
    table = angles.new_empty(*angles.shape[:-1], d_model)  # (..., seq, d_model)
    sines, cosines = wave_columns(table, layout)  # views of the table
    sines.copy_(angles.sin())
    cosines.copy_(angles[..., : cosines.shape[-1]].cos())
    table[..., sines.shape[-1] + cosines.shape[-1] :] = 0
    return table


def sinusoidal_table(
    length: int, d_model: int, base: float = 10000.0, layout: SinusoidalLayout = "interleaved"
) -> Tensor:
    """Sinusoidal encoding of positions 0 … length - 1, float64 (length, d_model).

    See `sinusoidal_at`.
    """
    check_int("length", length, 1)
    return sinusoidal_at(torch.arange(length), d_model, base, layout)


class Sinusoidal(PositionalEncoding):
    """Sines and cosines of the position, added to the token embeddings.

    Args:
        d_model: Width of the token embeddings; may be odd.
        base: Base of the geometric series, above 1.
        layout: Order of the columns.
        dropout: Probability with which an element of the sum is dropped in training.

    Source: Vaswani et al. 2017, section 3.5 (dropout on the sum: 5.4), arXiv:1706.03762.
    """

    def __init__(
        self,
        d_model: int,
        base: float = 10000.0,
        layout: SinusoidalLayout = "interleaved",
        *,
        dropout: float = 0.0,
    ) -> None:
        super().__init__()
        with torch.device("cpu"):
            self.inv_freq = sinusoidal_inv_freq(d_model, base, layout)
        check_number("dropout", dropout, 0, maximum=1)
        self.d_model = d_model
        self.base = base
        self.layout = layout
        self.dropout = nn.Dropout(dropout)

    def forward(self, x: Tensor, positions: Tensor | None = None) -> Tensor:
        """Return `embed(x, positions)`; positions are 0 … seq - 1 by default."""
        check_tensors(x=x)
        if positions is None:
            positions = torch.arange(x.shape[-2], device=x.device)
        return self.embed(x, positions)

    def embed(self, x: Tensor, positions: Tensor) -> Tensor:
        """Return dropout(x + PE(positions)), (batch, seq, d_model) or with other axes in front."""
        positions = check_embedding(x, positions, self.d_model)
        encoding = sinusoidal_waves(
            positions.to(x.device), self.inv_freq, self.d_model, self.layout
        )
        return self.dropout(x + encoding.to(x.device, x.dtype))
