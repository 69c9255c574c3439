"""xPos's score as a quantity."""

import torch
from torch.testing import assert_close

from posenc import rope_inv_freq, view
from posenc.rope.picture import RoPEScore
from posenc.xpos.formula import xpos_zeta
from posenc.xpos.picture import XPosScore
from tests.tensors import random


def test_a_score_over_a_hundred_million_positions_needs_no_more_than_a_picture():
    query, key = random(64), random(64, seed=1)
    inv_freq, zeta = rope_inv_freq(64)[0], xpos_zeta(64)
    quantity = XPosScore(query, key, inv_freq, zeta, 100_000_000)
    seen = view(quantity)
    assert seen.values.shape == (512, 512)
    future = seen.row_edges[:-1, None] < seen.col_edges[None, :-1]
    assert torch.equal(torch.isnan(seen.values), future)
    diagonal = seen.values.diagonal()[:-1]
    assert_close(diagonal, torch.full_like(diagonal, float(query @ key)), rtol=0, atol=1e-5)


def test_without_fading_it_is_rope():
    query, key = random(8), random(8, seed=1)
    inv_freq, at = rope_inv_freq(8)[0], torch.arange(20)
    faded = XPosScore(query, key, inv_freq, torch.ones(4).double(), 20).at(at, at).tril()
    plain = RoPEScore(query, key, inv_freq, 20).at(at, at).tril()
    assert_close(faded.nan_to_num(0.0), plain, rtol=0, atol=1e-12)
