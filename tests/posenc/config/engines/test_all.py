"""Every engine gets its settings or a reason, and which field of a file counts for which."""

import ast
import json
import re
import shlex
from dataclasses import replace
from pathlib import Path

import pytest

from posenc import RopeConfig, extend_config, known_models
from posenc.config import facts
from posenc.config.choosing.choose import choose
from posenc.config.engines.all import ENGINES, engine_readings, settings
from posenc.config.engines.engine import Serving
from posenc.config.facts import TRIED
from posenc.config.training import trained_length
from tests.kinds import known

ORIGINAL = "original_max_position_embeddings"
QWEN = known_models()["Qwen2.5-7B-Instruct with YaRN"].config
LLAMA = known_models()["Llama-2-7B"].config
IN_CONFIG = (
    *("transformers_5", "transformers_4", "tensorrt_llm", "mlx", "mlx_vlm", "exllamav3", "tgi"),
)


def readings(config: RopeConfig) -> dict:
    return {reading.engine: reading for reading in engine_readings(config, "all")}


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
    for path in Path(facts.__file__).parent.rglob("*.py"):
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


@pytest.mark.parametrize(
    ("row", "told"),
    [
        (("context_length", "llama_cpp"), lambda: ENGINES["llama_cpp"].versions),
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


# Llama 2 with linear scaling by 4: every engine has it, in its own words.
EXPECTED = {
    "vllm": (
        '--hf-overrides \'{"rope_parameters":{"rope_type":"linear","factor":4.0,'
        '"original_max_position_embeddings":4096,"rope_theta":10000.0},'
        '"max_position_embeddings":16384}\' --max-model-len 16384'
    ),
    "vllm_old": (
        '--hf-overrides \'{"rope_theta":10000.0,"rope_scaling":{"type":"linear",'
        '"rope_type":"linear","factor":4.0,"original_max_position_embeddings":4096},'
        '"max_position_embeddings":16384}\' --max-model-len 16384'
    ),
    "sglang": (
        '--json-model-override-args \'{"max_position_embeddings":16384,"rope_scaling":{'
        '"rope_type":"linear","factor":4.0,"original_max_position_embeddings":4096,'
        '"rope_theta":10000.0},"rope_theta":10000.0}\' --context-length 16384'
    ),
    "llama_cpp": (
        "--rope-freq-base 10000 --rope-scaling linear --rope-scale 4 "
        "--override-kv llama.context_length=int:16384 --ctx-size 16384"
    ),
    "ollama": "PARAMETER num_ctx 16384",
    "lm_studio": '{\n  "contextLength": 16384\n}',
    "koboldcpp": "--contextsize 16384 --ropeconfig 0.25 10000",
    "exllamav2": "--length 16384 --rope_scale 4",
    "lmdeploy": (
        '--hf-overrides \'{"rope_parameters":{"rope_type":"linear","factor":4.0,'
        '"original_max_position_embeddings":4096,"rope_theta":10000.0},'
        '"max_position_embeddings":16384}\' --session-len 16384'
    ),
    "tabbyapi": "model:\n  max_seq_len: 16384\n  cache_size: 16384",
    "webui_exllama": "--loader ExLlamav3 --ctx-size 16384",
    "webui_llama_cpp": (
        "--loader llama.cpp --ctx-size 16384 --extra-flags '--rope-freq-base 10000 "
        "--rope-scaling linear --rope-scale 4 --override-kv llama.context_length=int:16384'"
    ),
}


@pytest.mark.parametrize("engine", ENGINES)
def test_linear_scaling_in_the_words_of_every_engine(engine: str) -> None:
    before = known("Llama-2-7B")
    # TGI reads linear scaling and applies none.
    longer = extend_config(before, "all", "yarn" if engine == "tgi" else "linear", 16384)
    written = longer.settings(engine, before)
    if engine not in IN_CONFIG:
        assert written.text == EXPECTED[engine]
        return
    again = RopeConfig.from_hf({**LLAMA, "rope_theta": None, **json.loads(written.text)})
    assert again.layers == longer.layers


def test_what_an_engine_cannot_do_is_said() -> None:
    before = known("Llama-2-7B")
    longer = extend_config(before, "all", "yarn", 16384)
    with pytest.raises(ValueError, match="exllamav2 has --rope_yarn, but places the ramp"):
        longer.settings("exllamav2", before)
    for other in ("ollama", "lm_studio", "koboldcpp"):
        (note,) = longer.settings(other, before).notes
        assert "Convert the model again with llama.cpp's convert_hf_to_gguf.py" in note
        assert "max_position_embeddings of 16384" in note


def test_a_larger_base_is_an_alpha_of_the_trained_base() -> None:
    before = known("Llama-2-7B")
    longer = extend_config(before, "all", "ntk", 16384)
    base = longer.rotary["all"].base
    assert longer.settings("exllamav2", before).text == "--length 16384 --rope_alpha 4"
    expected = f"--contextsize 16384 --ropeconfig 1 {base:.10g}"
    assert longer.settings("koboldcpp", before).text == expected
    assert json.loads(longer.settings("lm_studio", before).text) == {
        "contextLength": 16384,
        "ropeFrequencyBase": base,
    }


def test_exllamav2_takes_the_scaling_of_the_file_away() -> None:
    before = known("LongChat-7b-16k")
    assert before.settings("exllamav2", before).text == "--length 16384"
    plain = RopeConfig.from_hf({**LLAMA, "max_position_embeddings": 16384})
    expected = "--length 16384 --rope_scale 1"
    assert plain.settings("exllamav2", before).text == expected


def test_dynamic_scaling_is_refused_where_there_is_none() -> None:
    dynamic = RopeConfig.from_hf({**LLAMA, "rope_scaling": {"type": "dynamic", "factor": 2.0}})
    others = ("tensorrt_llm", "llama_cpp", "ollama", "lm_studio", "koboldcpp", "tabbyapi")
    for engine in (*others, "exllamav3"):
        with pytest.raises(ValueError, match="dynamic"):
            dynamic.settings(engine)


@pytest.mark.parametrize(
    ("engine", "names"),
    [
        ("mlx", ("BLOOM-176B", "MPT-7B", "T5", "BERT-base", "Whisper-tiny")),
        ("exllamav3", ("BLOOM-176B", "MPT-7B", "T5", "GPT-2", "BERT-base", "Jamba-v0.1")),
        ("sglang", ("BLOOM-176B", "MPT-7B", "T5", "Falcon-7B", "Jamba-v0.1")),
        ("tensorrt_llm", ("BLOOM-176B", "MPT-7B", "Falcon-7B")),
        ("tabbyapi", ("BLOOM-176B", "MPT-7B", "GPT-2", "BERT-base", "Jamba-v0.1")),
    ],
)
def test_an_engine_without_a_class_for_a_model_is_told_nothing(
    engine: str, names: tuple[str, ...]
) -> None:
    for name in names:
        with pytest.raises(ValueError, match="has no class for"):
            known(name).settings(engine)


def qwen_vl(scaling: dict) -> RopeConfig:
    return RopeConfig.from_hf({**known_models()["Qwen2.5-VL-7B"].config, "rope_scaling": scaling})


@pytest.mark.parametrize(
    ("engine", "config", "words"),
    [
        ("tgi", known("Gemma-3-12B"), "ignores linear scaling for gemma3_text"),
        ("tgi", known("Gemma-4"), "one object for all layers"),
        ("mlx_vlm", known("Phi-3-mini-128k"), "was not looked at"),
        ("lmdeploy", known("Gemma-4"), "has no proportional scaling"),
    ],
)
def test_what_a_further_engine_does_not_do_is_said(
    engine: str, config: RopeConfig, words: str
) -> None:
    with pytest.raises(ValueError, match=words):
        config.settings(engine)


def test_sections_of_images_in_further_engines() -> None:
    sections = {"mrope_section": [16, 24, 24]}
    plain = qwen_vl({"type": "mrope", **sections})
    written = json.loads(plain.settings("tgi").text)
    assert written["rope_scaling"] == {"type": "mrope", **sections}
    yarn = {"rope_type": "yarn", "factor": 4.0, ORIGINAL: 32768}
    scaled = qwen_vl({**yarn, **sections})
    for engine, words in {"tgi": "they are lost", "mlx_vlm": "does not load"}.items():
        with pytest.raises(ValueError, match=words):
            scaled.settings(engine, plain)
    # A factor that is not the ratio of the lengths is read by one of LMDeploy's engines alone.
    vision = known("Qwen3-VL-4B")
    longer = choose(vision, 1_000_000).config
    assert longer is not None
    for target, backend in ((786_432, ""), (1_000_000, "--backend pytorch ")):
        text = longer.settings("lmdeploy", vision, Serving(length=target)).text
        assert text.endswith(f"' {backend}--session-len {target}")


def test_what_a_further_engine_is_asked_for_beside_the_length() -> None:
    llama = known("Llama-3.1-8B")
    eight = Serving("q8_0", 8, 16384)
    assert llama.settings("lmdeploy", serving=eight).text == (
        "--session-len 16384 --max-batch-size 8 --quant-policy 8"
    )
    assert llama.settings("tabbyapi", serving=eight).text.splitlines()[2:] == [
        *("  cache_size: 131072", "  cache_mode: 8,8", "  max_batch_size: 8"),
    ]
    (note,) = llama.settings("tgi", serving=Serving("fp8", 1, 16384)).notes
    assert "--max-input-tokens 16383 --max-total-tokens 16384 --kv-cache-dtype fp8_e4m3fn" in note
    yarn = {"rope_type": "yarn", "factor": 4.0, ORIGINAL: 8192, "beta_fast": 16, "truncate": False}
    own = known_models()["Llama-3-8B"].config | {"rope_scaling": yarn}
    notes = RopeConfig.from_hf(own).settings("tgi").notes
    assert [note.split(":")[0] for note in notes[:2]] == [
        "TGI does not read beta_fast and beta_slow",
        "TGI does not read truncate",
    ]


def test_vllm_scales_dynamically_where_it_runs_transformers_own_class() -> None:
    # Run for smollm3, olmo2, phi and seed_oss, with a text of four times the declared length.
    scaling = {"type": "dynamic", "factor": 2.0}
    for model in ("olmo2", "seed_oss", "starcoder2"):
        dynamic = RopeConfig.from_hf({**LLAMA, "model_type": model, "rope_scaling": scaling})
        assert "runs this family in transformers' own class" in dynamic.settings("vllm").notes[0]
    for model in ("qwen2", "granite"):
        dynamic = RopeConfig.from_hf({**LLAMA, "model_type": model, "rope_scaling": scaling})
        with pytest.raises(ValueError, match=f"ignores dynamic scaling for {model}"):
            dynamic.settings("vllm")


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


def test_vllm_multiplies_the_declared_length_by_a_linear_factor() -> None:
    by_engine = readings(known("LongChat-7b-16k"))
    assert by_engine["transformers 5.23"].longest == 16384
    assert by_engine["vLLM 0.33.0"].longest == by_engine["vLLM 0.27.0"].longest == 131072
    # llama3 declares the longer length already; longrope is read up to the trained one.
    assert readings(known("Llama-3.1-8B"))["vLLM 0.33.0"].longest == 131072
    assert readings(known("Phi-3-mini-128k"))["vLLM 0.33.0"].longest == 4096
    gemma = engine_readings(known("Gemma-3-12B"), "full_attention")
    assert {reading.longest for reading in gemma} == {131072}


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


def test_sglang_reads_dynamic_scaling_to_factor_times_the_declared_length() -> None:
    dynamic = RopeConfig.from_hf({**LLAMA, "rope_scaling": {"type": "dynamic", "factor": 2.0}})
    (note,) = dynamic.settings("sglang", serving=Serving(length=8192)).notes
    assert "that of a text of 8,192 tokens, factor times the declared length" in note
    with pytest.raises(ValueError, match=r"reaches 8,192, .* A factor of 4 reaches it"):
        dynamic.settings("sglang", serving=Serving(length=16384))
    linear = {"type": "linear", "factor": 4.0}
    for scaling, longest in (
        (dynamic.source["rope_scaling"], 8192),
        (linear, 16384),
        ({**linear, "original_max_position_embeddings": 1024}, 4096),
        ({"type": "yarn", "factor": 4.0, "original_max_position_embeddings": 4096}, 4096),
    ):
        config = RopeConfig.from_hf({**LLAMA, "rope_scaling": scaling})
        by_engine = {one.engine: one for one in engine_readings(config, "all")}
        assert by_engine["SGLang 0.5.23"].longest == longest
    # Objects by layer type are left alone.
    gemma = known("Gemma-3-12B")
    by_engine = {one.engine: one for one in engine_readings(gemma, "full_attention")}
    assert by_engine["SGLang 0.5.23"].longest == 131072


def test_the_engines_that_most_people_use_come_first() -> None:
    assert list(ENGINES)[:4] == ["vllm", "sglang", "llama_cpp", "ollama"]


def test_sglang_gets_the_fields_of_qwen_vl_where_its_classes_look_for_them() -> None:
    # The classes build the text model of the outer fields: without them nothing was scaled.
    for name in ("Qwen2-VL-7B", "Qwen2.5-VL-7B", "Qwen3-VL-4B"):
        before = RopeConfig.from_hf(known_models()[name].config)
        longer = extend_config(before, "all", "linear", 4 * trained_length(before, "all"))
        told = json.loads(shlex.split(longer.settings("sglang", before).text)[1])
        inner = told.pop("text_config")
        assert inner == told
        assert told["rope_scaling"]["factor"] == 4


INTERNLM2 = {
    "model_type": "internlm2",
    "hidden_size": 4096,
    "num_attention_heads": 32,
    "num_hidden_layers": 32,
    "max_position_embeddings": 32768,
    "rope_theta": 1000000,
}
AUTO_MAP = {"AutoConfig": "configuration_mine.MineConfig", "AutoModel": "modeling_mine.Mine"}
MINE = {**LLAMA, "model_type": "mine", "architectures": ["LlamaForCausalLM"]}


@pytest.mark.parametrize(
    "file",
    [
        INTERNLM2,
        {**MINE, "auto_map": AUTO_MAP},
        known_models()["Kimi-K2"].config,
    ],
)
def test_code_beside_the_weights_reads_the_fields_of_releases_4(file: dict) -> None:
    config = RopeConfig.from_hf(file)
    for engine in ("transformers_5", "transformers_4"):
        written = config.settings(engine)
        assert json.loads(written.text)["rope_theta"] == file["rope_theta"]
        assert "rope_parameters" not in written.text
        assert f"has no class for {file['model_type']}: with trust_remote_code" in written.notes[0]
    for engine in ("vllm", "sglang", "lmdeploy"):
        assert config.settings(engine).notes[0].startswith("Add --trust-remote-code: ")


def test_code_beside_the_weights_keeps_the_form_of_its_file() -> None:
    parameters = {"rope_type": "default", "rope_theta": 500000.0}
    file = {**MINE, "auto_map": AUTO_MAP, "rope_parameters": parameters}
    before = RopeConfig.from_hf({name: one for name, one in file.items() if name != "rope_theta"})
    longer = extend_config(before, "all", "yarn", 16384)
    assert "rope_parameters" in json.loads(longer.settings("transformers_4", before).text)


def test_code_beside_the_weights_is_told_what_it_takes() -> None:
    """`_init_rope` of InternLM2 and `_rope_scaling_validation` of MiniCPM; ChatGLM's rope_ratio."""
    before = RopeConfig.from_hf(INTERNLM2)
    written = extend_config(before, "all", "linear", 65536).settings("transformers_5", before)
    assert json.loads(written.text)["rope_scaling"] == {"type": "linear", "factor": 2.0}
    for engine in ("transformers_5", "transformers_4"):
        with pytest.raises(ValueError, match="does not load internlm2 files with yarn"):
            extend_config(before, "all", "yarn", 65536).settings(engine, before)
        glm = known("glm-4-9b-chat")
        with pytest.raises(ValueError, match="ignores yarn scaling for chatglm"):
            extend_config(glm, "all", "yarn", 262144).settings(engine, glm)
        assert extend_config(glm, "all", "ntk", 262144).settings(engine, glm).text


def test_a_file_that_nothing_reads_is_said_not_to_load() -> None:
    config = RopeConfig.from_hf(MINE)
    for engine in ("transformers_5", "vllm", "sglang"):
        (note,) = config.settings(engine).notes
        assert "names no code of its own (auto_map)" in note
        assert "does not load" in note


@pytest.mark.parametrize("name", ["Llama-2-7B", "DeepSeek-V3", "Mistral-Small-3.1-24B"])
def test_code_that_transformers_has_itself_is_not_that_of_the_file(name: str) -> None:
    """A released file may name code (auto_map) from before its class was in transformers."""
    config = RopeConfig.from_hf({**known_models()[name].config, "auto_map": AUTO_MAP})
    for engine in ("transformers_5", "vllm", "sglang"):
        notes = "".join(config.settings(engine).notes)
        assert "no class for" not in notes
    assert "rope_parameters" in config.settings("transformers_5").text


def test_a_text_model_that_transformers_has_is_its_own_whatever_is_around_it() -> None:
    """InternVL's files: code of their own around a Qwen2 of transformers."""
    inner = {**QWEN, "architectures": ["Qwen2ForCausalLM"]}
    file = {"model_type": "internvl_chat", "auto_map": AUTO_MAP, "llm_config": inner}
    written = RopeConfig.from_hf(file).settings("transformers_5")
    assert not written.notes
    assert "rope_parameters" in written.text


def test_vllm_is_not_said_to_scale_what_it_does_not() -> None:
    """`InternLM2Attention` gives get_rope no max_trained_positions, as Llama's does not."""
    scaling = {"type": "dynamic", "factor": 2.0}
    for model in ("internlm2", "minicpm", "qwen2_moe", "llama"):
        config = RopeConfig.from_hf({**INTERNLM2, "model_type": model, "rope_scaling": scaling})
        with pytest.raises(ValueError, match=f"ignores dynamic scaling for {model}"):
            config.settings("vllm", config, Serving(length=262144))
        assert readings(config)[TRIED["vllm"].release].factor is None


def test_vllm_has_no_encoder_decoders() -> None:
    with pytest.raises(ValueError, match="has no class for t5"):
        known("T5").settings("vllm")


@pytest.mark.parametrize("model", ["minimax_m1", "minimax_text_01"])
def test_a_class_that_a_server_no_longer_has_gets_no_line(model: str) -> None:
    """`_PREVIOUSLY_SUPPORTED_MODELS` of vLLM: until 0.23.0."""
    config = RopeConfig.from_hf({**INTERNLM2, "model_type": model, "head_dim": 128})
    for engine in ("vllm", "sglang"):
        with pytest.raises(ValueError, match=f"has no class for {model}"):
            config.settings(engine)
