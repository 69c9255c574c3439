"""Files whose lengths say something else than they seem to: what is advised, and what is found."""

from typing import Any

import pytest

from posenc import DynamicNTK, Linear, Llama3, RopeConfig, YaRN, known_models
from posenc.config.choosing.choose import choose
from posenc.config.choosing.take import take
from posenc.config.known_models import alike, model_named
from posenc.scaling.longrope import LongRoPE

QWEN = "Qwen2.5-7B-Instruct"
ORIGINAL, DECLARED = "original_max_position_embeddings", "max_position_embeddings"
YARN = {"rope_type": "yarn", "factor": 4.0}
LINEAR = {"type": "linear", "factor": 4.0}
DYNAMIC = {"type": "dynamic", "factor": 2.0}
LLAMA3 = {"rope_type": "llama3", "factor": 8.0, "low_freq_factor": 1.0, "high_freq_factor": 4.0}
# No known model's shape.
UNKNOWN = {
    "model_type": "llama",
    "hidden_size": 5632,
    "num_attention_heads": 44,
    "num_hidden_layers": 40,
    "rope_theta": 10000.0,
    DECLARED: 4096,
}


AS_IT_IS: dict[str, Any] = {}


def known(
    name: str, scaling: dict[str, Any] | None = AS_IT_IS, declared: int = 0, **fields: Any
) -> dict[str, Any]:
    """A known model's file with another scaling, another declared length and other fields."""
    fields |= {} if scaling is AS_IT_IS else {"rope_scaling": scaling}
    return {**known_models()[name].config, **fields} | ({DECLARED: declared} if declared else {})


def yarn(factor: float, original: int) -> dict[str, Any]:
    return {**YARN, "factor": factor, ORIGINAL: original}


def llama3(original: int, factor: float = 8.0) -> dict[str, Any]:
    return {**LLAMA3, "factor": factor, ORIGINAL: original}


def unknown(scaling: dict[str, Any], declared: int = 4096) -> dict[str, Any]:
    """A file of no known model's shape."""
    return {**UNKNOWN, "rope_scaling": scaling, DECLARED: declared}


def qwen3(scaling: dict[str, Any], declared: int) -> dict[str, Any]:
    return known("Qwen3-8B", scaling, declared)


def llama31(factor: float, declared: int = 131072) -> dict[str, Any]:
    return known("Llama-3.1-8B", llama3(8192, factor), declared)


def qwen25(hidden: int, heads: int, layers: int, wide: int, kv: int = 8) -> dict[str, Any]:
    shape = (hidden, heads, kv, layers, wide)
    return shaped(QWEN, *shape, declared=32768 if kv == 2 else 131072)


def shaped(name: str, *shape: int, **fields: Any) -> dict[str, Any]:
    """A known file with another size: width, heads, heads of keys, layers, feed-forward width."""
    names = ("hidden_size", "num_attention_heads", "num_key_value_heads", "num_hidden_layers")
    return known(name, **dict(zip((*names, "intermediate_size"), shape, strict=True)), **fields)


SHAPE_13B, SHAPE_70B = (5120, 40, 40, 40, 13824), (8192, 64, 8, 80, 28672)
CODER = {"rope_theta": 1e5, "rope_scaling": LINEAR, "vocab_size": 32256, DECLARED: 16384}
COMMAND_R = {"rope_theta": 8e6, "model_max_length": 131072, DECLARED: 8192}
COMMAND_R = shaped("Aya-23-8B", 8192, 64, 64, 40, 22528, **COMMAND_R)
EXAONE = {
    "model_type": "exaone",
    "hidden_size": 4096,
    "num_attention_heads": 32,
    "num_key_value_heads": 8,
    "num_layers": 32,
    "intermediate_size": 14336,
    "rope_theta": 1000000.0,
    "rope_scaling": llama3(8192),
    DECLARED: 32768,
}
INTERNLM2 = known("Llama-3-8B", model_type="internlm2", rope_theta=1e6, declared=32768)
HUNYUAN = {
    "model_type": "hunyuan_v1_dense",
    "hidden_size": 4096,
    "num_attention_heads": 32,
    "num_key_value_heads": 8,
    "num_hidden_layers": 32,
    "intermediate_size": 14336,
    "rope_theta": 10000.0,
    "rope_scaling": {"type": "dynamic", "alpha": 1000.0, "factor": 1.0},
    DECLARED: 32768,
}
LLAMA31 = Llama3(8.0, 1.0, 4.0, 8192)
GLM_1M = known("glm-4-9b-chat", seq_length=1048576, rope_ratio=10000, multi_query_group_num=4)
KIMI_64 = YaRN(64.0, 4096, 1.0, 1.0, mscale=1.0, mscale_all_dim=1.0)
KIMI = {**known_models()["Kimi-K2"].config["rope_scaling"], "factor": 64.0}
NO_BASE_LLAMA = {key: one for key, one in known("Llama-2-7B").items() if key != "rope_theta"}
QWEN3_VL = known("Qwen3-VL-4B")
SECTIONS = {"mrope_section": [24, 20, 20], "mrope_interleaved": True, "rope_theta": 5000000}
QWEN3_VL_LONG = {
    **QWEN3_VL,
    "text_config": QWEN3_VL["text_config"]
    | {"rope_parameters": {**YARN, **SECTIONS, "factor": 3.0, ORIGINAL: 262144}}
    | {DECLARED: 1000000},
}
DEEPSEEK_40 = YaRN(40.0, 4096, mscale=1.0, mscale_all_dim=1.0)
DEEPSEEK = known_models()["DeepSeek-V3"].config["rope_scaling"]
FOUR, EIGHT = YaRN(4.0, 32768), YaRN(8.0, 32768)
MISSPELT = {**YARN, "original_max_position_embedding": 32768}
VICUNA = known("Llama-2-7B", LINEAR)
LONGER_VICUNA = known("Llama-2-7B", LINEAR, 16384)
UNKNOWN_VICUNA = unknown(LINEAR)
QWEN35 = known("Qwen3.5-27B")
BOTH = {**UNKNOWN_VICUNA, "max_sequence_length": 16384}
LLAMA31_32 = Llama3(32.0, 1.0, 4.0, 8192)
VICUNA_13B = shaped("Llama-2-7B", *SHAPE_13B, scaling=LINEAR)
NO_BASE_TWICE = NO_BASE_LLAMA | {"rope_scaling": {**LINEAR, "factor": 2.0}}
LLAMA3_1M = known("Llama-3-8B", declared=1048576, rope_theta=3.58e9)
MISTRAL_LONG = known("Mistral-7B-v0.3", declared=131072, rope_theta=1e7)
NAMED_DYNAMIC = known("Llama-2-7B", {**DYNAMIC, ORIGINAL: 4096}, 8192)
RAISED_DYNAMIC = known("Llama-2-7B", DYNAMIC, 8192)

