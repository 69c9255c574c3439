"""The Scaling studio's methods, sentences and pictures, without a screen."""

import math
from typing import Any

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from pages.config.comparison import Studio, Vectors, code
from pages.config.methods import METHODS, Method, compare
from pages.config.pairs import angles, wavelengths
from pages.config.prices import ledger, short_prompts
from pages.config.scores import resolution, scores
from pages.config.verdict import row, verdict
from posenc import (
    DualChunk,
    LeakyReRoPE,
    LongRoPE,
    Proportional,
    RopeConfig,
    SelfExtend,
    YaRN,
    known_models,
)
from posenc.scaling.longrope import longrope_attention_factor
from posenc.scaling.yarn import yarn_mscale
from tests.posenc.config.reader.test_hostile import CONFIGS, EXTREME, MODEL_TYPES, SCALARS, TYPED
from ui.controls.model_config import OWN, Model, decoded
from ui.controls.task import Task

ALL = list(METHODS)
VIEWS = (wavelengths, angles, resolution, scores, short_prompts, ledger)
ALIKE = Vectors("alike", 0, (1.0,), (1.0,))


def layer_of(name: str, kind: str = "all"):
    return RopeConfig.from_hf(known_models()[name].config).rotary[kind]


def one(name: str, task: Task) -> Method:
    return compare([name], task)[0][0]


def test_the_smallest_factor_and_the_pairs_past_training() -> None:
    task = Task.of(layer_of("Llama-2-7B"), 65536)
    assert task.factor == 16
    plain, linear, ntk = (one(name, task) for name in ("none", "linear", "NTK-aware"))
    assert int(plain.coverage.is_new.sum()) == 18
    assert int(linear.coverage.is_new.sum()) == 0
    assert linear.smallest == pytest.approx(65535 / 4096, rel=1e-5)
    assert int(ntk.coverage.is_new.sum()) == 17
    assert "k = 44.6 is the smallest" in verdict(ntk, task)
    covered = one("NTK-aware", Task.of(layer_of("Llama-2-7B"), 65536, factor=44.6))
    assert not covered.coverage.is_new.any()
    below = one("NTK-aware", Task.of(layer_of("Llama-2-7B"), 65536, factor=44.4))
    assert below.coverage.is_new.any()


def test_what_training_has_shown_is_the_readers_choice() -> None:
    layer = layer_of("Llama-3.1-8B")
    before, after = (Task.of(layer, 131072, shown) for shown in (False, True))
    assert (before.shown, after.shown) == (8192, 131072)
    assert int(one("as declared", before).coverage.is_new.sum()) == 29
    declared = one("as declared", after)
    assert int(declared.coverage.is_new.sum()) == 0
    assert declared.short_cost == 0
    assert one("none", after).short_cost > 0.5
    assert Task.of(layer_of("Llama-2-7B"), 8192, True).shown == 4096  # nothing to be trained with


def test_short_prompts_pay_for_static_methods_alone() -> None:
    task = Task.of(layer_of("Llama-2-7B"), 32768)
    costs = {method.name: method.short_cost for method in compare(ALL, task)[0]}
    assert {name for name, cost in costs.items() if cost == 0} == {
        "as declared", "none", "dynamic NTK",
    }  # fmt: skip
    yarn = one("YaRN", task)
    assert yarn.turned_cost == pytest.approx(one("NTK-by-parts", task).turned_cost, rel=0.05)
    assert yarn.short_cost > yarn.turned_cost


