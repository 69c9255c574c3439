"""Files whose lengths say something else than they seem to: what is advised, and why."""

import pytest

from advisor import RopeConfig
from advisor.choosing.choice import Choice
from advisor.choosing.choose import choose
from advisor.choosing.take import take
from advisor.comparing.layer import RopeLayer
from advisor.known_models import alike
from advisor.training import is_consistent
from posenc.scaling import Linear, Llama3
from posenc.scaling.dynamic import DynamicNTK
from tests.advisor.files import DECLARED, ORIGINAL, read, rows


def shown(layer: RopeLayer) -> str:
    """A layer's scaling as the tables have it."""
    if layer.scaling is None:
        return "none"
    factor = f"{layer.rope_type} {getattr(layer.scaling, 'factor', 1):g}"
    length = getattr(layer.scaling, "original_length", None)
    return factor if length is None else f"{factor} on {length}"


def written(choice: Choice) -> RopeConfig:
    """The file that is exported."""
    assert choice.config is not None, choice.clause
    return choice.config


@pytest.mark.parametrize(
    "row", rows(__file__, "advised.txt"), ids=lambda row: f"{row[0]} at {row[1]}"
)
def test_what_is_advised(row: list[str]) -> None:
    file, target, advice, layer, codes, words = row
    config = read(file)
    choice = choose(config, int(target))
    assert f"{choice.verdict}, {choice.sureness}" == advice, choice.clause
    assert words in choice.clause
    reasons = {one.code for one in choice.reasons}
    assert {*codes.split()} <= reasons
    assert choice.sureness != "sure" or "own_unknown" not in reasons
    assert (choice.config is None) == advice.startswith(("cannot", "unknown"))
    if choice.config is None or not choice.config.rotary:
        return
    key = next(iter(choice.layer_types or choice.config.rotary))
    scaling = choice.config.rotary[key].scaling
    assert shown(choice.config.rotary[key]) == layer
    assert "No scaling" not in choice.clause or scaling is None
    # The factor that is told is the one that is written.
    assert choice.method != choice.config.rotary[key].rope_type or (
        choice.factor == getattr(scaling, "factor", None)
    )
    assert isinstance(scaling, DynamicNTK) or (choice.config.reach or 0) >= int(target)
    # What is written is read back as it was meant, and needs nothing more.
    again = RopeConfig.from_hf(choice.config.to_hf())
    assert again.rotary[key].scaling == scaling
    settled = choose(again, int(target)).config
    assert settled is not None
    assert settled.layers == choice.config.layers
    # A trained length that a finding asks for is the one that is advised, and then it is there.
    codes_of_length = ("trained_length_missing", "trained_length_against_makers", "misspelt_field")
    remedies = [one.remedy for one in config.findings if one.code in codes_of_length]
    # What is complete is not overruled, and the remedy says unless.
    is_kept = is_consistent(config.rotary.get(key) or next(iter(config.rotary.values())))
    if remedies and scaling is not None and not is_kept:
        assert str(getattr(scaling, "original_length", None)) in remedies[0]
        left = [one for one in choice.config.findings if one.code in codes_of_length]
        assert choice.config == config or not left


@pytest.mark.parametrize("row", rows(__file__, "reasons.txt"), ids=lambda row: "-".join(row[:3]))
def test_why(row: list[str]) -> None:
    file, target, code, words = row
    told: dict[str, str] = {}
    for one in choose(read(file), int(target)).reasons:
        told[one.code] = f"{told.get(one.code, '')} {one.text}"
    if code.startswith("no "):
        assert code.removeprefix("no ") not in told
    else:
        assert words in told[code]


def test_both_readings_of_an_open_file_are_told() -> None:
    told = [one.text for one in choose(read("unknown, yarn 4, declares 131072"), 262144).reasons]
    assert told == [
        f"Write {ORIGINAL}: the length before scaling.",
        "If it was 32,768, 262,144 tokens need YaRN scaling with factor 8 on 32,768.",
        "If it was 131,072, 262,144 tokens need YaRN scaling with factor 2 on 131,072.",
    ]


def test_a_stretched_file_names_the_length_before_its_scaling() -> None:
    fields = written(choose(read("Llama-2-7B, linear 4, declares 16384"), 32768)).to_hf()
    assert fields[DECLARED] == 32768
    assert fields["rope_parameters"]["factor"] == 8
    assert fields["rope_parameters"][ORIGINAL] == 4096


