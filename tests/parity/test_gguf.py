"""The header of a GGUF file gives the fields that transformers' own reader gives."""

from pathlib import Path

import pytest
from transformers.modeling_gguf_pytorch_utils import load_gguf_checkpoint

from advisor.inputs.read import read_bytes
from tests.advisor.inputs.made_gguf import written

COUNTS = {
    "context_length": 32768,
    "embedding_length": 2048,
    "block_count": 18,
    "feed_forward_length": 8192,
    "attention.head_count": 16,
    "attention.head_count_kv": 4,
}
# rope.dimension_count is a head's width for Llama; for others transformers takes it from elsewhere.
ARCHITECTURES = {
    "llama": {"rope.dimension_count": 128},
    "qwen2": {},
    "qwen3moe": {"attention.key_length": 256, "expert_count": 64, "expert_used_count": 4},
    "gemma2": {"attention.key_length": 256, "attention.sliding_window": 4096},
    "gemma3": {"attention.key_length": 256, "attention.sliding_window": 1024},
    "phi3": {"rope.dimension_count": 128},
    "falcon": {},
}


@pytest.mark.parametrize("architecture", ARCHITECTURES)
def test_fields_are_those_of_transformers(architecture: str, tmp_path: Path) -> None:
    counts = COUNTS | ARCHITECTURES[architecture]
    data = written(tmp_path, architecture, counts, {"rope.freq_base": 654321.0}, tokens=77)
    theirs = load_gguf_checkpoint(str(tmp_path / "model.gguf"))["config"]
    ours = read_bytes(data).fields
    common = ours.keys() & theirs.keys()
    assert {
        "model_type",
        "max_position_embeddings",
        "hidden_size",
        "num_hidden_layers",
        "num_attention_heads",
        "num_key_value_heads",
        "rope_theta",
        "vocab_size",
    } <= common
    assert {name: ours[name] for name in common} == {name: theirs[name] for name in common}
