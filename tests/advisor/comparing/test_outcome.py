"""Effects of the methods on a task, in numbers."""

import math

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from advisor.comparing.outcome import Outcome, compare
from advisor.comparing.steps import CoverageSteps
from advisor.comparing.task import Task
from posenc import rope_inv_freq
from posenc.scaling import NTK, Linear, LongRoPE, Proportional, YaRN
from posenc.scaling.longrope import longrope_attention_factor
from posenc.scaling.methods import METHODS
from posenc.scaling.yarn import yarn_mscale
from posenc.study import DualChunk, LeakyReRoPE, SelfExtend, angle_coverage
from tests.kinds import known
from tests.posenc.latex import evaluate

ALL = list(METHODS)


def layer_of(name: str, kind: str = "all"):
    return known(name).rotary[kind]


def one(name: str, task: Task) -> Outcome:
    return compare([name], task)[0][0]


def test_the_smallest_factor_and_the_pairs_past_training() -> None:
    task = Task.of(layer_of("Llama-2-7B"), 65536)
    assert task.factor == 16
    plain, linear, ntk = (one(name, task) for name in ("none", "linear", "ntk"))
    assert int(plain.coverage.is_new.sum()) == 18
    assert int(linear.coverage.is_new.sum()) == 0
    assert linear.smallest == pytest.approx(65535 / 4096, rel=1e-5)
    assert int(ntk.coverage.is_new.sum()) == 17
    assert ntk.smallest == pytest.approx(44.5, abs=0.1)
    covered = one("ntk", Task.of(layer_of("Llama-2-7B"), 65536, factor=44.6))
    assert not covered.coverage.is_new.any()
    below = one("ntk", Task.of(layer_of("Llama-2-7B"), 65536, factor=44.4))
    assert below.coverage.is_new.any()


def test_what_training_has_shown_is_the_readers_choice() -> None:
    layer = layer_of("Llama-3.1-8B")
    before, after = (Task.of(layer, 131072, shown) for shown in (False, True))
    assert (before.shown, after.shown) == (8192, 131072)
    assert int(one("declared", before).coverage.is_new.sum()) == 29
    declared = one("declared", after)
    assert int(declared.coverage.is_new.sum()) == 0
    assert declared.short_cost == 0
    assert one("none", after).short_cost > 0.5
    assert Task.of(layer_of("Llama-2-7B"), 8192, True).shown == 4096  # nothing to be trained with


def test_short_prompts_pay_for_static_methods_alone() -> None:
    task = Task.of(layer_of("Llama-2-7B"), 32768)
    costs = {method.method.id: method.short_cost for method in compare(ALL, task)[0]}
    assert {name for name, cost in costs.items() if cost == 0} == {
        "declared",
        "none",
        "dynamic_ntk",
    }
    yarn = one("yarn", task)
    assert yarn.turned_cost == pytest.approx(one("ntk_by_parts", task).turned_cost, rel=0.05)
    assert yarn.short_cost > yarn.turned_cost


def test_phi_3_switches_between_its_lists() -> None:
    layer = layer_of("Phi-3-mini-128k")
    assert isinstance(layer.scaling, LongRoPE)
    task = Task.of(layer, 131072, True)
    declared, short, long = (
        one(name, task) for name in ("declared", "longrope_short", "longrope_long")
    )
    assert declared.short_cost == short.short_cost == 0
    assert long.short_cost > 0.1
    assert torch.equal(declared.reading.inv_freq, long.reading.inv_freq)
    ratio = long.reading.inv_freq / short.reading.inv_freq
    lists = [torch.tensor(v) for v in (layer.scaling.short_factor, layer.scaling.long_factor)]
    torch.testing.assert_close(ratio, (lists[0] / lists[1]).double())
    assert long.reading.attention_factor == longrope_attention_factor(32.0, 4096)


