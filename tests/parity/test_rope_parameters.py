"""`from_rope_parameters` beside transformers' own reading of the same object."""

import pytest
import torch
from transformers import Gemma3TextConfig, LlamaConfig
from transformers.modeling_rope_utils import ROPE_INIT_FUNCTIONS

from posenc import rope_inv_freq
from posenc.scaling import from_rope_parameters

ORIGINAL = {"original_max_position_embeddings": 4096}
OBJECTS = [
    {"rope_type": "linear", "factor": 4.0},
    {"rope_type": "dynamic", "factor": 2.0},
    {"rope_type": "yarn", "factor": 4.0, **ORIGINAL},
    {"rope_type": "yarn", "factor": 4.0, "beta_fast": 0, "beta_slow": 2, **ORIGINAL},
    {"rope_type": "yarn", "factor": 4.0, "attention_factor": 1.5, **ORIGINAL},
    {"rope_type": "yarn", "factor": 8.0, "mscale": 1.0, "mscale_all_dim": 0.5, **ORIGINAL},
    {"rope_type": "yarn", "factor": 4.0, "truncate": False, **ORIGINAL},
    {
        "rope_type": "longrope",
        "short_factor": [1.0 + i / 64 for i in range(32)],
        "long_factor": [2.0 + i for i in range(32)],
        **ORIGINAL,
    },
    {
        "rope_type": "llama3",
        "factor": 8.0,
        "low_freq_factor": 1.0,
        "high_freq_factor": 4.0,
        **ORIGINAL,
    },
    {"rope_type": "proportional", "partial_rotary_factor": 0.25},
]


@pytest.mark.parametrize("given", OBJECTS, ids=lambda given: given["rope_type"])
@pytest.mark.parametrize("length", [None, 30_000])
def test_frequencies_are_those_of_transformers(given, length):
    config = LlamaConfig(
        hidden_size=256,
        num_attention_heads=4,
        max_position_embeddings=16_384,
        rope_parameters={"rope_theta": 10_000.0, **given},
    )
    kind = given["rope_type"]
    theirs, factor = ROPE_INIT_FUNCTIONS[kind](config, "cpu", seq_len=length)
    scaling = from_rope_parameters(given, 16_384)
    ours, own = rope_inv_freq(64, 10_000.0, scaling, length)
    torch.testing.assert_close(ours.float(), theirs, atol=0, rtol=2e-6)
    assert own == pytest.approx(factor)


def test_no_scaling():
    assert from_rope_parameters(None) is None
    assert from_rope_parameters({"rope_type": "default", "rope_theta": 1e4}) is None
    assert from_rope_parameters({"type": "linear", "factor": 2.0}).factor == 2.0


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"rope_type": "ntk"}, "rope_type must be one of 'default', 'linear'"),
        ({"rope_type": "linear"}, "factor must be given for rope_type 'linear'"),
        ({"rope_type": "yarn", "factor": 2.0}, "original_max_position_embeddings must be given"),
        ({"rope_type": "dynamic", "factor": 2.0}, "max_position_embeddings must be given"),
        ({"rope_type": "yarn", **ORIGINAL}, "factor must be given"),
        ({"rope_type": "linear", "factor": 0.5}, "factor must be a finite number of at least 1"),
        (Gemma3TextConfig().rope_parameters, "others within: sliding_attention, full_attention"),
        ({"rope_theta": 1e4, "rope_scaling": {"factor": 2.0}}, "others within: rope_scaling. Give"),
    ],
)
def test_what_is_missing_is_named(given, words):
    with pytest.raises(ValueError, match=words):
        from_rope_parameters(given)
