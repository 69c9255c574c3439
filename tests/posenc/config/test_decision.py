"""One sentence on what to do: right for known models, and never a factor that is too small."""

import itertools
from dataclasses import replace

import pytest

from posenc import Linear, Llama3, Proportional, RopeConfig, YaRN, known_models
from posenc.config.choosing.lengths import trained_lengths
from posenc.config.decision import decide, decided_for, in_unit
from posenc.config.extend import EXTENSIONS
from posenc.scaling.coverage import angle_coverage
from tests import kinds

TARGETS = (1, 512, 4096, 32768, 40961, 100_000, 131_072, 200_003, 262_144, 1_000_000, 12_345_678)


NEMO = "Nemo that declares 1,024,000"


def known(name: str) -> RopeConfig:
    if name != NEMO:
        return kinds.known(name)
    fields = known_models()["Mistral-Nemo"].config
    return RopeConfig.from_hf(fields | {"max_position_embeddings": 1_024_000})


def test_the_sentence_of_qwen3_at_131072() -> None:
    decision = decide(known("Qwen3-30B-A3B"), 131072)
    assert decision.sentence == (
        "YaRN, factor 4 on 32,768: to 131,072; prompts under 32,768 get slightly worse; the cache "
        "takes 12.0 GiB in bfloat16."
    )
    choice = decision.choice
    assert (choice.method, choice.factor, choice.sureness) == ("yarn", 4.0, "sure")
    assert choice.config is not None
    assert choice.config.rotary["all"].scaling == YaRN(4.0, 32768)
    told = {one.code: one.text for one in choice.reasons}
    assert [one.code for one in choice.reasons] == ["alike", "known", "angles", "published"]
    assert told["alike"] == "By its shape and base this is Qwen3-30B-A3B, or made from it."
    assert choice.known is not None
    assert told["known"] == choice.known.says
    assert "Its makers document YaRN with factor 4 on 32,768, to 131,072 tokens" in told["known"]
    said = " ".join(one.text for one in choice.reasons)
    assert (
        "with YaRN and factor 4: at least 85.6 % right, its bar for a usable length, up to 65,536"
        in said
    )


def test_the_sentence_says_how_many_texts_are_cached() -> None:
    sentence = decide(known("Qwen3-30B-A3B"), 131072, "fp8", batch=4).sentence
    assert sentence.endswith("; the caches of 4 texts take 24.0 GiB in fp8.")


