"""One sentence on what to do: right for known models, and never a factor that is too small."""

from dataclasses import replace

import pytest

from advisor import RopeConfig
from advisor.choosing.choice import SURENESS, sure_words
from advisor.choosing.lengths import trained_lengths
from advisor.decision import decide, decided_for, in_unit
from advisor.engines.all import ENGINES
from advisor.engines.engine import Serving, TooLong
from advisor.extend import EXTENSIONS
from posenc.scaling import Linear, YaRN
from posenc.scaling.coverage import angle_coverage
from tests.advisor.files import read
from tests.kinds import ALL_KNOWN, known

TARGETS = (1, 4096, 32768, 40961, 131_072, 200_003, 262_144, 1_000_000, 12_345_678)


def test_the_sentence_of_qwen3_at_131072() -> None:
    decision = decide(known("Qwen3-30B-A3B"), 131072)
    assert decision.sentence == (
        "YaRN, factor 4 on 32,768: to 131,072; prompts under 32,768 may get worse; the cache "
        "takes 12.0 GiB in bfloat16."
    )
    assert [one.code for one in decision.choice.reasons] == [
        "alike",
        "known",
        "angles",
        "published",
    ]


def test_the_sentence_says_how_many_texts_are_cached() -> None:
    sentence = decide(known("Qwen3-30B-A3B"), 131072, "fp8", batch=4).sentence
    assert sentence.endswith("; the caches of 4 texts take 24.0 GiB in fp8.")


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


@pytest.mark.parametrize("name", ALL_KNOWN)
def test_no_headline_is_surer_than_the_engines(name: str) -> None:
    config = known(name)
    reach = config.reach or 4096
    for target in (reach // 2 + 1, reach, 2 * reach, 64 * reach):
        alone = decide(config, target)
        if alone.choice.config is None:
            assert alone.choice.sureness in ("none", "limit")
            continue
        refused = {}
        for engine in ENGINES:
            one = decided_for(alone, config, engine).choice
            try:
                alone.choice.config.settings(engine, config, Serving(length=target))
                assert one == alone.choice
            except ValueError as error:
                refused[engine] = error
                told = (one.verdict, one.sureness, one.reasons[0].text)
                assert told == ("cannot", "none", str(error))  # noqa: PT017 - it may be written
        sureness = decided_for(alone, config).choice.sureness
        assert (sureness == "none") == (len(refused) == len(ENGINES)), target
        if sureness in ("sure", "setting"):
            assert not any(isinstance(one, TooLong) for one in refused.values()), target


def test_a_table_that_ends_is_a_limit() -> None:
    for name, rows in (("GPT-2", 1024), ("BERT-base", 512), ("Whisper-tiny", 448)):
        last, beyond = (decide(known(name), target) for target in (rows, rows + 1))
        assert last.choice.config == known(name)
        assert beyond.sentence == (
            f"No: the learned table has {rows:,} rows, one for each position, and {rows + 1:,} are "
            "asked for."
        )
        assert SURENESS[beyond.choice.sureness].startswith("Sure that the model cannot read that")
        assert (beyond.choice.config, beyond.needs) == (None, None)


def test_what_makes_a_choice_only_likely_is_said() -> None:
    config = known("Llama-2-7B")
    choice = decided_for(decide(config, 8192), config).choice
    assert "no maker's word is known here" in sure_words(choice.sureness, False, set())
    # LMDeploy follows the text, as its makers have it; SGLang fixes one base and ends before.
    config = read("InternLM2.5-7B-Chat-1M")
    alone = decide(config, 1048576)
    choice = decided_for(alone, config).choice
    assert (alone.choice.sureness, choice.sureness) == ("sure", "likely")
    codes = {one.code for one in choice.reasons}
    assert "not every engine here reads that far" in sure_words(choice.sureness, False, codes)
    assert "SGLang" in choice.reasons[-1].text
    assert decided_for(alone, config, "lmdeploy") == alone


def test_a_warned_word_is_told_from_one_on_another_model() -> None:
    assert "comes with a warning" in sure_words("likely", True, set())
    assert "this file may differ" in sure_words("likely", True, {"contradicted"})


def test_engines_without_windows_are_named() -> None:
    sentence = decide(known("Mistral-7B-v0.1"), 131072).sentence
    assert "; not in mlx-lm, SGLang, exllamav3, llama.cpp, " in sentence


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
        assert without.sentence.startswith("No setting for ")
        assert "has no windows for mistral" in without.choice.reasons[0].text
        assert "Advised elsewhere: No scaling: every layer" in without.choice.reasons[1].text
        with pytest.raises(ValueError, match="Training has shown no distance of 4,096 or more"):
            decision.choice.config.settings(engine, known("Mistral-7B-v0.1"))


@pytest.mark.parametrize("name", ALL_KNOWN)
def test_the_factor_covers_every_target_and_never_falls(name: str) -> None:
    config = known(name)
    factors = []
    for target in TARGETS:
        decision = decide(config, target)
        assert ". " not in decision.sentence
        assert decision.sentence.endswith(".")
        choice = decision.choice
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
def test_no_pair_meets_a_new_angle_with_the_least_factor(name: str) -> None:
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