# File, target, verdict and how sure it is, the scaling that is written; of each kind of sentence
# a part once.
ADVISED: list[tuple[Any, ...]] = [
    # YaRN, the declared length raised, and no trained length: the commonest broken file.
    (qwen3(YARN, 131072), 131072, "extend, sure", FOUR, f"once {ORIGINAL} says 32,768"),
    (qwen3(YARN, 131072), 262144, "extend, guess", EIGHT, "instead of 4, on 32,768: to 262,144"),
    (qwen3(YARN, 131072), 32768, "remove, sure", None, "without the one in the file"),
    (qwen3(MISSPELT, 131072), 131072, "extend, sure", FOUR),
    (qwen3(YARN, 32768), 131072, "reaches, sure", FOUR, "factor 4 on 32,768"),
    (known(QWEN, YARN, 131072), 131072, "extend, sure", FOUR),
    # The factor is in both lengths; the two lengths are swapped; Qwen3's room for an answer.
    (qwen3(yarn(4.0, 131072), 524288), 131072, "extend, likely", FOUR, "on 32,768"),
    (qwen3(yarn(4.0, 131072), 32768), 131072, "extend, sure", FOUR),
    (qwen3(yarn(4.0, 40960), 163840), 131072, "extend, sure", FOUR),
    # Nobody says what a model of this shape was trained with.
    (unknown(YARN, 131072), 131072, "cannot, none", None, "does not say whether its 131,072"),
    (unknown(LLAMA3), 4096, "cannot, none", None, "before or after scaling"),
    (unknown(MISSPELT, 131072), 131072, "extend, guess", FOUR),
    # Linear scaling: files of 2023 declare the length before it, or the one after it.
    (VICUNA, 16384, "reaches, guess", Linear(4.0), "factor 4 on 4,096, reaches 16,384"),
    (VICUNA, 32768, "extend, guess", Linear(8.0), "factor 8 instead of 4"),
    (LONGER_VICUNA, 16384, "reaches, guess", Linear(4.0), "reaches 16,384"),
    (LONGER_VICUNA, 32768, "extend, guess", Linear(8.0)),
    (UNKNOWN_VICUNA, 4096, "reaches, guess", Linear(4.0)),
    (UNKNOWN_VICUNA, 16384, "reaches, guess", Linear(4.0), "if 4,096 is the length before"),
    (UNKNOWN_VICUNA, 32768, "cannot, none", None),
    (BOTH, 16384, "reaches, guess", Linear(4.0)),
    (BOTH, 32768, "extend, guess", Linear(8.0)),
    # Dynamic scaling counts from the declared length.
    (RAISED_DYNAMIC, 8192, "extend, guess", DynamicNTK(2.0, 4096), f"once {DECLARED} says 4,096"),
    (NAMED_DYNAMIC, 8192, "extend, guess", DynamicNTK(2.0, 4096)),
    # Llama-3's own, without its trained length, and lost.
    (known("Llama-3.1-8B", LLAMA3), 131072, "extend, sure", Llama3(8.0, 1.0, 4.0, 8192)),
    (known("Llama-3.1-70B", None), 131072, "extend, guess", LLAMA31, "factor 8 on 8,192"),
    (known("Llama-3.1-8B", None), 131072, "extend, guess", LLAMA31),
    (known("Llama-3.1-8B", None), 32768, "extend, guess", LLAMA31),
    (known("Llama-3.1-8B", None), 262144, "extend, guess", Llama3(16.0, 1.0, 4.0, 8192)),
    # Llama 3 without the 1, and the 70B of that release, which has the shape of 3.1's.
    (known("Llama-3-8B"), 8192, "reaches, sure", None, "within the 8,192"),
    (known("Llama-3.1-70B", None, 8192), 8192, "reaches, sure", None),
    # Qwen2.5's sizes, whose base models declare 131,072; QwQ, made from the 32B.
    (qwen25(5120, 40, 48, 13824), 131072, "extend, sure", FOUR, "YaRN, factor 4 on 32,768"),
    (qwen25(5120, 40, 64, 27648), 131072, "extend, sure", FOUR),
    (qwen25(8192, 64, 80, 29568), 131072, "extend, sure", FOUR),
    (qwen25(2048, 16, 36, 11008, 2), 32768, "reaches, sure", None),
    (qwen25(2048, 16, 36, 11008, 2), 131072, "extend, likely", FOUR, "YaRN, factor 4"),
    # Released files that share a shape, each with its own length.
    (known("Llama-3.1-70B", None, 8192), 32768, "extend, guess", YaRN(4.0, 8192)),
    (known("Mistral-7B-v0.3", vocab_size=32000), 32768, "reaches, likely", None, "within"),
    (known(QWEN, declared=4096, rope_theta=1e4), 32768, "extend, guess", YaRN(8.0, 4096)),
    (known("Llama-2-7B", {**LINEAR, "factor": 8.0}, 32768), 32768, "reaches, likely", Linear(8.0)),
    # Llama 3.1's length, with a scaling of another kind.
    (known("Llama-3.1-8B", yarn(16.0, 8192)), 131072, "extend, guess", LLAMA31, "The released"),
    (known("Llama-3.1-8B", {**LINEAR, "factor": 16.0}), 131072, "extend, guess", LLAMA31),
    (known("Llama-3-8B", yarn(4.0, 8192), 32768), 32768, "reaches, guess", YaRN(4.0, 8192)),
    # Distilled into Qwen2.5-Math, whose base is Qwen2.5's before its long texts.
    (known(QWEN, declared=131072, rope_theta=1e4), 131072, "reaches, likely", None, "of the file"),
    # Hunyuan reads eight times what its files declare, without more than their alpha.
    (HUNYUAN, 262144, "reaches, sure", None, "within the 262,144 that the makers give"),
    (HUNYUAN | {DECLARED: 262144}, 262144, "reaches, sure", None),
    (HUNYUAN, 524288, "extend, likely", YaRN(2.0, 262144)),
    # Two models of one shape have lists of their own, and the file lost them.
    (known("Phi-3-mini-128k", None), 131072, "cannot, none", None, "and Phi-3.5-mini, which"),
    # The makers' scaling with another factor, within what they released and beyond.
    (llama31(32.0), 131072, "extend, guess", LLAMA31),
    (llama31(32.0), 262144, "extend, guess", Llama3(16.0, 1.0, 4.0, 8192), "16 instead of 8"),
    (llama31(32.0, 524288), 524288, "reaches, guess", LLAMA31_32, "own Llama-3"),
    (known("DeepSeek-V3", DEEPSEEK | {"factor": 10}), 131072, "extend, guess", DEEPSEEK_40),
    # The makers document YaRN with factor 4, and the file has more, or something else.
    (qwen3(yarn(8.0, 32768), 40960), 131072, "extend, likely", FOUR),
    (qwen3(yarn(8.0, 32768), 40960), 65536, "extend, likely", YaRN(2.0, 32768)),
    (qwen3(yarn(8.0, 32768), 40960), 262144, "reaches, guess", EIGHT),
    (qwen3(LINEAR, 131072), 131072, "extend, likely", FOUR),
    (qwen3(LINEAR, 131072), 32768, "remove, likely", None),
    (qwen3(DYNAMIC, 40960), 65536, "extend, likely", YaRN(2.0, 32768)),
    (known(QWEN, llama3(32768)), 131072, "extend, likely", FOUR),
    # A base that no model of this shape has.
    (known(QWEN, rope_theta=1e4), 32768, "reaches, guess", None),
    (known(QWEN, rope_theta=1e4), 65536, "extend, guess", YaRN(2.0, 32768)),
    (known("Llama-3-8B", rope_theta=1e4), 16384, "extend, guess", YaRN(2.0, 8192), "factor 2"),
    (known("Llama-3.1-8B", rope_theta=1e4), 131072, "reaches, guess", LLAMA31),
    # A YaRN of an unknown hand, by its factor.
    (unknown(yarn(2.0, 4096)), 8192, "reaches, likely", YaRN(2.0, 4096)),
    (unknown(yarn(4.0, 4096)), 16384, "reaches, guess", YaRN(4.0, 4096)),
    # LLaMA of 2023, half as long as Llama 2 of the same shape, and its files with linear scaling.
    (known("Llama-2-7B", declared=2048), 2048, "reaches, likely", None),
    (known("Llama-2-7B", declared=2048), 4096, "extend, likely", YaRN(2.0, 2048)),
    (known("Llama-2-7B", LINEAR, 2048), 8192, "reaches, guess", Linear(4.0)),
    (known("Llama-2-7B", LINEAR, 8192), 8192, "reaches, guess", Linear(4.0)),
    (VICUNA_13B, 16384, "reaches, guess", Linear(4.0)),
    ({**VICUNA_13B, DECLARED: 8192}, 32768, "extend, guess", Linear(16.0)),
    (shaped("Llama-2-7B", *SHAPE_70B), 4096, "reaches, sure", None),
    # DeepSeek-Coder, trained with its linear scaling to the length that it declares.
    (shaped("Llama-2-7B", 7168, 56, 8, 62, 19200, **CODER), 16384, "reaches, likely", Linear(4.0)),
    (shaped("Llama-2-7B", 7168, 56, 8, 62, 19200, **CODER), 32768, "extend, guess", Linear(8.0)),
    # Declared for less than its makers say, and for more.
    (COMMAND_R, 131072, "reaches, sure", None),
    (shaped("Qwen2.5-VL-7B", 8192, 64, 8, 80, 29568), 131072, "extend, likely", FOUR),
    # Families whose code comes with the weights.
    (EXAONE, 32768, "reaches, guess", LLAMA31, "own Llama-3 scaling reaches 32,768"),
    (INTERNLM2, 65536, "extend, guess", YaRN(2.0, 32768)),
    # Qwen3 trained further, with a larger base.
    (known("Qwen3-4B", declared=262144, rope_theta=5e6), 262144, "reaches, sure", None),
    # Llama 3.1 with a scaling of another kind in the place of its own, on its own length.
    (known("Llama-3.1-8B", {**DYNAMIC, "factor": 8.0}), 131072, "extend, guess", LLAMA31),
    (known("Llama-3.1-8B", yarn(4.0, 131072), 524288), 524288, "extend, guess", LLAMA31_32),
    # Models of one shape, released with texts of different lengths, or with another base.
    (known("Qwen3-30B-A3B", declared=262144, rope_theta=1e7), 262144, "reaches, sure", None),
    (known("Qwen3-235B-A22B", declared=262144, rope_theta=5e6), 262144, "reaches, sure", None),
    (known("GLM-4.6", declared=131072), 131072, "reaches, sure", None),
    (known("GLM-4.6", declared=131072), 200000, "extend, likely", YaRN(200000 / 131072, 131072)),
    (known("GLM-4.6"), 200000, "reaches, sure", None),
    (GLM_1M, 1000000, "reaches, sure", None),
    (known("glm-4-9b-chat"), 1000000, "extend, guess", YaRN(1000000.0 / 131072, 131072), "7.62939"),
    (known("Kimi-K2", KIMI, 262144), 262144, "reaches, sure", KIMI_64),
    (known("Kimi-K2"), 262144, "extend, guess", KIMI_64),
    # Read further than trained, as its makers document.
    (known("CodeLlama-7B"), 100000, "reaches, sure", None, "within the 100,000 that the makers"),
    (known("CodeLlama-7B"), 131072, "extend, guess", YaRN(8.0, 16384)),
    # Llama 2's first files name no base.
    (NO_BASE_LLAMA, 4096, "reaches, sure", None),
    (NO_BASE_TWICE, 8192, "reaches, guess", Linear(2.0)),
    # A factor below the ratio of the lengths, as its makers document it for images.
    (QWEN3_VL, 1000000, "extend, likely", YaRN(3.0, 262144)),
    (QWEN3_VL_LONG, 1000000, "reaches, likely", YaRN(3.0, 262144)),
    # The YaRN of a model card, for a hybrid; a maker's YaRN is not called anybody's.
    (QWEN35, 1000000, "extend, sure", YaRN(1e6 / 262144, 262144), "YaRN, factor 3.8147 on 262,144"),
    (QWEN35, 1048576, "extend, likely", YaRN(4.0, 262144)),
    (known("SmolLM3-3B", yarn(2.0, 65536)), 131072, "reaches, sure", YaRN(2.0, 65536)),
    # A window as narrow as the training has nothing to gain from a scaling that somebody added.
    (known("Mistral-7B-v0.1", yarn(4.0, 32768)), 131072, "windows, setting", None, "not in every"),
]


