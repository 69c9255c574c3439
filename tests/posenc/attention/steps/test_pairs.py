"""Entries of an attention followed: the trace's own values, and lines that are true."""

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from posenc import CoPE, Shaw, attend, cope_logits, cope_positions
from posenc.attention.measures import attention_surplus
from posenc.attention.steps.pairs import (
    CHAINS,
    after_place_two,
    attention_steps,
    output_steps,
)
from posenc.catalogue import CATALOGUE, ModelShape
from posenc.cope.steps import (
    cope_gate_steps,
    cope_position_steps,
    cope_score_steps,
    cope_whole_steps,
    counted_steps,
)
from posenc.quantity.matrix import Axis
from posenc.random_model import RandomProjections, randomise
from posenc.shaw.steps import shaw_key_steps
from tests.posenc.latex import check_lines

LENGTH, HEADS, HEAD_DIM = 9, 2, 4
cells = st.tuples(st.integers(0, LENGTH - 1), st.integers(0, LENGTH - 1), st.integers(0, HEADS - 1))
axis = Axis("token", LENGTH)


def traced(name, mask="causal"):
    model = RandomProjections(3, HEADS * HEAD_DIM, HEADS, HEAD_DIM)
    shape = ModelShape(HEADS * HEAD_DIM, HEADS, HEAD_DIM, LENGTH)
    encoding = randomise(CATALOGUE[name].build(shape), 3).double()
    with torch.no_grad():
        x = encoding.embed(model.embed(range(LENGTH)).double(), torch.arange(LENGTH))
        return attend(*model.project(x), encoding, mask=mask, trace=True)


def stages(trace):
    drawn = {name: getattr(trace, name) for name in CHAINS if hasattr(trace, name)}
    drawn["position"] = trace.scaled + trace.bias - trace.content
    drawn["surplus"] = attention_surplus(trace.logits)
    hidden = trace.masked == -torch.inf
    after = set(drawn) - {"content", "dot", "scaled"}
    return {n: v.masked_fill(hidden, torch.nan) if n in after else v for n, v in drawn.items()}


@pytest.mark.parametrize("name", CATALOGUE)
@given(cell=cells, mask=st.sampled_from(["causal", None]))
def test_every_stage_ends_in_the_traces_own_value(name, cell, mask):
    row, col, head = cell
    trace = traced(name, mask)
    for stage, values in stages(trace).items():
        steps = attention_steps(trace, stage, row, col, head)
        built = values[0, head, row, col].item()
        assert steps[-1].value == built or (built != built and steps[-1].value != steps[-1].value)
        check_lines(steps)


PRODUCTS = {
    "rope": r"R_i q_i \cdot R_j k_j",
    "xpos": r"R_i q_i \cdot R_j k_j",
    "transformer_xl": r"(q_i + u) \cdot k_j",
    "alibi": r"q_i \cdot k_j",
}


@pytest.mark.parametrize("name", PRODUCTS)
def test_a_product_is_written_with_what_place_two_has_made(name):
    trace = traced(name)
    shape = ModelShape(HEADS * HEAD_DIM, HEADS, HEAD_DIM, LENGTH)
    vectors = after_place_two(CATALOGUE[name].build(shape))
    steps = attention_steps(trace, "position", 7, 2, vectors=vectors)
    dot, scaled, _bias, content, _position = steps
    assert dot.symbol == PRODUCTS[name]
    assert scaled.formula == PRODUCTS[name] + r" / \sqrt d"
    assert content.formula.startswith(r"q_i \cdot k_j / \sqrt d")


@pytest.mark.parametrize("name", ["rope", "shaw"])  # Shaw adds to the output
@given(cell=st.tuples(st.integers(0, LENGTH - 1), st.integers(0, HEAD_DIM - 1)))
def test_an_output_is_the_weighted_values(name, cell):
    trace = traced(name)
    values = RandomProjections(3, HEADS * HEAD_DIM, HEADS, HEAD_DIM)
    *_, v = values.project(values.embed(range(LENGTH)).double())
    steps = output_steps(trace, v, *cell, head=1)
    assert steps[-1].value == trace.output[0, 1, *cell]
    expected = (trace.weights[0, 1, cell[0]] * v[0, 1, :, cell[1]]).sum().item()
    assert steps[0].value == pytest.approx(expected, rel=1e-12, abs=1e-15)
    check_lines(steps)


