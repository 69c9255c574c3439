"""Every engine gets its settings or a reason, and which field of a file counts for which."""

import ast
import json
import re
import shlex
from dataclasses import replace
from pathlib import Path

import pytest

from advisor import RopeConfig, extend_config, facts, known_models
from advisor.engines.all import ENGINES, engine_readings, settings
from advisor.engines.engine import Serving
from advisor.facts import TRIED
from advisor.training import trained_length
from tests.advisor.files import AUTO_MAP, read
from tests.kinds import known

ORIGINAL = "original_max_position_embeddings"
QWEN = known_models()["Qwen2.5-7B-Instruct with YaRN"].config
LLAMA = known_models()["Llama-2-7B"].config
IN_CONFIG = (
    *("transformers_5", "transformers_4", "tensorrt_llm", "mlx", "mlx_vlm", "exllamav3", "tgi"),
)


def test_every_engine_says_from_which_version_its_form_is_right() -> None:
    for name, engine in ENGINES.items():
        assert name == engine.id
        assert name.isascii()
        assert engine.title
        assert engine.place
        assert engine.versions
        about = TRIED[name]
        told = about.release if name.startswith("transformers") else about.dated
        assert str(engine.sources).startswith(told), name


def test_a_release_stands_in_the_dated_table_alone() -> None:
    """No sentence of the library names a release that was run or read: the table gives it."""
    releases = {one.version.split()[-1] for one in TRIED.values()}
    others = [word for one in TRIED.values() for word in (*one.also, one.within)]
    releases |= {each for word in others for each in word.split() if each[0].isdigit()}
    releases |= {one.since for one in facts.ROWS if re.fullmatch(r"[\d.]+\.\d+", one.since)}
    paths = Path(facts.__file__).parent.rglob("*.py")
    for path in (one for one in paths if one.parent.name != "units"):
        for call in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(call, ast.Call) and getattr(call.func, "id", "") == "say":
                words = re.findall(r"[\w.]*\w", ast.literal_eval(call.args[0]))
                assert not releases & {*words}, (path.name, words)


def test_no_sentence_asks_for_a_call_of_this_library() -> None:
    """Who has a config.json in hand has no Python: a remedy is text to paste or a command."""
    for path in Path(facts.__file__).parent.rglob("*.py"):
        for call in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(call, ast.Call) and getattr(call.func, "id", "") in ("say", "reason"):
                words = " ".join(str(ast.literal_eval(one)) for one in call.args[:2])
                assert not re.search(r"\w\(\w+=", words), (path.name, words)


def beyond_the_file(engine: str) -> str:
    """Notes beside settings for more tokens than the file declares."""
    before = known("Qwen3-8B")
    longer = extend_config(before, "all", "yarn", 131072)
    return " ".join(longer.settings(engine, before, Serving(length=131072)).notes)


@pytest.mark.parametrize(
    ("row", "told"),
    [
        (("context_length", "llama_cpp"), lambda: beyond_the_file("llama_cpp")),
        (("--yarn-attn-factor", "llama_cpp"), lambda: ENGINES["llama_cpp"].versions),
        (("dynamic", "mlx"), lambda: ENGINES["mlx"].versions),
        (("--alpha_value", "webui_exllama"), lambda: ENGINES["webui_llama_cpp"].versions),
        (("rope_parameters", "transformers_5"), lambda: ENGINES["transformers_5"].versions),
        (("rope_parameters", "vllm"), lambda: ENGINES["vllm"].versions),
    ],
    ids=lambda one: "-".join(one) if isinstance(one, tuple) else "",
)
def test_words_take_their_dates_from_the_table(row, told) -> None:
    assert facts.dated(*row) in told()


@pytest.mark.parametrize("engine", ENGINES)
def test_every_known_model_gets_settings_or_a_sentence(engine: str) -> None:
    for name in known_models():
        config = known(name)
        try:
            written = config.settings(engine)
        except ValueError as refused:
            assert str(refused).endswith("."), name  # noqa: PT017 - it may also be written
            continue
        assert all(note.endswith(".") for note in written.notes), name
        if config.reach is not None and not engine.startswith(("transformers", "mlx")):
            assert str(config.reach) in written.text + "".join(written.notes), name


