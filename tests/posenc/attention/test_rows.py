"""Attention by strips of rows gives what one attention over everything gives."""

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

import posenc.attention.rows as module
from posenc import CATALOGUE, ModelShape, attend, causal_mask, view
from posenc.attention.masks import (
    causal_pairs,
    document_pairs,
    documents_of,
    prefix_pairs,
    window_pairs,
)
from posenc.attention.measures import attended_distance, attention_entropy, attention_surplus
from posenc.attention.random_model import randomise
from posenc.attention.rows import AttentionRows, AttentionStage, survey

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


@pytest.mark.parametrize("name", ["rope", "alibi", "cope"])
def test_a_block_shows_the_mean_of_what_the_mask_allows(name, narrow):
    stage = AttentionStage(rows_of(name), "weights", 1, "attention")
    everything = stage.at(torch.arange(LENGTH), torch.arange(LENGTH))
    seen = view(stage, cells=(7, 5))
    assert seen.kind == "block mean"
    for r, (top, bottom) in enumerate(zip(seen.row_edges, seen.row_edges[1:], strict=False)):
        for c, (left, right) in enumerate(zip(seen.col_edges, seen.col_edges[1:], strict=False)):
            block = everything[top:bottom, left:right]
            expected = block[~block.isnan()].mean().float()
            torch.testing.assert_close(seen.values[r, c], expected, equal_nan=True)


def test_a_survey_agrees_with_the_whole_attention(narrow):
    rows, told = rows_of("rope"), []
    found = survey(rows, "logits", cells=6, progress=told.append)
    whole = attend(rows.q, rows.k, rows.v, rows.encoding, mask="causal", trace=True)
    index = torch.arange(LENGTH)
    torch.testing.assert_close(found.entropy, attention_entropy(whole.weights[0]))
    torch.testing.assert_close(found.distance, attended_distance(whole.weights, index, index)[0])
    for head in range(HEADS):
        alone = AttentionStage(rows, "logits", head, "logit").mean(found.edges, found.edges)
        torch.testing.assert_close(found.views[head], alone, equal_nan=True)
    assert told == sorted(told)
    assert told[-1] == 1


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


@pytest.mark.parametrize("name", [n for n, e in CATALOGUE.items() if e.shift_invariant])
def test_a_common_shift_changes_nothing_where_the_catalogue_says_so(name):
    here, there = rows_of(name), rows_of(name, positions=torch.arange(LENGTH) + 17)
    every = torch.arange(LENGTH)
    torch.testing.assert_close(
        there.stage("weights", every), here.stage("weights", every), rtol=1e-9, atol=1e-9,
        equal_nan=True,
    )  # fmt: skip


@settings(max_examples=60, deadline=None)
@given(st.integers(1, 30), st.integers(1, 40), st.integers(0, 40), st.data())
def test_masks_are_what_their_sentence_says(length, window, prefix, data):
    index = torch.arange(length)
    breaks = torch.tensor(data.draw(st.lists(st.booleans(), min_size=length, max_size=length)))
    documents = documents_of(breaks)
    found = {
        "causal": causal_pairs(index, index),
        "window": window_pairs(index, index, window),
        "prefix": prefix_pairs(index, index, prefix),
        "document": document_pairs(index, index, documents),
    }
    for i in range(length):
        for j in range(length):
            assert found["causal"][i, j] == (j <= i)
            assert found["window"][i, j] == (abs(i - j) < window)
            assert found["prefix"][i, j] == (j <= i or j < prefix)
            between = breaks[min(i, j) : max(i, j)].any()
            assert found["document"][i, j] == (not between)
    part = torch.arange(length // 2, length)
    assert torch.equal(window_pairs(part, index, window), found["window"][length // 2 :])
