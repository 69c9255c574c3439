"""The steps to one point of a curve end in the number drawn, and count what was counted."""

import math

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from lab.results.job_curves import JobResults
from lab.results.steps import recall_steps, steps_over_seeds
from lab.results.uncertainty import share
from lab.spec import counting_spec, recall_spec, text_spec
from lab.training.loop import Trainer, batch_at
from lab.training.steps import accuracy_steps, asked_in_update, loss_steps

L = 128


def values(steps):
    return [step.value for step in steps]


@given(asked=st.integers(1, 5000), part=st.floats(0, 1))
def test_the_band_of_a_share_is_the_formula_that_is_written(asked, part):
    right = round(part * asked)
    r, a, p, sigma, y = values(recall_steps(right, asked))
    assert (r, a, y) == (right, asked, 100 * right / asked)
    assert p == (r + 1) / (a + 2)
    assert sigma == pytest.approx(100 * math.sqrt(p * (1 - p) / (a + 2)), abs=1e-10)
    assert (y, sigma) == share(right, asked)


def test_a_distance_that_was_not_asked_has_no_share():
    (step,) = recall_steps(0, 0)
    assert math.isnan(step.value)
    assert "not" in step.formula


def recall_rows(*cells):
    row = {"table": "recall", "method": "none", "length": 2 * L}
    return [{**row, "distance": d, "asked": a, "right": r} for d, a, r in cells]


RECALL = recall_rows((64, 96, 90), (128, 95, 91), (130, 94, 20), (480, 93, 9))
TEXT = {"table": "text", "method": "none", "length": 2 * L, "measure": "tail"}
BITS = [
    *({**TEXT, "bits": bits} for bits in (2.5, 3.0, 2.25)),
    {**TEXT, "measure": "mean", "bits": 9.0},
]
COUNTED = [{"table": "counting", "mix": "none", "length": L, "asked": 2048, "wrong": 33}]
CASES = {
    "near": (recall_spec, RECALL, [181, 191, 100 * 181 / 191]),
    "far": (recall_spec, RECALL, [29, 187, 100 * 29 / 187]),
    "wrong": (counting_spec, COUNTED, [33, 2048, 100 * 33 / 2048]),
    "bits": (text_spec, BITS, [3, (2.5 + 3.0 + 2.25) / 3]),
}


@pytest.mark.parametrize("metric", CASES)
def test_rows_are_summed_to_the_value_drawn(metric):
    make, rows, expected = CASES[metric]
    found = JobResults(make("alibi"), rows)
    assert found.curves(metric) == {"none": {2.0: expected[-1]}}
    assert values(found.steps(metric, "none", 2.0)) == expected


def test_where_nothing_counts_there_is_no_value():
    assert JobResults(recall_spec("alibi"), RECALL[:2]).curves("far") == {}
    assert JobResults(recall_spec("alibi"), []).curves("far") == {}


def test_tuned_rows_are_not_taken_for_the_model_as_trained():
    rows = [*RECALL[:1], {**RECALL[0], "right": 10, "tuned": 4}]
    assert JobResults(recall_spec("rope"), rows).curves("near") == {"none": {2.0: 93.75}}


def test_seeds_have_a_line_each_and_one_seed_all_of_its_steps():
    found = JobResults(recall_spec("alibi"), RECALL)
    steps = [found.steps(metric, "none", 2.0) for metric in ("near", "far")]
    assert steps_over_seeds([(4, steps[0])]) == steps[0]
    first, second, mean = steps_over_seeds([(4, steps[0]), (7, steps[1])])
    assert (first.symbol, first.value) == ("y_{4}", steps[0][-1].value)
    assert second.value == steps[1][-1].value
    assert mean.value == (first.value + second.value) / 2
    assert "181/191" in first.latex


@pytest.mark.parametrize("make", [recall_spec, text_spec, counting_spec])
@pytest.mark.parametrize("step", [1, 450, 500])
def test_the_tokens_asked_are_those_of_the_steps_own_batch(make, step):
    spec = make("alibi", 3).changed(updates=500)
    assert asked_in_update(spec, step) == int((batch_at(spec, step - 1).weights > 0).sum())


def test_a_batch_that_is_too_large_to_draw_again_is_not():
    spec = recall_spec("alibi").changed(train_length=4096, tokens_per_update=1 << 20)
    assert asked_in_update(spec, 1) is None
    assert values(loss_steps(0.5, None))[1:] == [math.exp(-0.5), 0.5]
    assert values(accuracy_steps(0.25, None)) == [25.0]


def test_a_training_step_is_followed_to_its_right_answers():
    trainer = Trainer(recall_spec("rope").changed(updates=40))
    batch, asked = batch_at(trainer.spec, 0), asked_in_update(trainer.spec, 1)
    with torch.no_grad():
        logits = trainer.model.lm_head(trainer.model.hidden(batch.inputs, batch.positions))
    there = batch.weights > 0
    chances = logits[there].double().softmax(-1)
    given = chances.gather(1, batch.targets[there][:, None])
    told = trainer.advance()
    count, geometric, loss = values(loss_steps(told["loss"], asked))
    assert count == asked == len(given)
    assert geometric == pytest.approx(given.log().mean().exp().item(), rel=1e-5)
    assert loss == told["loss"]
    count, right, per_cent = values(accuracy_steps(told["accuracy"], asked))
    assert count == asked
    assert right == int((logits[there].argmax(-1) == batch.targets[there]).sum())
    assert per_cent == 100.0 * told["accuracy"]


def test_a_share_of_another_batch_is_not_given_a_count():
    (step,) = accuracy_steps(0.5, 1001)
    assert step.value == 50.0
