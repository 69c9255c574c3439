import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from posenc import CATALOGUE, view
from posenc.attention.picture import AttentionStage
from tests.posenc.attention.strips import LENGTH, STAGES, rows_of


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
        torch.tensor(stage.steps(row, col)[-1].value, dtype=torch.float64),
        value,
        rtol=0,
        atol=0,
        equal_nan=True,
    )
