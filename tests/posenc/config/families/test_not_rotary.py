"""Files as they are released, of models that do not rotate along the text."""

from typing import Any, get_args

import pytest

from posenc import RopeConfig
from posenc.config.choosing.choose import choose
from posenc.config.families.all import FAMILIES
from posenc.config.families.family import Encoding
from posenc.config.layers import RopeLayer
from posenc.report.document import explain, schema
from posenc.report.parts import OTHERS
from posenc.report.terminal import text

CLIP = {"model_type": "clip", "text_config": {"model_type": "clip_text_model"}}
DONUT = {
    "model_type": "vision-encoder-decoder",
    "encoder": {"model_type": "donut-swin"},
    "decoder": {"model_type": "mbart", "max_position_embeddings": 1536},
}
DEBERTA = {
    "model_type": "deberta-v2",
    "relative_attention": True,
    "max_position_embeddings": 512,
    "max_relative_positions": -1,
    "position_buckets": 256,
    "pos_att_type": "p2c|c2p",
    "position_biased_input": False,
}
VIT = {"model_type": "vit", "image_size": 384, "patch_size": 16}
KEYS = {"model_type": "bert", "position_embedding_type": "relative_key"}
# Of each file: encoding, length, numbers.
FILES: list[tuple[dict[str, Any], str, int | None, dict[str, float]]] = [
    ({"model_type": "bert", "max_position_embeddings": 512}, "learned", 512, {}),
    (
        {"model_type": "roberta", "max_position_embeddings": 514, "pad_token_id": 1},
        "learned",
        512,
        {},
    ),
    ({"model_type": "longformer", "max_position_embeddings": 4098}, "learned", 4096, {}),
    ({"model_type": "openai-gpt", "n_positions": 512}, "learned", 512, {}),
    ({"model_type": "whisper", "max_target_positions": 448}, "learned", 448, {}),
    ({"model_type": "bart"}, "learned", 1024, {}),
    (CLIP, "learned", 77, {}),
    (DONUT, "learned", 1536, {}),
    ({**DONUT, "model_type": "nougat"}, "learned", 1536, {}),
    (VIT, "learned", 576, {}),
    ({"model_type": "mgp-str", "image_size": [32, 128], "patch_size": 4}, "learned", 256, {}),
    (DEBERTA, "disentangled", 512, {"num_buckets": 256}),
    ({**DEBERTA, "relative_attention": False}, "learned", 512, {"num_buckets": 256}),
    (KEYS, "shaw", 512, {}),
    ({"model_type": "marian", "max_position_embeddings": 512}, "sinusoidal", 512, {}),
    ({"model_type": "distilbert", "sinusoidal_pos_embds": True}, "sinusoidal", 512, {}),
    ({"model_type": "detr", "position_embedding_type": "learned"}, "learned", None, {}),
    ({"model_type": "cpmant"}, "t5", None, {"num_buckets": 512, "max_distance": 2048}),
    ({"model_type": "wavlm"}, "t5", None, {"num_buckets": 320, "max_distance": 800}),
    ({"model_type": "swin"}, "window_bias", None, {"window_size": 7}),
    ({"model_type": "beit", "use_relative_position_bias": True}, "window_bias", 196, {}),
    ({"model_type": "beit"}, "nope", 196, {}),
    ({"model_type": "wav2vec2"}, "convolution", None, {"kernel": 128}),
    (
        {"model_type": "wav2vec2-bert"},
        "shaw",
        None,
        {"max_distance": 64, "max_distance_ahead": 8},
    ),
    ({"model_type": "wav2vec2-bert", "position_embeddings_type": None}, "nope", None, {}),
    ({"model_type": "wav2vec2-conformer"}, "transformer_xl", 5000, {}),
    ({"model_type": "mamba2"}, "linear", None, {}),
]


@pytest.mark.parametrize(("source", "encoding", "length", "numbers"), FILES)
def test_a_file_names_its_encoding_and_length(
    source: dict[str, Any], encoding: str, length: int | None, numbers: dict[str, float]
) -> None:
    config = RopeConfig.from_hf(source)
    (layer,) = config.layers.values()
    assert not isinstance(layer, RopeLayer)
    assert (layer.encoding, layer.max_length, dict(layer.parameters)) == (encoding, length, numbers)
    assert encoding in OTHERS
    assert OTHERS[encoding] in text(explain(config))
    assert not any("rope_theta" in f.message + f.remedy for f in config.findings)


ESM = {"model_type": "esm", "hidden_size": 1280, "num_attention_heads": 20}


