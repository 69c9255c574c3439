"""Attention by strips of rows gives what one attention over everything gives."""

import pytest
import torch

import posenc.attention.rows as module
from posenc import CATALOGUE, ModelShape, attend, causal_mask
from posenc.attention.masks import (
    causal_pairs,
)
from posenc.attention.measures import attention_surplus
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


@pytest.mark.parametrize("name", CATALOGUE)
def test_every_stage_is_that_of_the_whole_attention(name, narrow):
    rows = rows_of(name)
    assert rows.strip == 5
    whole = attend(rows.q, rows.k, rows.v, rows.encoding, mask="causal", trace=True)
    hidden = ~causal_mask(LENGTH, LENGTH)
    everything = torch.arange(LENGTH)
    expected = {
        "position": whole.scaled[0] + whole.bias[0] - whole.content[0],
        "surplus": attention_surplus(whole.logits[0]),
    }
    for stage in STAGES:
        values = expected.get(stage, getattr(whole, stage, [None])[0])
        if stage not in ("content", "dot", "scaled"):
            values = values.masked_fill(hidden, torch.nan)
        for head in range(HEADS):
            seen = AttentionStage(rows, stage, head, stage).at(everything, everything)
            torch.testing.assert_close(seen, values[head], rtol=1e-11, atol=1e-11, equal_nan=True)
    with torch.no_grad():
        out = attend(rows.q, rows.k, rows.v, rows.encoding, mask="causal")
    torch.testing.assert_close(
        rows.output() + whole.mixed, out + whole.mixed, rtol=1e-10, atol=1e-10
    )


@pytest.mark.parametrize("name", [n for n, e in CATALOGUE.items() if e.shift_invariant])
def test_a_common_shift_changes_nothing_where_the_catalogue_says_so(name):
    here, there = rows_of(name), rows_of(name, positions=torch.arange(LENGTH) + 17)
    every = torch.arange(LENGTH)
    torch.testing.assert_close(
        there.stage("weights", every), here.stage("weights", every), rtol=1e-9, atol=1e-9,
        equal_nan=True,
    )  # fmt: skip
