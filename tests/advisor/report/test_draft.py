"""A draft's file is compared with its target's, and what is printed makes it turn alike."""

import json
from pathlib import Path

from transformers import CONFIG_MAPPING
from transformers.models.llama.modeling_llama import LlamaRotaryEmbedding
from typer.testing import CliRunner

from advisor import RopeConfig
from advisor.__main__ import app
from advisor.choosing.choose import choose
from advisor.report.draft import beside
from tests.kinds import known

DRAFT = {
    "architectures": ["LlamaForCausalLMEagle3"],
    "model_type": "llama",
    "hidden_size": 4096,
    "num_attention_heads": 32,
    "num_key_value_heads": 8,
    "head_dim": 128,
    "num_hidden_layers": 1,
    "max_position_embeddings": 2048,
    "rope_theta": 1000000.0,
    "draft_vocab_size": 32000,
}


def test_what_is_written_makes_the_draft_turn_as_its_target() -> None:
    target = choose(known("Qwen3-8B"), 131072).config
    assert target is not None
    *_, told = beside(RopeConfig.from_hf(DRAFT), target, 131072)
    fields = json.loads(told[told.index("{") :])
    assert fields["max_position_embeddings"] == 131072
    written = {name: one for name, one in DRAFT.items() if name != "rope_theta"} | fields
    table = LlamaRotaryEmbedding(CONFIG_MAPPING["llama"].from_dict(dict(written)))
    ours, factor = target.rotary["all"].frequencies()
    assert abs(table.inv_freq.double() / ours - 1).max() < 1e-5
    assert abs(table.attention_scaling - factor) < 1e-6
    assert "declares as much" in " ".join(beside(RopeConfig.from_hf(written), target, 131072))


def test_the_command_line_says_it(tmp_path: Path) -> None:
    file = tmp_path / "draft.json"
    file.write_text(json.dumps(DRAFT))
    result = CliRunner().invoke(
        app, ["explain", "Qwen3-8B", "--target", "128k", "--draft", str(file)]
    )
    assert result.exit_code == 0, result.output
    assert "its target (base 1,000,000, no scaling; the target has base" in result.output
    assert "Write into the draft's own config.json" in result.output


def test_gpus_are_asked_about_with_the_target() -> None:
    """A draft alone leaves room for millions of tokens, which nobody has a use for."""
    result = CliRunner().invoke(
        app, ["explain", "-", "--target", "2048", "--gpus", "4090"], input=json.dumps(DRAFT)
    )
    assert "A draft shares 1 × RTX 4090 with its target" in result.output
    assert "room for" not in result.output
    alone = CliRunner().invoke(app, ["explain", "-", "--target", "2048"], input=json.dumps(DRAFT))
    assert "GPUs that hold both" not in alone.output
