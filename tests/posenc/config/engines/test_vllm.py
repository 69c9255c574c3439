"""Arguments of vLLM."""

import json
import shlex

import pytest

from posenc import RopeConfig, extend_config, known_models
from posenc.config.choosing.choose import choose
from posenc.config.engines.engine import Serving
from posenc.config.training import trained_length
from tests.kinds import known


def flags(line: str) -> dict[str, str]:
    words = shlex.split(line)
    return dict(zip(words[::2], words[1::2], strict=True))


def test_what_the_arguments_cannot_say_is_a_note() -> None:
    llama = known_models()["Llama-2-7B"].config
    yarn = {"rope_type": "yarn", "factor": 4.0, "original_max_position_embeddings": 4096}
    own = RopeConfig.from_hf({**llama, "rope_scaling": {**yarn, "attention_factor": 1.5}})
    note = own.settings("vllm").notes[0]
    assert note.startswith("Releases before 0.30.0 do not read attention_factor 1.5:")
    dynamic = RopeConfig.from_hf({**llama, "rope_scaling": {"type": "dynamic", "factor": 2.0}})
    (note,) = dynamic.settings("vllm_old").notes
    assert note.startswith("vLLM fixes the base of dynamic scaling when it loads the model")
    # Since pull request 41277 nothing is scaled: base · (f · L₀ / L₀ - (f - 1)) is the base.
    with pytest.raises(ValueError, match=r"vLLM 0\.33\.0 ignores dynamic scaling for llama"):
        dynamic.settings("vllm")


def overrides(name: str, method: str, length: int) -> dict:
    before = known(name)
    longer = extend_config(before, next(iter(before.rotary)), method, length)
    return json.loads(flags(longer.settings("vllm", before).text)["--hf-overrides"])


def test_an_object_that_is_merged_leaves_nothing_of_the_old_one() -> None:
    # vLLM merges objects within text_config; 0.33 refuses `type: yarn` beside `rope_type: linear`.
    source = known_models()["Ministral-3-3B"].config
    given = source["text_config"]["rope_parameters"]
    assert {"type", "llama_4_scaling_beta"} <= given.keys()
    written = overrides("Ministral-3-3B", "linear", 1048576)["text_config"]["rope_parameters"]
    assert (written["type"], written["rope_type"]) == ("linear", "linear")
    assert written["llama_4_scaling_beta"] == given["llama_4_scaling_beta"]
    # An attention factor of the file's own YaRN would stay.
    yarn = {"rope_type": "yarn", "factor": 4.0, "original_max_position_embeddings": 4096}
    own = {**yarn, "attention_factor": 1.5, "beta_fast": 16.0}
    text = {**known_models()["Gemma-3-12B"].config["text_config"], "rope_scaling": own}
    before = RopeConfig.from_hf({"model_type": "gemma3", "text_config": text})
    longer = extend_config(before, "full_attention", "yarn", 65536)
    text = json.loads(flags(longer.settings("vllm", before).text)["--hf-overrides"])["text_config"]
    full = text["rope_parameters"]["full_attention"]
    assert full["attention_factor"] is None
    assert full["beta_fast"] == 16


def test_yarn_with_several_axes_is_another_one_in_vllm() -> None:
    before = known("Qwen3-VL-4B")
    longer = extend_config(before, next(iter(before.rotary)), "yarn", 1048576)
    (note,) = longer.settings("vllm", before).notes
    assert "four times the trained length" in note


def test_a_note_stands_beside_the_models_that_it_concerns() -> None:
    """Multi-token prediction: the model's own layers, which DeepSeek-V3 has and Qwen3 has not."""
    notes = {}
    for name in ("DeepSeek-V3", "Qwen3-8B"):
        before = known(name)
        longer = extend_config(before, "all", "yarn", 8 * (trained_length(before, "all") or 0))
        written = longer.settings("vllm", before)
        notes[name] = " ".join(written.notes)
        assert written.versions.startswith("Works in 0.12.0")
    assert "multi-token prediction do not get --hf-overrides" in notes["DeepSeek-V3"]
    assert "--hf-overrides" not in notes["Qwen3-8B"]
    still = known("Nemotron-3-Nano-30B-A3B")
    raised = choose(still, 500_000).config
    assert raised is not None
    assert raised.settings("vllm", still, Serving(length=500_000)).notes == ()
    # A length alone is the same in every release.
    for engine in ("vllm", "sglang"):
        assert known("Qwen3-8B").settings(engine).versions == ""