EXPECTED = {
    ("Llama-2-7B", 4096): ("reaches", "sure", None),
    ("Llama-2-7B", 8192): ("extend", "likely", YaRN(2.0, 4096)),
    ("Llama-2-7B", 32768): ("extend", "guess", YaRN(8.0, 4096)),
    ("Qwen2.5-7B-Instruct", 131072): ("extend", "sure", YaRN(4.0, 32768)),
    ("Qwen2.5-7B-Instruct", 262144): ("extend", "guess", YaRN(8.0, 32768)),
    # The makers give YaRN for long texts alone.
    ("Qwen2.5-7B-Instruct with YaRN", 131072): ("reaches", "sure", YaRN(4.0, 32768)),
    ("Qwen2.5-7B-Instruct with YaRN", 32768): ("remove", "sure", None),
    ("Qwen3-8B", 32768): ("reaches", "sure", None),
    # Room for an answer, which its makers declare and did not train.
    ("Qwen3-8B", 40960): ("reaches", "likely", None),
    # Trained with what the file says; slow pairs then are slowed as much as the text is longer.
    ("Llama-3.1-8B", 131072): ("reaches", "sure", Llama3(8.0, 1.0, 4.0, 8192)),
    ("Llama-3.1-8B", 262144): ("extend", "guess", Llama3(16.0, 1.0, 4.0, 8192)),
    # Nobody has shown a scaling to work so far.
    ("Qwen3-8B", 32 * 32768): ("extend", "guess", YaRN(32.0, 32768)),
    ("Qwen3-8B", 10_000_000): ("cannot", "none", None),
    ("Llama-3.1-8B", 8192): ("reaches", "sure", Llama3(8.0, 1.0, 4.0, 8192)),
    ("DeepSeek-V3", 131072): ("reaches", "sure", None),
    # Its scaling reaches further than its training.
    ("DeepSeek-V3", 163840): ("reaches", "likely", None),
    # The file declares 1,024,000, and its makers trained with 131,072.
    (NEMO, 131072): ("reaches", "sure", None),
    (NEMO, 262144): ("extend", "likely", YaRN(2.0, 131072)),
    (NEMO, 1_024_000): ("extend", "guess", YaRN(7.8125, 131072)),
    ("gpt-oss-20b", 131072): ("reaches", "sure", None),
    ("LongChat-7b-16k", 16384): ("reaches", "likely", Linear(8.0)),
    ("LongChat-7b-16k", 32768): ("extend", "guess", Linear(16.0)),
    ("Gemma-3-12B", 131072): ("reaches", "sure", Linear(8.0)),
    ("Phi-3-mini-128k", 131072): ("reaches", "sure", None),
    ("Phi-3-mini-128k", 131073): ("cannot", "none", None),
    ("Mistral-7B-v0.1", 8192): ("windows", "sure", None),
    ("Mistral-7B-v0.1", 131072): ("windows", "setting", None),
    ("Mistral-7B-v0.3", 131072): ("extend", "guess", YaRN(4.0, 32768)),
    ("Qwen2.5-7B-Instruct-1M", 1_000_000): ("reaches", "guess", None),
    # Its training was not looked up again.
    ("Qwen2.5-7B-Instruct-1M", 262144): ("reaches", "likely", None),
    ("Gemma-4", 262144): ("extend", "guess", Proportional(0.25, 2.0)),
    ("BLOOM-176B", 2048): ("elsewhere", "sure", None),
    ("BLOOM-176B", 1_000_000): ("elsewhere", "setting", None),
    ("GPT-2", 1024): ("elsewhere", "sure", None),
    ("GPT-2", 2048): ("elsewhere", "setting", None),
    ("T5", 100_000): ("elsewhere", "setting", None),
    ("Granite-4.0-H-Small", 10_000_000): ("elsewhere", "setting", None),
    ("Command-A-111B", 262_144): ("windows", "sure", None),
    ("Command-A-111B", 4_000_000): ("windows", "setting", None),
    ("GLM-4.6", 200_000): ("reaches", "sure", None),
    ("GLM-4.6", 202_752): ("reaches", "likely", None),
    ("GLM-4.6", 811_008): ("extend", "guess", YaRN(4.0, 202752)),
    ("Seed-OSS-36B", 2_000_000): ("extend", "guess", YaRN(2_000_000 / 524288, 524288)),
    ("Falcon-H1-7B", 1_048_576): ("extend", "guess", YaRN(4.0, 262144)),
    ("LFM2-1.2B", 512_000): ("extend", "guess", YaRN(4.0, 128000)),
    ("SmolLM3-3B", 131072): ("extend", "sure", YaRN(2.0, 65536)),
    # Declares 128,000, and its makers trained with 131,072.
    ("Mistral-Nemo", 131072): ("reaches", "sure", None),
}


@pytest.mark.parametrize(("name", "target"), EXPECTED)
def test_known_models(name: str, target: int) -> None:
    verdict, sureness, scaling = EXPECTED[name, target]
    choice = decide(known(name), target).choice
    assert (choice.verdict, choice.sureness) == (verdict, sureness), choice.clause
    if scaling is not None:
        assert choice.config is not None
        rotary = choice.config.rotary
        full = rotary.get("full_attention") or next(iter(rotary.values()))
        assert full.scaling == scaling
    if verdict == "remove":
        assert choice.config is not None
        assert choice.config.rotary["all"].scaling is None
        assert choice.config.reach == 32768


def test_what_the_makers_never_trained_is_said() -> None:
    told = {one.code: one.text for one in decide(known(NEMO)).choice.reasons}
    assert "texts of up to 131,072 tokens" in told["said"]
    assert told["declared"].startswith("The file declares 1,024,000, which is no sign of training")
    scout = decide(known("Llama-4-Scout")).choice
    assert "sees a window of 8,192 tokens" in scout.clause
    assert any("texts of up to 262,144 tokens" in one.text for one in scout.reasons)


