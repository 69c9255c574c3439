"""Sinusoidal positions: sines and cosines of the position at a geometric series of frequencies."""

from typing import Literal

import torch
from torch import Tensor, nn

from posenc.checks import check_choice, check_embedding, check_int, check_number
from posenc.places import PositionalEncoding
from posenc.rope.pairs import split_pairs
from posenc.waves import rope_angles, wave_sum

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


def sinusoidal_at(
    positions: Tensor,
    d_model: int,
    base: float = 10000.0,
    layout: SinusoidalLayout = "interleaved",
) -> Tensor:
    """Sinusoidal encoding of any positions.

    Interleaved: columns 2i and 2i + 1 hold sin(pθ_i) and cos(pθ_i). Concatenated: all sines, then
    all cosines. tensor2tensor: concatenated, with its own frequencies. Where d_model is odd the
    last frequency has a sine and no cosine (tensor2tensor: a column of zeros at the end).

    Args:
        positions: Integers, (seq,) or (batch, seq).
        d_model: Width, at least 1; may be odd.
        base: Base of the geometric series, above 1.
        layout: Order of the columns.

    Returns:
        float64 (..., seq, d_model), on the device of the positions (on the CPU for MPS).

    Raises:
        ValueError: If an argument is out of range or positions are not integers.

    Source: Vaswani et al. 2017, section 3.5, arXiv:1706.03762.
    """
    angles = rope_angles(positions, sinusoidal_inv_freq(d_model, base, layout))
    if d_model % 2:
        return arrange(angles.sin(), angles.cos(), d_model, layout)
    table = angles.new_empty(*angles.shape[:-1], d_model)  # written in place: nothing is copied
    first, second = split_pairs(table, "interleaved" if layout == "interleaved" else "half")
    torch.sin(angles, out=first)
    torch.cos(angles, out=second)
    return table


def sinusoidal_table(
    length: int,
    d_model: int,
    base: float = 10000.0,
    layout: SinusoidalLayout = "interleaved",
) -> Tensor:
    """Sinusoidal encoding of positions 0 … length - 1, float64 (length, d_model).

    See `sinusoidal_at`.
    """
    check_int("length", length, 1)
    return sinusoidal_at(torch.arange(length), d_model, base, layout)


def arrange(sin: Tensor, cos: Tensor, d_model: int, layout: SinusoidalLayout) -> Tensor:
    """Put sines and cosines (..., pairs) into the columns of a table (..., d_model)."""
    if layout == "interleaved":
        return torch.stack((sin, cos), dim=-1).flatten(-2)[..., :d_model]
    if layout == "concatenated":
        return torch.cat((sin, cos), dim=-1)[..., :d_model]
    zeros = sin.new_zeros(*sin.shape[:-1], d_model % 2)
    return torch.cat((sin, cos, zeros), dim=-1)


def sinusoidal_similarity(
    distances: Tensor,
    d_model: int,
    base: float = 10000.0,
    layout: SinusoidalLayout = "interleaved",
) -> Tensor:
    """PE(p)·PE(p + k) = Σ_i cos(kθ_i): a function of the distance k alone.

    Args:
        distances: k, integers (n,).
        d_model: Width, even: with an odd width the last sine has no cosine beside it and the
            product depends on p (in the tensor2tensor layout any width will do).
        base: Base of the geometric series.
        layout: The frequencies that belong to it.

    Returns:
        float64 (n,); the number of frequencies at k = 0.

    Raises:
        ValueError: If d_model is odd in a layout where that matters.
    """
    check_int(
        "d_model", d_model, 1 if layout == "tensor2tensor" else 2, even=layout != "tensor2tensor"
    )
    return wave_sum(distances, sinusoidal_inv_freq(d_model, base, layout))


def sinusoidal_shift(
    offset: int,
    d_model: int,
    base: float = 10000.0,
    layout: SinusoidalLayout = "interleaved",
) -> Tensor:
    """The linear map M_k with PE(p + k) = M_k PE(p) for every p: a rotation of each pair by kθ_i.

    sin((p + k)θ) = cos(kθ) sin(pθ) + sin(kθ) cos(pθ), and
    cos((p + k)θ) = -sin(kθ) sin(pθ) + cos(kθ) cos(pθ).

    Args:
        offset: k, any integer.
        d_model: Width, even.
        base: Base of the geometric series.
        layout: Which columns form a pair.

    Returns:
        float64 (d_model, d_model), orthogonal.

    Raises:
        ValueError: If d_model is odd: the last sine then has no cosine to turn with.

    Source: Vaswani et al. 2017, section 3.5, arXiv:1706.03762.
    """
    check_int("d_model", d_model, 2, even=True)
    angles = rope_angles(torch.tensor(offset), sinusoidal_inv_freq(d_model, base, layout))
    pairs = torch.arange(d_model // 2)
    sines, cosines = 2 * pairs, 2 * pairs + 1
    if layout != "interleaved":
        sines, cosines = pairs, pairs + d_model // 2
    shift = torch.zeros(d_model, d_model, dtype=torch.float64)
    shift[sines, sines] = shift[cosines, cosines] = angles.cos()
    shift[sines, cosines] = angles.sin()
    shift[cosines, sines] = -angles.sin()
    return shift


def wave_of_column(
    col: int, d_model: int, layout: SinusoidalLayout
) -> tuple[int, Literal["sin", "cos", "zero"]]:
    """Pair and function of a column of the table; "zero" for the last of an odd tensor2tensor."""
    if layout == "interleaved":
        return col // 2, "cos" if col % 2 else "sin"
    sines = len(sinusoidal_inv_freq(d_model, layout=layout))
    if layout == "tensor2tensor" and col == 2 * sines:
        return sines, "zero"
    return col % sines, "sin" if col < sines else "cos"


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
        sinusoidal_inv_freq(d_model, base, layout)  # checks the arguments
        check_number("dropout", dropout, 0, maximum=1)
        self.d_model, self.base, self.layout = d_model, base, layout
        self.dropout = nn.Dropout(dropout)

    def embed(self, x: Tensor, positions: Tensor) -> Tensor:
        """Return dropout(x + PE(positions)), (batch, seq, d_model)."""
        check_embedding(x, positions, self.d_model)
        encoding = sinusoidal_at(positions, self.d_model, self.base, self.layout)
        return self.dropout(x + encoding.to(x.device, x.dtype))