@pytest.mark.parametrize("row", ADVISED)
def test_what_is_advised(row: tuple[Any, ...]) -> None:
    file, target, verdict, scaling, *words = row
    config = RopeConfig.from_hf(file)
    choice = choose(config, target)
    assert f"{choice.verdict}, {choice.sureness}" == verdict, choice.clause
    assert all(word in choice.clause for word in words)
    codes = {one.code for one in choice.reasons}
    assert choice.sureness != "sure" or "own_unknown" not in codes
    assert "No scaling" not in choice.clause or scaling is None
    if choice.config is None:
        assert verdict == "cannot, none"
        return
    (layer,) = choice.config.rotary.values()
    assert layer.scaling == scaling
    dynamic = isinstance(scaling, DynamicNTK)
    assert dynamic or (choice.config.reach or 0) >= target
    # What is written is read back as it was meant.
    again = RopeConfig.from_hf(choice.config.to_hf())
    assert next(iter(again.rotary.values())).scaling == scaling
    # A trained length that a finding asks for is the one that is advised.
    codes = ("trained_length_missing", "trained_length_against_makers", "misspelt_field")
    told = [one.remedy for one in config.findings if one.code in codes]
    if not told or scaling is None:
        return
    assert str(getattr(scaling, "original_length", None)) in told[0]
    # What is advised has none of these findings left, unless the file stays as it is.
    left = [one for one in choice.config.findings if one.code in codes]
    assert choice.config == config or not left