@pytest.mark.parametrize("engine", IN_CONFIG)
def test_a_scaling_that_is_written_into_the_file_is_read_back(engine: str) -> None:
    before = known("Llama-2-7B")
    # TGI reads linear scaling and applies none.
    longer = extend_config(before, "all", "yarn" if engine == "tgi" else "linear", 16384)
    written = longer.settings(engine, before)
    again = RopeConfig.from_hf({**LLAMA, "rope_theta": None, **json.loads(written.text)})
    assert again.layers == longer.layers


def test_exllamav2_takes_the_scaling_of_the_file_away() -> None:
    before = known("LongChat-7b-16k")
    assert before.settings("exllamav2", before).text == "--length 16384"
    plain = RopeConfig.from_hf({**LLAMA, "max_position_embeddings": 16384})
    expected = "--length 16384 --rope_scale 1"
    assert plain.settings("exllamav2", before).text == expected


def test_nothing_is_written_for_a_model_that_is_not_known() -> None:
    config = known("Llama-2-7B")
    layer = replace(config.rotary["all"], layout="unknown")  # type: ignore[arg-type]
    unknown = replace(config, layers={"all": layer})
    for engine in ENGINES:
        with pytest.raises(ValueError, match="nothing is written for llama"):
            settings(unknown, engine)


def test_an_engine_that_is_not_known_is_refused() -> None:
    with pytest.raises(
        ValueError, match="engine must be one of 'vllm', 'sglang', 'llama_cpp', 'ollama'"
    ):
        known("Llama-2-7B").settings("aphrodite")


@pytest.mark.parametrize(
    ("engine", "file", "longest"),
    [
        # vLLM multiplies the declared length by a linear factor.
        ("transformers 5.23", "LongChat-7b-16k", 16384),
        ("vLLM 0.33.0", "LongChat-7b-16k", 131072),
        ("vLLM 0.27.0", "LongChat-7b-16k", 131072),
        # llama3 declares the longer length already; longrope is read up to the trained one.
        ("vLLM 0.33.0", "Llama-3.1-8B", 131072),
        ("vLLM 0.33.0", "Phi-3-mini-128k", 4096),
        ("SGLang 0.5.23", "Llama-2-7B, dynamic 2", 8192),
        ("vLLM 0.33.0", "Llama-2-7B, dynamic 4", 16384),
        ("SGLang 0.5.23", "Llama-2-7B, linear 4", 16384),
        ("SGLang 0.5.23", "Llama-2-7B, linear 4 on 1024", 4096),
        ("SGLang 0.5.23", "Llama-2-7B, yarn 4 on 4096", 4096),
        # Objects by layer type are left alone.
        ("vLLM 0.33.0", "Gemma-3-12B", 131072),
        ("SGLang 0.5.23", "Gemma-3-12B", 131072),
        # Other names of a length, which come before max_position_embeddings.
        ("vLLM 0.33.0", "Command-R-v01, model_max_length=131072", 131072),
        ("SGLang 0.5.23", "Command-R-v01, model_max_length=131072", 131072),
        ("llama.cpp", "Command-R-v01, model_max_length=131072", 131072),
        ("vLLM 0.33.0", "Llama-2-7B, max_sequence_length=2048", 2048),
        ("SGLang 0.5.23", "Llama-2-7B, max_sequence_length=2048", 2048),
        ("llama.cpp", "Llama-2-7B, max_sequence_length=2048", 4096),
    ],
)
def test_the_longest_text_that_an_engine_reads(engine: str, file: str, longest: int) -> None:
    config = read(file)
    kind = "full_attention" if "full_attention" in config.rotary else "all"
    by_engine = {one.engine: one.longest for one in engine_readings(config, kind)}
    assert by_engine[engine] == longest


def test_what_counts_where_the_declared_length_was_not_raised() -> None:
    """transformers 38224: the factor that had no effect."""
    readings = engine_readings(read("Qwen2.5-7B-Instruct, yarn 4 on 32768"), "all")
    assert {r.engine: (r.trained_length, r.factor, r.longest) for r in readings} == {
        "transformers 5.23": (32768, 4.0, 32768),
        "transformers 4.51": (32768, 1.0, 32768),
        "vLLM 0.33.0": (32768, 4.0, 32768),
        "vLLM 0.27.0": (32768, 4.0, 131072),
        "SGLang 0.5.23": (32768, 4.0, 32768),
        "llama.cpp": (32768, 4.0, 32768),
        "exllamav3 1.6.5": (32768, 1.0, 32768),
    }


