import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

import posenc.attention.rows as module
from posenc import CATALOGUE, ModelShape, view
from posenc.attention.masks import (
    causal_pairs,
)
from posenc.attention.picture import AttentionStage
from posenc.attention.rows import AttentionRows
from posenc.random_model import randomise

LENGTH, HEADS, DIM = 37, 2, 8


STAGES = ("content", "position", "dot", "scaled", "masked", "bias", "logits", "weights", "surplus")


def rows_of(name, pairs=causal_pairs, positions=None):
    q, k, v = torch.randn(3, 1, HEADS, LENGTH, DIM, dtype=torch.float64,
                          generator=torch.Generator().manual_seed(0))  # fmt: skip
    encoding = CATALOGUE[name].build(ModelShape(HEADS * DIM, HEADS, DIM, LENGTH + 20))
    return AttentionRows(q, k, v, randomise(encoding, 0).double(), pairs, positions)


@pytest.fixture
def narrow(monkeypatch):
    """Strips of five rows."""
    monkeypatch.setattr(module, "STRIP_BYTES", 5 * module.COPIES * HEADS * LENGTH * 8)


@pytest.mark.parametrize("name", ["rope", "alibi", "cope"])
def test_a_block_shows_the_mean_of_what_the_mask_allows(name, narrow):
    stage = AttentionStage(rows_of(name), "weights", 1, "attention")
    everything = stage.at(torch.arange(LENGTH), torch.arange(LENGTH))
    seen = view(stage, cells=(7, 5))
    assert seen.kind == "block_mean"
    for r, (top, bottom) in enumerate(zip(seen.row_edges, seen.row_edges[1:], strict=False)):
        for c, (left, right) in enumerate(zip(seen.col_edges, seen.col_edges[1:], strict=False)):
            block = everything[top:bottom, left:right]
            expected = block[~block.isnan()].mean().float()
            torch.testing.assert_close(seen.values[r, c], expected, equal_nan=True)


@pytest.mark.parametrize("name", CATALOGUE)
@settings(max_examples=15, deadline=None)
@given(data=st.data())
def test_a_cell_is_followed_to_its_value(name, data):
    rows = rows_of(name)
    stage = AttentionStage(rows, data.draw(st.sampled_from(STAGES)), 1, "cell")
    row, col = data.draw(st.integers(0, LENGTH - 1)), data.draw(st.integers(0, LENGTH - 1))
    value = stage.at(torch.tensor([row]), torch.tensor([col]))[0, 0]
    torch.testing.assert_close(
        torch.tensor(stage.steps(row, col)[-1].value, dtype=torch.float64), value, rtol=0, atol=0,
        equal_nan=True,
    )  # fmt: skip
