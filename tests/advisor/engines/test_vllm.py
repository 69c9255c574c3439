"""Arguments of vLLM."""

import json
import shlex

from advisor import RopeConfig, extend_config, known_models
from tests.kinds import known


def flags(line: str) -> dict[str, str]:
    words = shlex.split(line)
    return dict(zip(words[::2], words[1::2], strict=True))


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
