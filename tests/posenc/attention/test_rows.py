"""Attention by strips of rows gives what one attention over everything gives."""

from dataclasses import replace

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from posenc import NoPE, RoPE, attend, causal_mask
from posenc.attention.masks import (
    causal_pairs,
)
from posenc.attention.measures import attention_surplus
from posenc.attention.picture import AttentionStage
from posenc.attention.rows import AttentionRows
from posenc.catalogue import CATALOGUE
from posenc.quantity.view import view
from tests.posenc.attention.strips import HEADS, LENGTH, STAGES, rows_of


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


@pytest.mark.parametrize("name", CATALOGUE)
@pytest.mark.parametrize("pairs", [causal_pairs, None])
def test_the_weights_alone_are_those_of_the_trace(name, pairs):
    rows = rows_of(name, pairs)
    own = rows.encoding.scale
    rows = replace(rows, scale=0.6 if own is None else own, softcap=2.0)
    some = torch.tensor([3, 30, 7])
    expected = rows.trace(some).weights[0]
    torch.testing.assert_close(rows.weights(some), expected, rtol=1e-12, atol=1e-12)
    torch.testing.assert_close(rows.weights(some, 1), expected[1:2], rtol=1e-12, atol=1e-12)


def test_a_scale_and_a_bound_of_the_scores(narrow):
    rows = replace(rows_of("rope"), scale=0.7, softcap=1.5)
    everything = torch.arange(LENGTH)
    trace = rows.trace(everything)
    q, k = rows.encoding.rotate(rows.q, rows.k, everything, everything)
    expected = 1.5 * torch.tanh(0.7 * q @ k.mT / 1.5)
    torch.testing.assert_close(trace.scaled, expected, rtol=1e-12, atol=1e-12)
    plain = 1.5 * torch.tanh(0.7 * rows.q @ rows.k.mT / 1.5)
    torch.testing.assert_close(trace.content, plain, rtol=1e-12, atol=1e-12)
    hidden = ~causal_mask(LENGTH, LENGTH)
    weights = expected.masked_fill(hidden, -torch.inf).softmax(-1)
    torch.testing.assert_close(rows.output(), weights @ rows.v, rtol=1e-10, atol=1e-10)
    again = replace(rows, content=(rows.q, rows.k))
    for stage in ("content", "position"):
        one, other = (one.stage(stage, everything) for one in (rows, again))
        torch.testing.assert_close(one, other, rtol=1e-12, atol=1e-12, equal_nan=True)


@pytest.mark.parametrize(
    ("scale", "softcap", "numbers"),
    [
        (None, None, r"\sqrt{8}"),
        (0.25, None, r"\cdot 0.25"),
        (None, 2.0, r"2 \tanh\frac{"),
        (0.25, 2.0, r"\cdot 0.25}{2}"),
    ],
)
def test_the_steps_name_scale_and_bound(scale, softcap, numbers):
    rows = replace(rows_of("rope"), scale=scale, softcap=softcap)
    steps = AttentionStage(rows, "scaled", 1, "scaled").steps(30, 4)
    assert numbers in steps[-1].substituted
    assert steps[-1].value == rows.trace(torch.tensor([30])).scaled[0, 1, 0, 4]


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


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_position_adds_nothing_at_zero_or_without_encoding(
    dtype: torch.dtype,
) -> None:
    """A rotation by the same angle leaves a score as it was, but for rounding."""
    generator = torch.Generator().manual_seed(3)
    q, k = torch.randn(2, 1, 2, 12, 16, generator=generator, dtype=dtype)
    every = torch.arange(12)
    turned = AttentionRows(q, k, k, RoPE(16)).stage("position", every)
    assert (turned.diagonal(dim1=-2, dim2=-1) == 0).all()
    lower = torch.tril(torch.ones(12, 12), -1).bool()
    assert (turned[:, lower] != 0).all(), "what position does add is kept"
    plain = AttentionRows(q, k, k, NoPE()).stage("position", every)
    assert (plain.nan_to_num() == 0).all()