def test_a_stretched_file_names_the_length_before_its_scaling() -> None:
    written = choose(RopeConfig.from_hf(LONGER_VICUNA), 32768).config
    assert written is not None
    fields = written.to_hf()
    assert fields["rope_parameters"][ORIGINAL] == 4096
    assert (fields["rope_parameters"]["factor"], fields[DECLARED]) == (8.0, 32768)


def test_no_finding_asks_for_a_length_that_the_advice_denies() -> None:
    # Four times 131,072 is what engines would reach, and not what the file means.
    file = unknown(MISSPELT, 131072)
    assert "declared_below_reach" not in {one.code for one in RopeConfig.from_hf(file).findings}


def test_both_readings_of_an_open_file_are_told() -> None:
    file = unknown(YARN, 131072)
    told = [one.text for one in choose(RopeConfig.from_hf(file), 262144).reasons]
    assert told == [
        f"Write {ORIGINAL}: the length before scaling.",
        "If it was 32,768, 262,144 tokens need YaRN with factor 8 on 32,768.",
        "If it was 131,072, 262,144 tokens need YaRN with factor 2 on 131,072.",
    ]


def test_longrope_in_a_window_as_wide_as_the_texts_is_kept() -> None:
    # PhiMoE: a window of 131,072, and lists of factors from 4,096 on.
    lists = {"short_factor": [1.0] * 64, "long_factor": [4.0] * 64}
    file = {
        **UNKNOWN,
        "model_type": "phimoe",
        "hidden_size": 4096,
        "num_attention_heads": 32,
        "num_key_value_heads": 8,
        "sliding_window": 131072,
        DECLARED: 131072,
        ORIGINAL: 4096,
        "rope_scaling": {"type": "longrope", **lists, "short_mscale": 1.2, "long_mscale": 1.2},
    }
    config = RopeConfig.from_hf(file)
    choice = choose(config, 65536)
    assert (choice.verdict, choice.sureness) == ("reaches", "likely")
    assert "own LongRoPE scaling reaches 131,072" in choice.clause
    assert choice.config == config
    assert isinstance(config.rotary["all"].scaling, LongRoPE)


