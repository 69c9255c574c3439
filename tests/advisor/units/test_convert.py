"""One setting in five units, and the mistakes that people make with them."""

import json
import math
import shlex

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from advisor import RopeConfig
from advisor.engines.all import ENGINES
from advisor.units.convert import RopeUnits, alpha_for_length, convert_units, unfinished_pair
from advisor.units.findings import corrected, probably_meant, units_findings
from advisor.units.steps import needed_steps, slowed_steps
from posenc import rope_inv_freq
from posenc.scaling import Linear
from posenc.scaling.ntk import ntk_base
from posenc.study import angle_coverage
from tests.posenc.latex import evaluate

HEADS = st.integers(2, 96).map(lambda pairs: 2 * pairs)
BASES = st.floats(1e3, 1e7)
LENGTHS = st.integers(64, 65536)
STRETCHES = st.floats(1.0, 64.0)


def flags(words: str) -> dict[str, str]:
    arguments = shlex.split(words)
    return dict(zip(arguments[::2], arguments[1::2], strict=True))


def codes(*typed, target: int = 4096, **model) -> list[tuple[str, str]]:
    (unit, value), *rest = typed
    setting = convert_units(unit, value, also=rest[0] if rest else None, **model)
    return [(f.severity, f.code) for f in units_findings(setting, target, *typed)]


# The units


@pytest.mark.parametrize(
    ("unit", "value"), [("factor", 8.0), ("compress", 8.0), ("freq_scale", 0.125)]
)
def test_eight_in_the_three_units_of_a_factor(unit, value) -> None:
    setting = convert_units(unit, value)
    assert (setting.factor, setting.compress, setting.freq_scale) == (8, 8, 0.125)
    assert (setting.alpha, setting.base) == (1, 10000)
    torch.testing.assert_close(setting.inv_freq, rope_inv_freq(128, 1e4, Linear(8.0))[0])


@given(HEADS, BASES, LENGTHS, STRETCHES, STRETCHES)
def test_every_unit_gives_the_setting_back(head_dim, base, trained, alpha, factor) -> None:
    model = {"head_dim": head_dim, "trained_base": base, "trained_length": trained}
    setting = convert_units("alpha", alpha, also=("factor", factor), **model)
    for first, second in [("alpha", "compress"), ("base", "freq_scale"), ("base", "factor")]:
        values = [(unit, getattr(setting, unit)) for unit in (first, second)]
        again = convert_units(*values[0], also=values[1], **model)
        assert again.base == pytest.approx(setting.base, rel=1e-12)
        assert again.factor == pytest.approx(setting.factor, rel=1e-12)