def test_a_method_of_ones_own_choice() -> None:
    decision = decide(known("Qwen2.5-7B-Instruct"), 131072, method="linear")
    choice = decision.choice
    assert decision.sentence.startswith(
        "With linear: factor 4 on 32,768, to 131,072; the cache takes"
    )
    assert (choice.verdict, choice.method, choice.factor) == ("taken", "linear", 4.0)
    assert choice.config is not None
    assert choice.config.rotary["all"].scaling == Linear(4.0)
    advice = choice.reasons[-1]
    assert advice.code == "advised"
    assert advice.text.startswith("Advised is: YaRN, factor 4 on 32,768")
    plain = decide(known("Qwen2.5-7B-Instruct"), 131072, method="none").choice
    assert any("24 pairs of channels meet angles" in one.text for one in plain.reasons)
    larger = decide(known("Llama-2-7B"), 8192, method="ntk")
    assert "With NTK-aware: base 20,221 instead of 10,000, to 8,192" in larger.sentence
    assert decide(known("Llama-2-7B"), 8192, method="yarn") == decide(known("Llama-2-7B"), 8192)
    with pytest.raises(ValueError, match="target_length must be an integer of at least 4097"):
        decide(known("Llama-2-7B"), 4096, method="linear")
    for name in ("Mistral-7B-v0.1", "BLOOM-176B"):
        with pytest.raises(ValueError, match=r"^YaRN cannot be taken for this file"):
            decide(known(name), 32768, method="yarn")
    with pytest.raises(ValueError, match="method must be one of"):
        decide(known("Llama-2-7B"), 4096, method="self_extend")


@pytest.mark.parametrize("method", EXTENSIONS)
def test_no_method_is_taken_further_than_one_was_shown_to_work(method: str) -> None:
    """The advice says No above 32 times; a method of one's own was written all the same."""
    llama = known("Llama-2-7B")
    with pytest.raises(ValueError, match=r"cannot be taken for 262,144 tokens\. No: .* 64 times"):
        decide(llama, 64 * 4096, method=method)
    assert decide(llama, 32 * 4096, method=method).choice.config is not None
    for other in ("declared", "none"):
        assert decide(llama, 64 * 4096, method=other).choice.verdict == "taken"


def test_windows_name_the_farthest_distance() -> None:
    decision = decide(known("Mistral-7B-v0.1"), 131072)
    assert "no distance is above 4,095 at any length" in decision.sentence
    assert "the cache takes 0.5 GiB" in decision.sentence
    assert decision.choice.config is not None
    assert decision.choice.config.rotary["all"].scaling is None
    assert decision.choice.config.reach == 131072
    assert decided_for(decision, known("Mistral-7B-v0.1"), "vllm") is decision
    for engine in ("llama_cpp", "ollama", "exllamav3", "mlx", "sglang"):
        without = decided_for(decision, known("Mistral-7B-v0.1"), engine)
        assert without.choice.sureness == "none"
        assert without.sentence.endswith("it has no windows for this model.")
        with pytest.raises(ValueError, match="Training has shown no distance of 8,192 or more"):
            decision.choice.config.settings(engine, known("Mistral-7B-v0.1"))


@pytest.mark.parametrize("name", known_models())
def test_the_factor_covers_every_target_and_never_falls(name: str) -> None:
    config = known(name)
    factors = []
    for target in TARGETS:
        choice = decide(config, target).choice
        if choice.verdict in ("extend", "reaches", "windows"):
            assert choice.config is not None
            assert choice.config.reach is not None
            assert choice.config.reach >= target
        if choice.verdict == "extend":
            assert choice.factor is not None
            layer = choice.config.rotary[choice.layer_types[0]]
            if isinstance(layer.scaling, YaRN):
                # By its factor, or by the makers' word for a smaller one.
                word = choice.known if choice.known and choice.known.kind == "yarn" else None
                reach = int(layer.scaling.factor * layer.scaling.original_length)
                assert max(reach, (word and word.tokens) or 0) >= target
            factors.append(choice.factor)
    assert factors == sorted(factors)


@pytest.mark.parametrize("name", ["Llama-2-7B", "Qwen2.5-7B-Instruct", "Phi-2", "GPT-J-6B"])
def test_no_pair_meets_a_new_angle_with_the_factor_and_some_do_with_less(name: str) -> None:
    config = known(name)
    plain = config.rotary["all"]
    trained = trained_lengths(config, "all").before
    for target in (2 * trained, 3 * trained + 7, 20 * trained):
        choice = decide(config, target).choice
        assert choice.config is not None
        seen, _ = plain.frequencies()
        after = choice.config.rotary["all"]
        assert isinstance(after.scaling, YaRN)
        for times, is_covered in ((1.0, True), (0.97, False)):
            scaling = replace(after.scaling, factor=times * after.scaling.factor)
            scaled, _ = replace(after, scaling=scaling).frequencies(target)
            new = angle_coverage(seen, trained, target, scaled).is_new
            assert bool(new.any()) != is_covered


