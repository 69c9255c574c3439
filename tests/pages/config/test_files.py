"""Files and texts that the studio gives out agree with its decision."""

import json

import jsonschema
import pytest

from advisor import RopeConfig
from advisor.decision import decide
from advisor.report.document import schema
from pages.config.files import changed_file, files
from tests.kinds import one_of_each_kind
from tests.pages.drive import open_screen, sentences
from ui.controls.model_config import OWN, Model, read_model

WHOLE = {
    "architectures": ["LlamaForCausalLM"],
    "hidden_size": 4096,
    "max_position_embeddings": 4096,
    "model_type": "llama",
    "num_attention_heads": 32,
    "num_hidden_layers": 32,
    "rope_scaling": None,
    "torch_dtype": "float16",
}


def made(model: Model, target: int) -> dict[str, str]:
    decision = decide(model.config, target)
    try:
        after = changed_file(model, decision)
    except ValueError:
        after = None
    return {name: make() for name, make in files(model, decision, after).items()}


def test_the_changed_file_is_the_whole_file_with_the_change() -> None:
    given = made(read_model(OWN, json.dumps(WHOLE)), 16384)
    changed = json.loads(given["config.json"])
    same = {name for name in WHOLE if changed[name] == WHOLE[name]}
    assert WHOLE.keys() - same == {"max_position_embeddings", "rope_scaling"}
    assert RopeConfig.from_hf(changed).rotary["all"].scaling.factor == 4
    assert '+  "max_position_embeddings": 16384,' in given["config.diff"]
    assert given["report.md"].startswith("# your own file\n\n## At 16,384 tokens\n\n**YaRN")


@pytest.mark.parametrize("name", one_of_each_kind())
def test_a_model_of_every_kind_has_reports_that_agree(name: str) -> None:
    given = made(read_model(name, ""), 200000)
    document = json.loads(given["report.json"])
    jsonschema.Draft202012Validator(schema()).validate(document)
    said = given["report.md"].replace("\\", "")
    assert document["decision"]["sentence"].partition(";")[0] in said
    assert document["target_length"] == 200000
    if "config.json" not in given:
        return
    again = RopeConfig.from_hf(json.loads(given["config.json"]))
    meant = decide(read_model(name, "").config, 200000).choice.config
    assert again.reach == meant.reach
    for kind, layer in meant.rotary.items():
        for length in (None, 200000):
            inv_freq, factor = again.rotary[kind].frequencies(length)
            assert inv_freq.equal(layer.frequencies(length)[0])
            assert factor == layer.frequencies(length)[1]


def test_buttons_and_the_diff_on_the_screen() -> None:
    def labels(app) -> list[str]:
        return [button.proto.label for button in app.get("download_button")]

    app = open_screen("config", model="Llama-2-7B", target_length="16384")
    assert sentences(app) == []
    reports = ["report (Markdown)", "report (JSON)"]
    assert labels(app) == ["changed config.json", "diff", *reports]
    diff = next(block.value for block in app.code if block.language == "diff")
    assert '+  "max_position_embeddings": 16384,' in diff
    app = open_screen("config", model="Llama-3.1-8B")
    assert labels(app) == reports
    assert any(block.value == "Nothing changes in the file." for block in app.markdown)
    app = open_screen("config", model="Phi-3-mini-128k", target_length="1000000")
    assert labels(app) == reports
    assert any("No method is known beyond 131,072" in block.value for block in app.markdown)