def test_a_weight_is_its_numerator_over_its_denominator():
    trace = traced("rope")
    *_, largest, power, total, weight = attention_steps(trace, "weights", 7, 2, 1)
    logits = trace.logits[0, 1, 7]
    assert largest.value == logits.max()
    assert power.value == pytest.approx((logits[2] - logits.max()).exp().item(), rel=1e-15)
    assert total.value == pytest.approx((logits - logits.max()).exp().sum().item(), rel=1e-15)
    assert weight.value == pytest.approx(power.value / total.value, rel=1e-14)


@given(cell=cells, cap=st.integers(2, 12), scales=st.booleans())
def test_cope_from_gates_to_the_score(cell, cap, scales):
    row, col, _ = cell
    trace = traced("nope")
    scores, query = trace.masked[0, 0], trace.q[0, 0]
    cope = randomise(CoPE(HEAD_DIM, cap, scale_sum=scales), 1).double().requires_grad_(False)
    positions = cope_positions(scores, cap)
    steps = cope_position_steps(scores[row], cap, row, col)
    if col > row:
        assert steps[-1].value != steps[-1].value
        return
    assert steps[-1].value == positions[row, col]
    assert steps[0].value == torch.sigmoid(scores)[row, col]
    after = cope_score_steps(
        cope, query[row], scores[row, col].item(), positions[row, col], row, col
    )
    logits = cope_logits(query[row, None], positions[None, row, : row + 1], cope.embedding)[0, col]
    assert after[-2].value == pytest.approx(logits.item(), rel=1e-12, abs=1e-14)
    factor = cope.scale if scales else 1
    assert after[-1].value == pytest.approx((scores[row, col] + logits * factor).item(), rel=1e-12)
    check_lines((*steps, *after))


@given(cell=cells, cap=st.integers(2, 12))
def test_cope_gates_plain_positions_and_whole_positions(cell, cap):
    row, col, _ = cell
    trace = traced("nope")
    scores, query = trace.masked[0, 0], trace.q[0, 0, row]
    (gate,), (plain,) = cope_gate_steps(scores[row], row, col), counted_steps(row, col)
    if col > row:
        assert gate.value != gate.value
        assert plain.value != plain.value
        return
    assert gate.value == torch.sigmoid(scores)[row, col]
    assert plain.value == row - col + 1
    cope = randomise(CoPE(HEAD_DIM, cap), 1).double().requires_grad_(False)
    place = col % cap
    logit = cope_logits(query[None], torch.tensor([[place]]).double(), cope.embedding)[0, 0].item()
    (whole,) = cope_whole_steps(cope, query, place, logit)
    assert whole.value == logit
    by_hand = sum((query * cope.embedding[:, place]).tolist())
    assert logit == pytest.approx(by_hand, rel=1e-9, abs=1e-12)
    check_lines([gate, plain, whole])


@given(cell=cells, reach=st.integers(1, 4))
def test_shaws_key_term(cell, reach):
    row, col, _ = cell
    model = RandomProjections(1, HEAD_DIM, 1, HEAD_DIM)
    shaw = randomise(Shaw(HEAD_DIM, reach), 1)
    with torch.no_grad():
        trace = attend(*model.project(model.embed(range(LENGTH))), shaw, trace=True)
    value = trace.bias[0, 0, row, col].item()
    steps = shaw_key_steps(shaw, trace.q[0, 0, row], row, col, value)
    assert steps[-2].value / HEAD_DIM**0.5 == pytest.approx(value, rel=1e-5, abs=1e-6)
    assert steps[-1].value == value
    check_lines(steps)