def test_a_type_that_is_not_known_gets_no_advice_and_nothing_to_export() -> None:
    file = known_models()["Llama-2-7B"].config | {"model_type": "frobnicate"}
    for target in TARGETS:
        decision = decide(RopeConfig.from_hf(file), target)
        assert decision.choice.verdict == "unknown"
        assert decision.choice.config is None
        assert decision.choice.sureness == "none"
        assert decision.sentence.startswith("No advice")
        assert "GiB" not in decision.sentence


def test_the_two_trained_lengths() -> None:
    told = {
        name: (one.before, one.own, one.with_own)
        for name in ("Llama-2-7B", "Llama-3.1-8B", "DeepSeek-V3", "Qwen3-8B", "LongChat-7b-16k")
        for one in [trained_lengths(known(name), "all")]
    }
    assert told == {
        "Llama-2-7B": (4096, None, None),
        "Llama-3.1-8B": (8192, 131072, True),
        "DeepSeek-V3": (4096, 163840, True),
        "Qwen3-8B": (32768, None, None),
        "LongChat-7b-16k": (2048, 16384, True),
    }
    with_yarn = trained_lengths(known("Qwen2.5-7B-Instruct with YaRN"), "all")
    assert (with_yarn.before, with_yarn.own, with_yarn.with_own) == (32768, 131072, False)


def test_a_file_with_an_error_makes_it_a_guess_unless_the_setting_puts_it_right() -> None:
    config = known_models()["Qwen2.5-7B-Instruct"].config
    scaling = {"type": "yarn", "factor": 2.0, "original_max_position_embeddings": 32768}
    wrong = config | {"rope_scaling": scaling, "max_position_embeddings": 131072}
    choice = decide(RopeConfig.from_hf(wrong), 131072).choice
    assert (choice.verdict, choice.sureness, choice.factor) == ("extend", "sure", 4.0)
    assert choice.reasons[-1].text == (
        "The file has 1 error among its findings, which this setting puts right."
    )
    misspelt = config | {"slidingwindow": 4096}
    choice = decide(RopeConfig.from_hf(misspelt), 32768).choice
    assert (choice.verdict, choice.sureness) == ("reaches", "guess")
    assert choice.reasons[-1].code == "errors"


def test_a_dynamic_scaling_stays_as_it_is() -> None:
    config = known_models()["Llama-2-7B"].config
    dynamic = config | {"rope_scaling": {"type": "dynamic", "factor": 2.0}}
    choice = decide(RopeConfig.from_hf(dynamic), 16384).choice
    assert (choice.verdict, choice.method, choice.sureness) == ("reaches", "declared", "guess")
    assert "follows the text beyond 4,096 tokens, to 16,384" in choice.clause


def test_a_length_is_asked_for() -> None:
    file = {"model_type": "llama", "hidden_size": 4096, "num_attention_heads": 32}
    config = RopeConfig.from_hf(file | {"max_position_embeddings": 8192})
    assert decide(config).target == 8192
    with pytest.raises(ValueError, match="target_length must be an integer"):
        decide(config, 10**13)


def test_sizes_are_told_in_the_largest_unit() -> None:
    assert in_unit(12 * 2**30) == (12.0, "GiB")
    assert in_unit(2**29) == (0.5, "GiB")
    assert in_unit(2**27) == (128.0, "MiB")
    assert in_unit(700 * 2**30) == (700.0, "GiB")
    assert [in_unit(2**k)[1] for k in range(0, 50, 10)] == ["KiB", "KiB", "MiB", "GiB", "TiB"]


def test_every_pair_of_files_and_types_gets_one_sentence() -> None:
    for name, kind in itertools.product(known_models(), ("bfloat16", "q4_0")):
        sentence = decide(known(name), 65536, kind).sentence
        assert sentence.count(". ") == 0
        assert sentence.endswith(".")
