"""Distance in sinusoids: the product of two rows, the rotation between them."""

import torch
from torch import Tensor

from posenc.checks import check_int
from posenc.sinusoidal.formula import SinusoidalLayout, sinusoidal_inv_freq, wave_columns
from posenc.waves import rope_angles, wave_sum


def sinusoidal_similarity(
    distances: Tensor, d_model: int, base: float = 10000.0, layout: SinusoidalLayout = "interleaved"
) -> Tensor:
    """PE(p)·PE(p + k) = Σ_i cos(kθ_i): a function of the distance k alone.

    Args:
        distances: k, integers (n,).
        d_model: Width, even: with an odd width the last sine has no cosine beside it and the
            product depends on p. The tensor2tensor layout allows any width.
        base: Base of the geometric series.
        layout: The frequencies that belong to it.

    Returns:
        float64 (n,); the number of frequencies at k = 0.

    Raises:
        ValueError: If d_model is odd in a layout where that matters.
    """
    any_width = layout == "tensor2tensor"
    check_int("d_model", d_model, 1 if any_width else 2, even=not any_width)
    return wave_sum(distances, sinusoidal_inv_freq(d_model, base, layout))


def sinusoidal_shift(
    offset: int, d_model: int, base: float = 10000.0, layout: SinusoidalLayout = "interleaved"
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
        ValueError: If d_model is odd: the last sine then has no cosine to rotate with.

    Source: Vaswani et al. 2017, section 3.5, arXiv:1706.03762.
    """
    check_int("offset", offset)
    check_int("d_model", d_model, 2, even=True)
    angles = rope_angles(torch.tensor(offset), sinusoidal_inv_freq(d_model, base, layout))
    sines, cosines = wave_columns(torch.arange(d_model), layout)
    shift = torch.zeros(d_model, d_model, dtype=torch.float64)
    shift[sines, sines] = shift[cosines, cosines] = angles.cos()
    shift[sines, cosines] = angles.sin()
    shift[cosines, sines] = -angles.sin()
    return shift