def test_a_windowed_models_own_scaling_is_kept() -> None:
    choice = choose(RopeConfig.from_hf(known("EXAONE-4.0-32B")), 262144)
    assert choice.verdict == "windows"
    assert choice.clause.startswith("No further scaling: every layer that rotates sees a window")
    assert choice.config is not None
    assert any(isinstance(one.scaling, Llama3) for one in choice.config.rotary.values())


def test_a_method_of_ones_own_counts_from_the_training() -> None:
    broken = RopeConfig.from_hf(qwen3(YARN, 131072))
    assert take(broken, "llama3", 131072).config.rotary["all"].scaling == Llama3(
        4.0, 1.0, 4.0, 32768
    )
    # A file that can be read in two ways is not stretched in one of them silently.
    either = RopeConfig.from_hf(unknown(YARN, 131072))
    with pytest.raises(ValueError, match="before or after scaling"):
        take(either, "linear", 262144)
    nemo = RopeConfig.from_hf(known("Mistral-Nemo", declared=1024000))
    assert take(nemo, "linear", 262144).config.rotary["all"].scaling == Linear(2.0)


def gemma(factor: float) -> dict[str, Any]:
    source = known_models()["Gemma-3-12B"].config
    text = source["text_config"] | {"rope_scaling": {"rope_type": "linear", "factor": factor}}
    return {**source, "text_config": text}


MROPE_YARN = {**YARN, "mrope_section": [16, 24, 24], ORIGINAL: 32768}
OMNI = {
    "model_type": "qwen2_5_omni",
    "thinker_config": {
        "model_type": "qwen2_5_omni_thinker",
        "text_config": known(QWEN, model_type="qwen2"),
    },
}
INTERN = {
    "model_type": "internvl",
    "text_config": known("Qwen3-8B", YARN, 131072),
}
NO_BASE = {name: value for name, value in known("Qwen3-8B").items() if name != "rope_theta"}
NO_BASE_YARN = {**NO_BASE, "rope_scaling": yarn(4.0, 32768)}
TWO_OBJECTS = {
    **NO_BASE_YARN,
    DECLARED: 131072,
    "rope_parameters": {"rope_type": "default", "rope_theta": 1000000},
}
TWICE = yarn(2.0, 131072)

