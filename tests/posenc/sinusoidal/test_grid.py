"""Tables of patches against MAE's own code and timm's formula, and their laws."""

import math

import numpy
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from transformers.models.vit_mae.modeling_vit_mae import build_2d_sinusoidal_position_embedding

from posenc import sincos_grid, sinusoidal_table

SIDES = st.integers(1, 6)
WIDTHS = st.integers(1, 8).map(lambda quarter: 4 * quarter)


@given(SIDES, SIDES, WIDTHS, st.booleans())
def test_transformers(height, width, d_model, class_token):
    want = build_2d_sinusoidal_position_embedding(
        height, width, d_model, cls_token=class_token, dtype=torch.float64
    )
    got = sincos_grid(height, width, d_model, layout="transformers", class_tokens=int(class_token))
    torch.testing.assert_close(got, want, atol=1e-12, rtol=0)


@given(SIDES, SIDES, WIDTHS)
def test_mae(height, width, d_model):
    """get_2d_sincos_pos_embed, written out: columns come first out of its `meshgrid(w, h)`."""
    grid = numpy.stack(numpy.meshgrid(numpy.arange(width), numpy.arange(height)))
    omega = 10000.0 ** -(numpy.arange(d_model // 4) / (d_model / 4))
    waves = []
    for axis in grid:
        angles = numpy.outer(axis.ravel(), omega)
        waves += [numpy.sin(angles), numpy.cos(angles)]
    want = torch.as_tensor(numpy.concatenate(waves, axis=1))
    torch.testing.assert_close(sincos_grid(height, width, d_model), want, atol=1e-12, rtol=0)


@given(SIDES, SIDES, WIDTHS)
def test_timm(height, width, d_model):
    """build_sincos2d_pos_embed, written out: sin h, sin w, cos h, cos w of each frequency."""
    bands = [10000 ** (-i / (d_model // 4)) for i in range(d_model // 4)]
    want = [
        [wave(at * band) for wave in (math.sin, math.cos) for at in (h, w) for band in bands]
        for h in range(height)
        for w in range(width)
    ]
    got = sincos_grid(height, width, d_model, layout="timm")
    torch.testing.assert_close(got, torch.tensor(want, dtype=torch.float64), atol=1e-12, rtol=0)


@given(SIDES, SIDES, WIDTHS, st.sampled_from(["mae", "transformers", "timm"]))
def test_products_depend_on_the_offset_alone(height, width, d_model, layout):
    table = sincos_grid(height, width, d_model, layout=layout).reshape(height, width, d_model)
    gram = torch.einsum("hwd,ijd->hwij", table, table)
    if height > 1 and width > 1:
        torch.testing.assert_close(gram[:-1, :-1, :-1, :-1], gram[1:, 1:, 1:, 1:])
    torch.testing.assert_close(gram[0, 0, 0, 0], torch.tensor(d_model / 2, dtype=torch.float64))


def test_one_row_is_the_plain_table_beside_that_of_row_0():
    table = sincos_grid(1, 5, 16)
    torch.testing.assert_close(table[:, :8], sinusoidal_table(5, 8, layout="concatenated"))
    assert table[:, 8:].tolist() == [[0.0] * 4 + [1.0] * 4] * 5


@pytest.mark.parametrize("d_model", [0, 6, 7, 10])
def test_a_width_without_quarters_is_refused(d_model):
    with pytest.raises(ValueError, match="d_model must be"):
        sincos_grid(2, 2, d_model)