def test_a_scaling_that_is_right_is_not_written_anew() -> None:
    config = read("PhiMoE")
    assert choose(config, 65536).config == config


LISTS = (
    "declares 32768",
    "declares 262144",
    "original_max_position_embeddings=131072",
)


@pytest.mark.parametrize(
    ("name", "changes", "target"),
    [
        ("Gemma-3-12B", ["no scaling"], 131072),
        ("OLMo-3.1-32B", ["no scaling"], 65536),
        ("OLMo-3-7B", ["no scaling"], 65536),
        ("EXAONE-4.0-32B", ["no scaling"], 131072),
        ("DeepSeek-V3", ["factor 10"], 131072),
        ("Phi-3-mini-128k", LISTS, 32768),
        ("Phi-3.5-mini", LISTS, 32768),
    ],
)
def test_the_released_layers_come_back(name: str, changes: list[str], target: int) -> None:
    for change in changes:
        choice = choose(read(f"{name}, {change}"), target)
        assert written(choice).layers == read(name).layers


def test_an_edited_model_is_still_that_model() -> None:
    for name, changes in (
        ("Llama-3.1-8B", ["factor 16"]),
        ("Phi-3-mini-128k", LISTS),
        ("Phi-3.5-mini", LISTS),
    ):
        for change in changes:
            assert [one.name for one in alike(read(f"{name}, {change}"))] == [name]
    longer = written(choose(read("Llama-3.1-8B"), 262144))
    assert "declared_above_trained" not in {one.code for one in longer.findings}
    longer = written(choose(read("Kimi-K2"), 262144))
    assert longer.rotary == read("Kimi-K2, factor 64, declares 262144").rotary


def test_nothing_is_wrong_before_and_after_an_extension() -> None:
    for name in ("OLMo-3-7B", "OLMo-3-7B before its extension"):
        assert not [one for one in read(name).findings if one.severity != "info"]


def test_a_method_of_ones_own_counts_from_the_training() -> None:
    broken = take(read("Qwen3-8B, yarn 4, declares 131072"), "llama3", 131072)
    assert written(broken).rotary["all"].scaling == Llama3(4.0, 1.0, 4.0, 32768)
    # A file that can be read in two ways is not stretched in one of them silently.
    with pytest.raises(ValueError, match="before or after scaling"):
        take(read("unknown, yarn 4, declares 131072"), "linear", 262144)
    nemo = take(read("Mistral-Nemo, declares 1024000"), "linear", 262144)
    assert written(nemo).rotary["all"].scaling == Linear(2.0)


@pytest.mark.parametrize("change", ["declares 40960", 'rope_parameters={"rope_theta":1000000}'])
def test_a_lost_base_is_in_every_line(change: str) -> None:
    before = read(f"Qwen3-8B, no rope_theta, yarn 4 on 32768, {change}")
    after = written(choose(before, 131072))
    for engine in ("vllm", "sglang", "mlx", "transformers_5"):
        line = after.settings(engine, before).text.replace(" ", "")
        assert '"rope_theta":1000000.0' in line
    assert "--rope-freq-base 1000000 " in after.settings("llama_cpp", before).text


def test_a_lost_base_is_named_as_its_family_names_it() -> None:
    before = read("glm-4-9b-chat-1m, no rope_ratio")
    after = written(choose(before, 1_000_000))
    assert '"rope_ratio":10000.0' in after.settings("sglang", before).text


def test_a_file_that_no_class_loads_is_mended_before_its_line() -> None:
    before = read("Phi-4, yarn 2 on 16384, declares 32768")
    after = written(choose(before, 32768))
    for engine in ("vllm", "sglang"):
        line = after.settings(engine, before)
        assert '"rope_type":"yarn","factor":2.0' in line.text
        assert line.notes[0].startswith("Take the scaling out of config.json first: ")
        assert not [note for note in line.notes if "Write the fields into config.json" in note]
    # Nor is it right "if this model was trained further".
    edited = choose(read("Phi-4-mini, yarn 2 on 131072, declares 262144"), 131072)
    doubt = next(one.text for one in edited.reasons if one.code == "contradicted")
    assert doubt.startswith("transformers 5.23 refuses to load a phi3 file with yarn scaling")