def test_deepseek_keeps_its_factors_when_yarn_is_made_anew() -> None:
    task = Task.of(layer_of("DeepSeek-V3"), 32768)
    method = one("yarn", task)
    assert isinstance(method.rule.scaling, YaRN)
    assert method.rule.scaling.factor == 8
    assert method.reading.softmax_multiplier == pytest.approx(yarn_mscale(8.0) ** 2)
    assert method.reading.attention_factor == 1
    assert one("yarn_paper", task).reading.gain == pytest.approx(yarn_mscale(8.0) ** 2)


def test_remappings_are_set_up_to_cover_the_target() -> None:
    task = Task.of(layer_of("Llama-2-7B"), 65536, window=1000)
    for name, kind in (("self_extend", SelfExtend), ("leaky_rerope", LeakyReRoPE)):
        method = one(name, task)
        assert isinstance(method.rule.remapping, kind)
        assert method.rule.remapping.window == 1000
        assert not method.coverage.is_new.any()
    group = one("self_extend", task).rule.remapping
    assert group.max_length(4096) >= 65536
    assert SelfExtend(1000, group.group_size - 1).max_length(4096) < 65536
    assert one("dual_chunk", task).rule.remapping == DualChunk(3072, 512)


def test_dual_chunk_of_the_file_is_taken() -> None:
    config = known("Qwen2.5-7B-Instruct-1M")
    task = Task.of(config.rotary["all"], 10**6, False, config.dual_chunk)
    assert one("dual_chunk", task).rule.remapping == config.dual_chunk


def test_pairs_at_rest_are_the_models_and_not_an_extensions() -> None:
    task = Task.of(layer_of("Gemma-4", "full_attention"), 10**6)
    plain = one("none", task)
    assert isinstance(plain.rule.scaling, Proportional)
    assert int((plain.reading.inv_freq == 0).sum()) == 192
    assert one("yarn", task).changed.woken == 192


def test_a_method_that_does_not_fit_leaves_the_others() -> None:
    layer = layer_of("Llama-2-7B")
    outcomes, refused = compare(["none", "longrope_long"], Task.of(layer, 8192))
    assert [one.method.id for one in outcomes] == ["none"]
    assert "short_factor and long_factor" in refused["longrope_long"]
    with pytest.raises(ValueError, match="No chosen method fits this model"):
        compare(["longrope_long"], Task.of(layer, 8192))


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"target": 7}, "target length must be at least 8 tokens, got 7"),
        ({"trained": 3}, "trained length must be at least 8 tokens, got 3"),
        ({"window": 4096}, "below the trained length 4,096, got 4,096"),
        ({"factor": 0.5}, "Factor k must be at least 1"),
    ],
)
def test_lengths_that_leave_nothing_are_refused(given: dict, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        Task.of(layer_of("Llama-2-7B"), **{"target": 8192, **given})


PAIRS = 32
scalings = st.sampled_from([None, Linear(4.0), Linear(3.3), NTK(8.0), Proportional(0.5)])


@given(scalings, st.integers(2, 100_000), st.integers(2, 1_000_000), st.integers(0, PAIRS - 1))
def test_every_curve_over_the_pairs_is_followed(scaling, trained, target, pair):
    theta, scaled = (rope_inv_freq(2 * PAIRS, 1e4, one)[0] for one in (None, scaling))
    coverage = angle_coverage(theta, trained, target, scaled)
    circle = 2 * math.pi
    followed = CoverageSteps(coverage, theta, scaled, (trained, target), pair)
    drawn = [
        (followed.seen_turns(), coverage.seen / circle),
        (followed.reached_turns(), coverage.reached / circle),
        (followed.unseen_percent(), 100 * (coverage.unseen / circle)),
        (followed.past(), coverage.excess.where(coverage.is_new, torch.ones(()).double())),
    ]
    for steps, curve in drawn:
        assert steps[-1].value == curve[pair].item()
        for step in steps:
            if step.substituted:
                # θ is rounded to 6 digits, and a million of it stands here
                assert evaluate(step.substituted) == pytest.approx(step.value, rel=1e-4, abs=1e-3)