YARN_GEMMA = gemma(8.0)
YARN_GEMMA["text_config"] |= {"rope_scaling": TWICE}
PHI4_YARN = known("Phi-4", rope_scaling=yarn(2.0, 16384), declared=32768)
# File, target, verdict and how sure it is, and the reason that tells whose scaling it is.
WHOSE: list[tuple[Any, ...]] = [
    # The scaling of the released file, and the same with another number.
    (known("Llama-3.1-8B"), 131072, "reaches, sure", "own"),
    (llama31(32.0), 131072, "extend, guess", "restored"),
    (llama31(32.0, 524288), 524288, "reaches, guess", "own_edited"),
    (known("Llama-3.2-1B", llama3(8192)), 131072, "extend, guess", "restored"),
    (gemma(8.0), 131072, "reaches, sure", "own"),
    (gemma(2.0), 131072, "extend, guess", "restored"),
    # Somebody's, where the makers document another.
    (known(QWEN, llama3(32768), 131072), 131072, "extend, likely", "replaced"),
    # Somebody's, and nobody knows whose.
    (unknown(llama3(8192), 262144), 262144, "reaches, guess", "own_unknown"),
    # The declared length alone was raised.
    (known("Llama-3.2-1B", declared=262144), 262144, "extend, guess", "own"),
    (known("Phi-4-mini", declared=262144), 262144, "cannot, none", "lists"),
    (known("Phi-3-mini-128k", declared=262144), 262144, "cannot, none", "lists"),
    # YaRN as the model card has it, which advises against it, beside a declared length that is
    # no training.
    (known("Qwen2.5-VL-7B", MROPE_YARN), 131072, "reaches, likely", "not_with_own"),
    (known("Qwen2.5-VL-7B"), 131072, "extend, likely", "known"),
    # A model with speech around Qwen2.5-7B is another model.
    (OMNI, 131072, "extend, likely", "wrapped"),
    (OMNI, 32768, "reaches, likely", "wrapped"),
    (INTERN, 131072, "extend, likely", "counted"),
    # A base that no model of this shape has, smaller, and larger with longer texts.
    (known(QWEN, rope_theta=1e4), 32768, "reaches, guess", "base_against_known"),
    (LLAMA3_1M, 1000000, "reaches, guess", "base_raised"),
    (LLAMA3_1M, 131072, "reaches, likely", "unknown"),
    (MISTRAL_LONG, 131072, "reaches, guess", "base_raised"),
    (MISTRAL_LONG, 65536, "reaches, likely", "unknown"),
    # A file that lost its base, or has it in the one of two objects that is not read, or lost the
    # alpha that makes it larger.
    (NO_BASE_YARN, 131072, "extend, guess", "known"),
    (TWO_OBJECTS, 131072, "extend, guess", "known"),
    ({**HUNYUAN, "rope_scaling": None}, 131072, "extend, guess", "base_against_known"),
    # The recipe for an unscaled model on one that has a scaling: the makers' is gone.
    (YARN_GEMMA, 262144, "extend, guess", "restored"),
    (known("Phi-3-mini-128k", TWICE, 262144), 131072, "cannot, none", "restored"),
    (known("Phi-3-mini-128k", TWICE, 262144), 262144, "cannot, none", "restored"),
    (known("Phi-4-mini", TWICE, 262144), 131072, "extend, guess", "restored"),
    (known("Phi-4-mini", TWICE, 262144), 262144, "cannot, none", "lists"),
    # LongRoPE's lists say which model it is, and its factor on cos and sin hangs on both lengths.
    (known("Phi-3.5-mini", declared=32768), 32768, "extend, guess", "restored"),
    (known("Phi-3.5-mini", declared=262144), 131072, "extend, guess", "restored"),
    (known("Phi-3.5-mini", **{ORIGINAL: 131072}), 131072, "extend, guess", "restored"),
    # The makers give a fifth of what the file declares.
    (known("DeepSeek-V2-Lite"), 32768, "reaches, sure", "known"),
    (known("DeepSeek-V2-Lite"), 163840, "reaches, guess", "said"),
    # transformers does not load it, and nor do servers that read with its classes.
    (PHI4_YARN, 32768, "extend, guess", "errors"),
    # Dynamic scaling has no length at which it ends.
    (known("Phi-4", DYNAMIC), 8192, "extend, guess", "errors"),
    (known("Phi-4", DYNAMIC), 65536, "extend, guess", "errors"),
]


@pytest.mark.parametrize(("file", "target", "verdict", "code"), WHOSE)
def test_whose_scaling_it_is(file: dict[str, Any], target: int, verdict: str, code: str) -> None:
    choice = choose(RopeConfig.from_hf(file), target)
    assert f"{choice.verdict}, {choice.sureness}" == verdict, choice.clause
    assert code in [one.code for one in choice.reasons]


def test_longropes_lists_say_which_model_it_is() -> None:
    for name in ("Phi-3-mini-128k", "Phi-3.5-mini"):
        released = RopeConfig.from_hf(known(name))
        for fields in ({DECLARED: 32768}, {DECLARED: 262144}, {ORIGINAL: 131072}):
            edited = RopeConfig.from_hf(known(name, **fields))
            assert [one.name for one in alike(edited)] == [name]
            choice = choose(edited, 32768)
            assert choice.config is not None
            assert choice.config.layers == released.layers
    message = next(one.message for one in edited.findings if one.code == "scaling_edited")
    assert "longrope scaling for texts beyond 4096; this file has longrope scaling" in message