@pytest.mark.parametrize(
    ("source", "rotary_dim", "layout"),
    [
        ({**ESM, "position_embedding_type": "rotary"}, 64, "half"),
        ({"model_type": "roformer"}, 64, "interleaved"),
        ({"model_type": "clvp_encoder"}, 32, "half"),
    ],
)
def test_a_file_may_ask_for_a_rotation(
    source: dict[str, Any], rotary_dim: int, layout: str
) -> None:
    layer = RopeConfig.from_hf(source).rotary["all"]
    assert (layer.rotary_dim, layer.base, layer.layout) == (rotary_dim, 10000.0, layout)


def test_a_conformer_that_turns_before_its_projections_is_unknown() -> None:
    asked = {"model_type": "wav2vec2-conformer", "position_embeddings_type": "rotary"}
    config = RopeConfig.from_hf(asked)
    assert not config.is_known
    assert "before they become queries and keys" in config.findings[0].message


KIMI = {"full_attn_layers": [4, 8], "kda_layers": [1, 2, 3, 5, 6, 7]}


@pytest.mark.parametrize(
    ("source", "keys"),
    [
        (
            {"model_type": "jamba", "attn_layer_period": 3, "attn_layer_offset": 1},
            ["linear", "nope", "linear"] * 10 + ["linear", "nope"],
        ),
        (
            {"model_type": "nemotron_h", "hybrid_override_pattern": "M-M*-E"},
            ["linear", "none", "linear", "nope", "none", "none"],
        ),
        (
            {"model_type": "nemotron_h", "layers_block_type": ["mamba", "attention", "moe"]},
            ["linear", "nope", "none"],
        ),
        (
            {"model_type": "zamba", "num_hidden_layers": 9},
            ["linear", "linear", "nope"] + ["linear"] * 4 + ["nope", "linear"],
        ),
        (
            {"model_type": "kimi_linear", "num_hidden_layers": 8, "linear_attn_config": KIMI},
            ["linear", "linear", "linear", "nope"] * 2,
        ),
        (
            {"model_type": "glm5_next_text", "num_hidden_layers": 4},
            ["linear", "linear", "linear", "nope"],
        ),
    ],
)
def test_some_layers_attend_and_others_carry_a_state(
    source: dict[str, Any], keys: list[str]
) -> None:
    config = RopeConfig.from_hf(source)
    assert list(config.keys) == keys
    assert [config.layer_at(index).encoding for index in range(len(keys))] == keys
    assert config.rotary == {}


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
    assert others == OTHERS.keys()
    assert others == set(schema()["$defs"]["other"]["properties"]["encoding"]["enum"])
    assert {family.encoding for family in FAMILIES.values()} <= others | {"rope"}


@pytest.mark.parametrize(
    "source",
    [
        {"model_type": "vit", "image_size": "big"},
        {"model_type": "vit", "image_size": [0, 4]},
        {"model_type": "swin", "window_size": "wide"},
        {"model_type": "pixtral", "hidden_size": 90, "num_attention_heads": 1},
        {"model_type": "pixtral", "hidden_size": 10**6, "num_attention_heads": 1},
        {"model_type": "pixtral", "rope_parameters": {"rope_theta": 0.5}},
        {"model_type": "bert", "max_position_embeddings": 0},
    ],
)
def test_a_wrong_number_is_named(source: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"\.$"):
        RopeConfig.from_hf(source)


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ({"model_type": "pixtral", "hidden_size": 1024, "num_attention_heads": 16}, "columns"),
        ({"model_type": "jamba"}, "no layer of this model has positions to stretch"),
        (VIT, "each patch of an image"),
        ({"model_type": "mamba"}, "carry a state"),
        ({"model_type": "roberta"}, "the learned table has 510 rows"),
        ({"model_type": "marian"}, "sines of the positions that it was trained on"),
    ],
)
def test_the_decision_says_why_no_method_applies(source: dict[str, Any], words: str) -> None:
    choice = choose(RopeConfig.from_hf(source), 500)
    assert (choice.verdict, choice.sureness) == ("elsewhere", "setting")
    assert words in choice.clause


def test_engines_are_told_a_length_of_texts_alone() -> None:
    bert, image = RopeConfig.from_hf({"model_type": "bert"}), RopeConfig.from_hf(VIT)
    assert (bert.reach, image.reach) == (512, None)
    assert bert.settings("vllm", bert).text == "--max-model-len 512"
    assert image.settings("vllm", image).text == ""
    assert bert.settings("koboldcpp", bert).text == "--contextsize 512"