@given(HEADS, BASES, STRETCHES, STRETCHES)
def test_pairs_are_slowed_by_the_factor_times_a_power_of_alpha(head_dim, base, alpha, factor):
    setting = convert_units(
        "alpha", alpha, also=("factor", factor), head_dim=head_dim, trained_base=base
    )
    powers = 2 * torch.arange(head_dim // 2, dtype=torch.float64) / (head_dim - 2)
    torch.testing.assert_close(setting.slowed, factor * alpha**powers, rtol=1e-9, atol=0)


@given(HEADS, BASES, LENGTHS, STRETCHES, STRETCHES)
def test_reach_is_where_new_angles_begin(head_dim, base, trained, alpha, factor) -> None:
    setting = convert_units(
        "alpha",
        alpha,
        also=("factor", factor),
        head_dim=head_dim,
        trained_base=base,
        trained_length=trained,
    )
    plain, _ = rope_inv_freq(head_dim, base)
    if setting.reach == math.inf:
        assert float(trained * plain[-1]) >= 2 * math.pi
        return
    for length, is_new in [(int(setting.reach), False), (math.ceil(setting.reach) + 2, True)]:
        coverage = angle_coverage(plain, trained, length, setting.inv_freq)
        assert bool((coverage.unseen > plain * (1 + 1e-9)).any()) == is_new


@given(HEADS, BASES, LENGTHS, st.floats(1, 8))
def test_the_alpha_for_a_length_just_reaches_it(head_dim, base, trained, stretch) -> None:
    target = round(trained * stretch)
    alpha = alpha_for_length(head_dim, base, trained, target)
    setting = convert_units(
        "alpha", alpha, head_dim=head_dim, trained_base=base, trained_length=trained
    )
    if unfinished_pair(head_dim, base, trained) is None:
        assert (alpha, setting.reach) == (1, math.inf)
    else:
        assert setting.reach == pytest.approx(target, rel=1e-9)


def test_twice_the_length_needs_more_than_alpha_two() -> None:
    assert alpha_for_length(128, 1e4, 4096, 8192) == pytest.approx(2 ** (126 / 92))
    assert convert_units("alpha", 2.5).reach == pytest.approx(4096 * 2.5 ** (92 / 126))
    needed = convert_units("alpha", 2.5).needed(8192)
    assert bool(needed[:46].isnan().all())
    assert float(needed[46]) == 2


def test_dynamic_factor_has_the_same_base_at_the_target() -> None:
    setting = convert_units("alpha", 3.0)
    factor = setting.dynamic_factor(8192)
    assert factor == 2.0
    assert ntk_base(128, 1e4, 2.0, alpha=factor) == pytest.approx(setting.base)
    assert setting.dynamic_factor(4096) is None


# The mistakes


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        (("freq_scale", 8.0), ("freq_scale", 0.125)),  # llama.cpp issue 2530
        (("factor", 0.125), ("factor", 8.0)),
        (("compress", 0.25), ("compress", 4.0)),
        (("alpha", 1000000.0), ("base", 1000000.0)),
        (("base", 2.6), ("alpha", 2.6)),
    ],
)
def test_a_number_the_wrong_way_round_is_an_error(typed, meant) -> None:
    assert probably_meant(*typed) == meant
    assert ("error", "wrong_way_round") in codes(typed)
    assert corrected(convert_units(*typed), typed) == convert_units(*meant)


@pytest.mark.parametrize(
    "typed", [("freq_scale", 1.0), ("factor", 1.0), ("alpha", 1.0), ("base", 10000.0)]
)
def test_a_setting_that_does_nothing_is_no_mistake(typed) -> None:
    assert codes(typed) == []
    assert corrected(convert_units(*typed), typed) is None


def test_the_sentence_gives_the_tokens_and_both_ways_to_write_it() -> None:
    setting = convert_units("freq_scale", 8.0)
    found = units_findings(setting, 4096, ("freq_scale", 8.0))[0]
    assert "8 times faster, so that 512 tokens use up the angles of all 4,096" in found.message
    assert found.remedy == "Write freq_scale 0.125, or factor 8."


def test_linear_and_ntk_at_once_multiply() -> None:
    both = (("alpha", 2.0), ("compress", 2.0))
    assert codes(*both) == [("error", "linear_and_ntk")]
    setting = convert_units(*both[0], also=both[1])
    assert (float(setting.slowed[0]), float(setting.slowed[-1])) == (2, pytest.approx(4))
    # SuperHOT models were trained with a factor; an alpha beside it may be meant.
    assert codes(("alpha", 1.5), ("compress", 4.0)) == [("warning", "linear_and_ntk")]


def test_a_lost_base_is_an_error_and_a_short_alpha_a_warning() -> None:
    assert codes(("base", 1e4), trained_base=1e6) == [("error", "below_trained_base")]
    assert codes(("alpha", 2.0), target=8192) == [("warning", "short_of_target")]
    assert codes(("alpha", 2.6), target=8192) == []
    assert codes(("factor", 2.0), target=8192) == []
    assert codes(("factor", 2.0), target=16384) == [("warning", "short_of_target")]


def test_two_words_for_one_number_must_agree() -> None:
    assert convert_units("alpha", 2.0, also=("base", 20221.26)).base > 20221
    with pytest.raises(ValueError, match="alpha 2 and base 30000 must not contradict"):
        convert_units("alpha", 2.0, also=("base", 30000.0))
    with pytest.raises(ValueError, match="step between positions"):
        convert_units("factor", 4.0, also=("freq_scale", 4.0))


