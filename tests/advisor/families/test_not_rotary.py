"""Files as they are released, of models that do not rotate along the text."""

from typing import Any, get_args

import pytest

from advisor import RopeConfig
from advisor.families.all import FAMILIES
from advisor.families.family import Encoding
from advisor.families.without_rotation import WITHOUT_ROTATION
from advisor.report.document import explain, schema
from advisor.report.terminal import text
from tests.advisor.files import read, rows
from tests.advisor.reader import test_file as reader

DONUT = {
    "model_type": "vision-encoder-decoder",
    "encoder": {"model_type": "donut-swin"},
    "decoder": {"model_type": "mbart", "max_position_embeddings": 1536},
}
VIT = {"model_type": "vit", "image_size": 384, "patch_size": 16}
OF_OTHERS = [
    file
    for file, values in rows(reader.__file__, "read.txt")
    if "refused" not in values and not read(file).rotary and read(file).is_known
]


@pytest.mark.parametrize("file", OF_OTHERS)
def test_what_does_not_rotate_is_named_and_no_base_is_asked_for(file: str) -> None:
    config = read(file)
    told = text(explain(config))
    assert all(WITHOUT_ROTATION[layer.encoding].name in told for layer in config.layers.values())
    assert not any("rope_theta" in f.message + f.remedy for f in config.findings)


def test_a_conformer_that_turns_before_projections_is_unknown() -> None:
    asked = {"model_type": "wav2vec2-conformer", "position_embeddings_type": "rotary"}
    config = RopeConfig.from_hf(asked)
    assert not config.is_known
    assert "before they become queries and keys" in config.findings[0].message


@pytest.mark.parametrize(
    "more",
    [
        {"attn_layer_period": 0},
        {"attn_layer_offset": "four"},
        {"hybrid_override_pattern": 5},
        {"hybrid_override_pattern": "?"},
        {"layers_block_type": "mamba"},
        {"linear_attn_config": {"full_attn_layers": [[1], "x"]}},
    ],
)
@pytest.mark.parametrize("name", ["jamba", "nemotron_h", "zamba", "kimi_linear", "glm5_next_text"])
def test_odd_fields_of_hybrids_are_survived(name: str, more: dict[str, Any]) -> None:
    config = RopeConfig.from_hf({"model_type": name, **more})
    assert {layer.encoding for layer in config.layers.values()} <= {"nope", "linear", "none"}


def test_the_part_that_is_read_is_named() -> None:
    (finding,) = RopeConfig.from_hf(DONUT).findings
    assert finding.message == (
        "The file describes several networks. What is shown is decoder, of type mbart."
    )


def test_every_encoding_has_its_words() -> None:
    others = set(get_args(Encoding)) - {"rope"}
    assert others == WITHOUT_ROTATION.keys()
    assert others == set(schema()["$defs"]["other"]["properties"]["encoding"]["enum"])
    assert {family.encoding for family in FAMILIES.values()} <= others | {"rope"}


def test_engines_are_told_a_length_of_texts_alone() -> None:
    bert, image = RopeConfig.from_hf({"model_type": "bert"}), RopeConfig.from_hf(VIT)
    assert (bert.reach, image.reach) == (512, None)
    assert bert.settings("vllm", bert).text == "--max-model-len 512"
    assert image.settings("vllm", image).text == ""
    assert bert.settings("koboldcpp", bert).text == "--contextsize 512"
