"""Sines and cosines of the patches of an image, of its rows and of its columns."""

from typing import Literal

import torch
from torch import Tensor

from posenc.checks import check_choice, check_int
from posenc.sinusoidal.formula import sinusoidal_at

GridLayout = Literal["mae", "transformers", "timm"]
GRID_LAYOUTS = ("mae", "transformers", "timm")


def sincos_grid(
    height: int,
    width: int,
    d_model: int,
    base: float = 10000.0,
    layout: GridLayout = "mae",
    *,
    class_tokens: int = 0,
) -> Tensor:
    """Fixed table of an image's patches, row after row (MAE, DiT, MoCo v3, SimpleViT).

    Each of row and column has the d_model / 2 sines and cosines of a sinusoidal table, with
    θ_i = base^(-4i/d_model) for i < d_model / 4.

    Args:
        height: Rows of patches, at least 1.
        width: Columns of patches, at least 1.
        d_model: Width of the table, a multiple of 4.
        base: Base of the geometric series, above 1.
        layout: Order of the columns. "mae" (MAE, DiT, diffusers): sines and cosines of the patch's
            column, then those of its row. "transformers" (its ViTMAE from 5.23, AIMv2): of its row,
            then of its column. "timm" (`build_sincos2d_pos_embed`): sines of its row and column,
            then their cosines.
        class_tokens: Rows of zeros in front, for tokens that belong to no patch.

    Returns:
        float64 (class_tokens + height · width, d_model).

    Raises:
        ValueError: If an argument is out of range.

    Source: He et al. 2021, appendix A.1, arXiv:2111.06377, and facebookresearch/mae,
        util/pos_embed.py, get_2d_sincos_pos_embed; huggingface/pytorch-image-models,
        timm/layers/pos_embed_sincos.py.
    """
    check_int("height", height, 1)
    check_int("width", width, 1)
    check_int("d_model", d_model, 4, even=True)
    if d_model % 4:
        raise ValueError(f"d_model must be a multiple of 4 for two axes, got {d_model}.")
    check_choice("layout", layout, GRID_LAYOUTS)
    check_int("class_tokens", class_tokens, 0)
    row, column = torch.cartesian_prod(torch.arange(height), torch.arange(width)).mT
    of_row, of_column = (
        sinusoidal_at(each, d_model // 2, base, "concatenated") for each in (row, column)
    )
    if layout == "mae":
        table = torch.cat((of_column, of_row), dim=-1)
    elif layout == "transformers":
        table = torch.cat((of_row, of_column), dim=-1)
    else:
        halves = [waves.unflatten(-1, (2, 1, -1)) for waves in (of_row, of_column)]
        table = torch.cat(halves, dim=-2).flatten(-3)  # (patches, sin or cos, axis, frequencies)
    return torch.cat((table.new_zeros(class_tokens, d_model), table))