# What is written for the engines


@given(HEADS, BASES, STRETCHES, STRETCHES)
def test_every_engine_gets_the_same_frequencies(head_dim, base, alpha, factor) -> None:
    model = {"head_dim": head_dim, "trained_base": base}
    setting = convert_units("alpha", alpha, also=("factor", factor), **model)
    # TGI reads linear scaling and applies none.
    engines = [name for name in ENGINES if name != "tgi"]
    written = {name: setting.command(name, 16384).text for name in engines}
    fields = json.loads(written["transformers_5"])
    layer = RopeConfig.from_hf({"head_dim": head_dim, **fields}).rotary["all"]
    torch.testing.assert_close(layer.frequencies()[0], setting.inv_freq, rtol=1e-12, atol=0)

    vllm = flags(written["vllm"])
    assert json.loads(vllm["--hf-overrides"])["rope_parameters"] == fields["rope_parameters"]
    assert vllm["--max-model-len"] == "16384"

    llama = flags(written["llama_cpp"])
    scale, own = float(llama.get("--rope-scale", 1)), float(llama.get("--rope-freq-base", base))
    assert (scale, own) == pytest.approx((factor, setting.base), rel=1e-12)

    if "--ropeconfig" in written["koboldcpp"]:
        freq_scale, kobold = map(float, written["koboldcpp"].split()[-2:])
        assert (freq_scale, kobold) == pytest.approx((1 / factor, setting.base), rel=1e-8)
    else:
        assert (1, base) == pytest.approx((factor, setting.base), rel=1e-8)

    exl = flags(written["exllamav2"])
    assert float(exl.get("--rope_scale", 1)) == pytest.approx(factor, rel=1e-8)
    assert float(exl.get("--rope_alpha", 1)) == pytest.approx(alpha, rel=1e-8)
    # The loader hands llama.cpp's own flags on.
    extra = flags(flags(written["webui_llama_cpp"]).get("--extra-flags", ""))
    assert all(llama[name] == value for name, value in extra.items())
    assert ("--rope-freq-base" in extra) == ("--rope-freq-base" in llama)


def test_a_plain_model_needs_no_flag_of_scaling() -> None:
    units = RopeUnits(128, 1e4, 4096, 1e4)
    written = {name: units.command(name, 4096).text for name in ENGINES}
    assert written["exllamav2"] == "--length 4096"
    assert written["koboldcpp"] == "--contextsize 4096"
    assert written["llama_cpp"] == "--ctx-size 4096"
    assert written["webui_llama_cpp"] == "--loader llama.cpp --ctx-size 4096"
    assert "linear" not in written["transformers_5"] + written["llama_cpp"]


def test_a_factor_below_one_is_never_written() -> None:
    with pytest.raises(ValueError, match="factor must be a finite number from 1 to"):
        convert_units("freq_scale", 8.0).command("vllm", 4096)


settings = st.tuples(
    st.sampled_from(["alpha", "factor", "freq_scale", "compress"]), st.floats(0.01, 40)
) | st.tuples(st.just("base"), st.sampled_from([500.0, 1e6, 3e13]))


def check(steps, drawn):
    assert steps[-1].value == drawn.item() or math.isnan(drawn)
    for step in steps:
        if step.substituted:
            assert evaluate(step.substituted) == pytest.approx(step.value, rel=2e-4)


@given(settings, st.integers(2, 64), st.sampled_from([500.0, 1e4, 1e6]), st.data())
def test_both_curves_are_followed(setting, pairs, base, data):
    model = {"head_dim": 2 * pairs, "trained_base": base, "trained_length": 4096}
    try:
        units = convert_units(*setting, **model)
    except ValueError:  # α so small that no base is left
        return
    pair = data.draw(st.integers(0, pairs - 1))
    check(slowed_steps(units, pair), units.slowed[pair])
    target = data.draw(st.integers(2, 10**6))
    steps, drawn = needed_steps(units, target, pair), units.needed(target)[pair]
    check(steps, drawn)
    assert math.isnan(steps[-1].value) == math.isnan(drawn) == (steps[0].value >= 1)