def test_vllm_is_not_said_to_scale_what_it_does_not() -> None:
    for model in ("internlm2", "minicpm", "qwen2_moe", "llama"):
        config = read(f'InternLM2, dynamic 2, model_type="{model}"')
        by_engine = {one.engine: one.factor for one in engine_readings(config, "all")}
        assert by_engine[TRIED["vllm"].release] is None


@pytest.mark.parametrize(
    ("top", "own", "expected"),
    [
        (None, None, (131072, "max_position_embeddings")),
        (None, 32768, (32768, f"rope_scaling.{ORIGINAL}")),
        (16384, 32768, (16384, ORIGINAL)),
        (16384, None, (16384, ORIGINAL)),
    ],
)
def test_which_trained_length_counts_in_transformers_5(top, own, expected) -> None:
    scaling = {"rope_type": "yarn", "factor": 4.0, **({ORIGINAL: own} if own else {})}
    fields = {**QWEN, "max_position_embeddings": 131072, "rope_scaling": scaling}
    config = RopeConfig.from_hf({**fields, **({ORIGINAL: top} if top else {})})
    reading = engine_readings(config, "all")[0]
    assert (reading.trained_length, reading.trained_from) == expected
    assert reading.trained_length == config.rotary["all"].scaling.original_length


@pytest.mark.parametrize("engine", ["vllm", "mlx"])
@pytest.mark.parametrize(
    ("name", "scaling"),
    [
        ("Llama-2-7B", {"rope_type": "dynamic", "factor": 2.0}),
        ("Mixtral-8x7B", {"rope_type": "dynamic", "factor": 2.0}),
        ("Gemma-2-9B", {"rope_type": "linear", "factor": 2.0}),
        ("Phi-2", {"rope_type": "linear", "factor": 2.0}),
    ],
)
def test_engines_that_are_named_instead_write_the_settings(
    engine: str, name: str, scaling: dict
) -> None:
    config = RopeConfig.from_hf({**known_models()[name].config, "rope_scaling": scaling})
    try:
        config.settings(engine)
    except ValueError as refused:
        named = str(refused).partition("Run with")[2]
    else:
        return
    for other, about in TRIED.items():
        if about.release in named:
            assert config.settings(other).text is not None, other


def test_the_engines_that_most_people_use_come_first() -> None:
    assert list(ENGINES)[:4] == ["vllm", "sglang", "llama_cpp", "ollama"]


def test_sglang_gets_fields_where_its_classes_of_qwen_vl_look() -> None:
    # The classes build the text model of the outer fields: without them nothing was scaled.
    for name in ("Qwen2-VL-7B", "Qwen2.5-VL-7B", "Qwen3-VL-4B"):
        before = RopeConfig.from_hf(known_models()[name].config)
        longer = extend_config(before, "all", "linear", 4 * trained_length(before, "all"))
        told = json.loads(shlex.split(longer.settings("sglang", before).text)[1])
        inner = told.pop("text_config")
        assert inner == told
        assert told["rope_scaling"]["factor"] == 4


@pytest.mark.parametrize("name", ["Llama-2-7B", "DeepSeek-V3", "Mistral-Small-3.1-24B"])
def test_code_that_transformers_has_is_not_the_files(name: str) -> None:
    """A released file may name code (auto_map) from before its class was in transformers."""
    config = RopeConfig.from_hf({**known_models()[name].config, "auto_map": AUTO_MAP})
    for engine in ("transformers_5", "vllm", "sglang"):
        notes = "".join(config.settings(engine).notes)
        assert "no class for" not in notes
    assert "rope_parameters" in config.settings("transformers_5").text


def test_a_text_model_of_transformers_is_so_within_another() -> None:
    """InternVL's files: code of their own around a Qwen2 of transformers."""
    inner = {**QWEN, "architectures": ["Qwen2ForCausalLM"]}
    file = {"model_type": "internvl_chat", "auto_map": AUTO_MAP, "llm_config": inner}
    written = RopeConfig.from_hf(file).settings("transformers_5")
    assert not written.notes
    assert "rope_parameters" in written.text