def test_phi_3_switches_between_its_lists() -> None:
    layer = layer_of("Phi-3-mini-128k")
    assert isinstance(layer.scaling, LongRoPE)
    task = Task.of(layer, 131072, True)
    declared, short, long = (
        one(name, task) for name in ("as declared", "LongRoPE short list", "LongRoPE long list")
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
    method = one("YaRN", task)
    assert isinstance(method.rule.scaling, YaRN)
    assert method.rule.scaling.factor == 8
    assert method.reading.softmax_multiplier == pytest.approx(yarn_mscale(8.0) ** 2)
    assert method.reading.attention_factor == 1
    assert one("YaRN (paper)", task).reading.gain == pytest.approx(yarn_mscale(8.0) ** 2)


def test_remappings_are_set_up_to_cover_the_target() -> None:
    task = Task.of(layer_of("Llama-2-7B"), 65536, window=1000)
    for name, kind in (("Self-Extend", SelfExtend), ("Leaky ReRoPE", LeakyReRoPE)):
        method = one(name, task)
        assert isinstance(method.rule.remapping, kind)
        assert method.rule.remapping.window == 1000
        assert not method.coverage.is_new.any()
    group = one("Self-Extend", task).rule.remapping
    assert group.max_length(4096) >= 65536
    assert SelfExtend(1000, group.group_size - 1).max_length(4096) < 65536
    assert one("Dual Chunk", task).rule.remapping == DualChunk(3072, 512)


def test_dual_chunk_of_the_file_is_taken() -> None:
    config = RopeConfig.from_hf(known_models()["Qwen2.5-7B-Instruct-1M"].config)
    task = Task.of(config.rotary["all"], 10**6, False, config.dual_chunk)
    assert one("Dual Chunk", task).rule.remapping == config.dual_chunk


def test_pairs_at_rest_belong_to_the_model_and_not_to_an_extension() -> None:
    task = Task.of(layer_of("Gemma-4", "full_attention"), 10**6)
    plain = one("none", task)
    assert isinstance(plain.rule.scaling, Proportional)
    assert int((plain.reading.inv_freq == 0).sum()) == 192
    assert "turns 192 pairs that the model was trained with at rest" in verdict(
        one("YaRN", task), task
    )
    assert row(plain, task)["slowest pair ÷"] == "at rest"


def test_a_method_that_does_not_fit_leaves_the_others() -> None:
    layer = layer_of("Llama-2-7B")
    methods, refused = compare(["none", "LongRoPE long list"], Task.of(layer, 8192))
    assert [method.name for method in methods] == ["none"]
    assert "short_factor and long_factor" in refused["LongRoPE long list"]
    with pytest.raises(ValueError, match="No chosen method fits this model"):
        compare(["LongRoPE long list"], Task.of(layer, 8192))


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


def test_an_uploaded_file_must_be_text() -> None:
    assert decoded(b"\xef\xbb\xbf{}") == "{}"
    with pytest.raises(ValueError, match="UTF-8 text, got byte 0xff at place 1"):
        decoded(b"{\xff")
    with pytest.raises(ValueError, match="at most 1,048,576 bytes, got 1,048,577"):
        decoded(b"x" * (2**20 + 1))


# Whatever a file says: sentences and pictures of finite numbers, or a sentence


def check_finite(figure: Any) -> None:
    """Finite numbers, or a gap, in every trace and every line drawn across."""
    for trace in figure.data:
        for axis in (trace.x, trace.y):
            if axis is not None:
                assert not np.isinf(np.asarray(axis, dtype=np.float64)).any()
        assert np.isfinite(np.asarray(trace.x, dtype=np.float64)).all()
    for shape in figure.layout.shapes:
        ends = [shape.x0, shape.x1, shape.y0, shape.y1]
        assert all(math.isfinite(end) for end in ends if end is not None)


def check_everything(config: RopeConfig, target: int, as_in_file: bool, vectors: Vectors) -> None:
    """Findings, verdicts, table and every picture of each kind of layer."""
    assert all(len(finding.message) < 500 for finding in config.findings)
    model = Model(OWN, "Your file.", config)
    for kind, layer in config.rotary.items():
        try:
            task = Task.of(layer, target, as_in_file, config.dual_chunk)
            methods, refused = compare(ALL, task)
        except ValueError as error:
            assert len(str(error)) < 4000  # noqa: PT017 - most files get further
            continue
        assert all(len(why) < 400 for why in refused.values())
        words = " ".join(verdict(method, task) for method in methods)
        words += " ".join(" ".join(row(method, task).values()) for method in methods)
        assert not {"nan", "inf"} & set(words.replace("(", " ").replace(".", " ").split())
        studio = Studio(model, kind, task, methods, vectors)
        for view in VIEWS:
            drawn = view(studio)
            for one_chart in drawn.charts:
                check_finite(one_chart.figure)
            compile(code(studio, drawn), view.__name__, "exec")


TARGETS = st.integers(-2, 100) | st.integers(2, 10**12) | st.sampled_from([2**31, 2**53, 10**12])
VECTORS = st.builds(
    Vectors,
    st.sampled_from(["alike", "independent", "typed"]),
    st.integers(0, 2**31 - 1),
    st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=4).map(tuple),
    st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=4).map(tuple),
)


@settings(max_examples=25, deadline=None)
@given(
    config=CONFIGS, scaling=TYPED | EXTREME, model_type=MODEL_TYPES | SCALARS, target=TARGETS,
    as_in_file=st.booleans(), vectors=VECTORS,
)  # fmt: skip
def test_any_file_gives_pictures_or_a_sentence(
    config: dict, scaling: dict, model_type: Any, target: int, as_in_file: bool, vectors: Vectors
) -> None:
    fields = {"head_dim": 64, "rope_scaling": scaling, "max_position_embeddings": 4096}
    for given_fields in (fields | config | {"model_type": model_type}, fields):
        try:
            read = RopeConfig.from_hf(given_fields)
        except ValueError as refused:
            assert len(str(refused)) < 400  # noqa: PT017 - it may also be read
            continue
        check_everything(read, target, as_in_file, vectors)


@settings(max_examples=10, deadline=None)
@given(
    parameters=EXTREME, max_length=st.integers(1, 10**12), head_dim=st.sampled_from([2, 4, 64]),
    target=TARGETS, as_in_file=st.booleans(),
)  # fmt: skip
def test_extreme_but_allowed_numbers_give_finite_pictures(
    parameters: dict, max_length: int, head_dim: int, target: int, as_in_file: bool
) -> None:
    lists = {name: parameters[name][: head_dim // 2] for name in ("short_factor", "long_factor")}
    fields = {"head_dim": head_dim, "max_position_embeddings": max_length}
    fields["rope_parameters"] = {**parameters, **lists}
    try:
        config = RopeConfig.from_hf(fields)
    except ValueError as refused:
        assert len(str(refused)) < 400  # noqa: PT017 - it may also be read
        return
    check_everything(config, target, as_in_file, ALIKE)