@pytest.mark.parametrize("file", [NO_BASE_YARN, TWO_OBJECTS])
def test_a_lost_base_is_in_every_line(file: dict[str, Any]) -> None:
    before = RopeConfig.from_hf(file)
    choice = choose(before, 131072)
    assert choice.clause.startswith("First write rope_theta 1,000,000, the base of Qwen3-8B")
    assert choice.config is not None
    assert choice.config.rotary["all"].scaling == FOUR
    for engine in ("vllm", "sglang", "mlx", "transformers_5"):
        assert '"rope_theta":1000000.0' in choice.config.settings(engine, before).text.replace(
            " ", ""
        )
    assert "--rope-freq-base 1000000 " in choice.config.settings("llama_cpp", before).text
    missing = next(one for one in before.findings if one.code == "base_missing")
    assert missing.remedy == "Write rope_theta: 1000000, as Qwen3-8B has it, which has this shape."


def test_a_lost_base_is_named_as_its_family_names_it() -> None:
    file = dict(model_named("glm-4-9b-chat-1m").config)
    del file["rope_ratio"]
    before = RopeConfig.from_hf(file)
    choice = choose(before, 1_000_000)
    assert choice.clause.startswith("First write rope_ratio 10,000, the base of glm-4-9b-chat-1m")
    missing = next(one for one in before.findings if one.code == "base_missing")
    assert missing.remedy.startswith("Write rope_ratio: 10000, as glm-4-9b-chat-1m has it")
    assert choice.config is not None
    assert '"rope_ratio":10000.0' in choice.config.settings("sglang", before).text


def test_a_file_that_no_class_loads_is_mended_before_its_line() -> None:
    before = RopeConfig.from_hf(PHI4_YARN)
    choice = choose(before, 32768)
    assert choice.clause.startswith("Take the scaling out of the file")
    assert choice.config is not None
    for engine in ("vllm", "sglang"):
        written = choice.config.settings(engine, before)
        assert '"rope_type":"yarn","factor":2.0' in written.text
        assert written.notes[0].startswith("Take the scaling out of config.json first: ")
        assert not [note for note in written.notes if "Write the fields into config.json" in note]
    # Nor is it right "if this model was trained further".
    edited = choose(RopeConfig.from_hf(known("Phi-4-mini", TWICE, 262144)), 131072)
    doubt = next(one.text for one in edited.reasons if one.code == "contradicted")
    assert doubt.startswith("transformers 5.23 refuses to load a phi3 file with yarn scaling")


def test_a_model_with_an_edited_factor_is_still_that_model() -> None:
    edited = {**LLAMA3, "factor": 16.0, ORIGINAL: 8192}
    config = RopeConfig.from_hf(known("Llama-3.1-8B", edited))
    assert [one.name for one in alike(config)] == ["Llama-3.1-8B"]
    written = choose(RopeConfig.from_hf(known("Llama-3.1-8B")), 262144).config
    assert written is not None
    assert "declared_above_trained" not in {one.code for one in written.findings}


def test_a_raised_length_beside_the_makers_lists_is_found() -> None:
    raised = RopeConfig.from_hf(known("Phi-4-mini", declared=262144))
    assert "declared_above_trained" in {one.code for one in raised.findings}


def test_the_length_that_a_class_fills_in_is_not_missing() -> None:
    file = {name: one for name, one in known("Phi-3-mini-128k").items() if name != ORIGINAL}
    assert RopeConfig.from_hf(file).rotary["all"].original_length == 4096
    assert "trained_length_missing" not in {one.code for one in RopeConfig.from_hf(file).findings}


@pytest.mark.parametrize(
    ("scaling", "words"),
    [
        ({**YARN, "rope_type": "YaRN", ORIGINAL: 4096}, "got 'YaRN': 'yarn' is probably meant"),
        ({**YARN, "rope_type": "ntk"}, "got 'ntk': 'dynamic' is probably meant"),
        ({**YARN, "rope_type": "linear "}, "got 'linear ': 'linear' is probably meant"),
        ({**YARN, "rope_type": "dynamic-yarn"}, "factor follows the length.*: 'yarn', with the"),
        ({**YARN, "rope_type": "ntk_by_parts"}, "'yarn' with attention_factor 1 comes nearest"),
        ({**YARN, "type": "Llama3", "rope_type": None}, "got 'Llama3': 'llama3' is probably"),
        (
            {**YARN, ORIGINAL: 4096, "beta_fast": 1, "beta_slow": 32},
            "beta_fast must be at least rope_scaling.beta_slow, got 1 and 32: they are probably "
            "swapped",
        ),
        (
            {**LLAMA3, ORIGINAL: 4096, "low_freq_factor": 4.0, "high_freq_factor": 1.0},
            "high_freq_factor must be at least rope_scaling.low_freq_factor, got 1 and 4: they",
        ),
    ],
)
def test_a_word_that_nobody_reads_is_refused_with_the_one_that_is_meant(
    scaling: dict[str, Any], words: str
) -> None:
    with pytest.raises(ValueError, match=words):
        RopeConfig.from_hf(unknown(scaling))


@pytest.mark.parametrize(
    ("name", "target"),
    [
        *(("Gemma-3-12B", 131072), ("OLMo-3.1-32B", 65536), ("EXAONE-4.0-32B", 131072)),
        ("OLMo-3-7B", 65536),
    ],
)
def test_layers_of_several_kinds_get_the_released_scaling_back(name: str, target: int) -> None:
    source = model_named(name).config
    text = {**source.get("text_config", source), "rope_scaling": None}
    lost = RopeConfig.from_hf({**source, "text_config": text} if "text_config" in source else text)
    assert not any(one.scaling for one in lost.rotary.values())
    choice = choose(lost, target)
    assert (choice.verdict, choice.sureness) == ("extend", "guess"), choice.clause
    assert choice.clause.startswith("The released file's ")
    assert choice.config is not None
    assert choice.config.layers == RopeConfig.from_hf(source).layers
    remedy = next(one.remedy for one in lost.findings if one.code == "scaling_missing")
    assert '"rope_scaling": {' in remedy


def test_a_window_gets_the_released_scaling_back_as_a_guess() -> None:
    source = known_models()["Llama-4-Scout"].config
    text = {**source["text_config"], "rope_scaling": None}
    choice = choose(RopeConfig.from_hf({**source, "text_config": text}), 1000000)
    assert (choice.verdict, choice.sureness) == ("extend", "guess")
    assert (
        "factor 16 on 8,192, and no more: every layer that rotates sees a window" in choice.clause
    )


def test_a_model_released_before_and_after_its_extension_is_told_apart() -> None:
    after = dict(model_named("OLMo-3-7B").config)
    before = known("OLMo-3-7B before its extension")
    for file, target in ((after, 65536), (before, 8192)):
        config = RopeConfig.from_hf(file)
        assert choose(config, target).sureness == "sure"
        assert not [one for one in config.findings if one.severity != "info"]
    assert "factor 8" in choose(RopeConfig.from_hf(before), 65536).clause


def test_what_an_edited_scaling_has_otherwise_is_named() -> None:
    edited = {**LLAMA3, "high_freq_factor": 8.0, ORIGINAL: 8192}
    config = RopeConfig.from_hf(known("Llama-3.1-8B", edited))
    message = next(one.message for one in config.findings if one.code == "scaling_edited")
    assert "released with llama3 scaling, high_freq_factor 4; this file has llama3" in message
    assert "scaling, high_freq_factor 8." in message


@pytest.mark.parametrize("hidden", [2560, 5376])
def test_other_sizes_of_gemma_3_are_known(hidden: int) -> None:
    heads, kv, layers, wide, width = (
        (8, 4, 34, 10240, 256) if hidden == 2560 else (32, 16, 62, 21504, 128)
    )
    shape = {"hidden_size": hidden, "num_attention_heads": heads, "num_key_value_heads": kv}
    shape |= {"num_hidden_layers": layers, "intermediate_size": wide, "head_dim": width}
    source = gemma(8.0)
    whole = {**source, "text_config": {**source["text_config"], **shape}}
    assert choose(RopeConfig.from_hf(whole), 131072).sureness == "sure"
    lost = {**source, "text_config": {**source["text_config"], **shape, "rope_scaling": None}}
    assert choose(RopeConfig.from_hf(lost), 131072).sureness == "guess"
    assert "scaling_missing" in {one.code for one in RopeConfig.from_hf(lost).findings}


def test_a_base_of_its_own_length_is_no_wrong_one() -> None:
    # Models of one shape with different bases; a longer text on a larger base.
    for file in (
        known("Llama-2-7B", declared=32768),
        known("CodeLlama-7B"),
        known("Mistral-7B-v0.3"),
        known("Llama-3-8B", rope_theta=3.58e9, declared=1048576),
    ):
        codes = [one.code for one in RopeConfig.from_hf(file).findings if one.severity != "info"]
        assert "base_against_known" not in codes


def test_a_window_without_the_released_scaling_is_not_sure_beside_the_finding() -> None:
    released = dict(known_models()["EXAONE-4.0-32B"].config)
    released.pop("rope_scaling")
    lost = RopeConfig.from_hf(released)
    assert "scaling_missing" in {one.code for one in lost.findings}
    assert choose(lost, 131072).sureness == "guess"
    assert (
        choose(RopeConfig.from_hf(known_models()["EXAONE-4.0-32B"].config), 131072).sureness
        != "guess"
    )


def test_no_finding_takes_a_scaling_back_that_the_model_was_trained_with() -> None:
    # Yarn-Mistral-7b-128k declares the length of the model that it was made from.
    scaling = {**YARN, "factor": 16.0, "finetuned": True, ORIGINAL: 8192}
    config = RopeConfig.from_hf(known("Mistral-7B-v0.1", rope_scaling=scaling, sliding_window=None))
    remedy = next(one.remedy for one in config.findings if one.code == "factor_against_lengths")
    assert remedy == "Set max_position_embeddings to 131072."


def test_the_price_on_short_texts_is_told_for_the_length_that_is_advised() -> None:
    config = RopeConfig.from_hf(qwen3(YARN, 131072))
    told = next(one.message for one in config.findings if one.code == "yarn_acts_on_short_texts")
    assert "texts of at most 32768 tokens" in told
