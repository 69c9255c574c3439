"""families/fields_read.json: what each class asks for, and that the rest changes nothing."""

import contextlib
from typing import Any

import pytest
import torch
from transformers import CONFIG_MAPPING, AutoModelForCausalLM

from advisor.families.classes import default
from advisor.families.fields_read import PASSED_ON, asked_by, is_observed
from advisor.tables import table
from reference.sweep.fields import NOT_RUN, SMALLER, observed, types
from reference.sweep.judge import MORE
from reference.sweep.tiny import shrunk

ROWS: dict[str, dict[str, list[str]]] = table("families/fields_read.json")
SAMPLE = ("llama", "qwen3", "gemma3_text", "deepseek_v3", "gpt_neox")
SMALL: dict[str, Any] = {
    "hidden_size": 64,
    "intermediate_size": 96,
    "num_hidden_layers": 2,
    "num_attention_heads": 4,
    "num_key_value_heads": 2,
    "vocab_size": 64,
    "max_position_embeddings": 128,
    "bos_token_id": 1,
    "eos_token_id": 2,
    "pad_token_id": 0,
}
WINDOW = 4
TOKENS = 24
# Fields of some class each, with values that would be felt.
FIELDS = {
    "rotary_dim": 8,
    "rotary_pct": 0.5,
    "rotary_emb_base": 100,
    "rope_local_base_freq": 100.0,
    "no_rope_layers": [0, 1],
    "alibi": True,
    "max_window_layers": 1,
    "sliding_window_pattern": 2,
    "swa_rope_theta": 100.0,
    "attn_temperature_tuning": True,
    "floor_scale": 2,
    "n_positions": 16,
    "seq_length": 16,
    "position_embedding_type": "nope",
    "layer_rope_theta": [0, 100.0],
}


def config_of(kind: str, **fields: Any) -> Any:
    return CONFIG_MAPPING[kind](**SMALL, **fields)


def passed_and_decoded(kind: str, **fields: Any) -> tuple[torch.Tensor, ...]:
    """The last token's logits in one pass, with another first token, and decoded."""
    return all_three(config_of(kind, **fields))


def all_three(config: Any) -> tuple[torch.Tensor, ...]:
    torch.manual_seed(0)
    model = AutoModelForCausalLM.from_config(config, attn_implementation="eager").eval()
    tokens = torch.arange(5, 5 + TOKENS)[None]
    other = tokens.clone()
    other[0, 0] = 40
    with torch.no_grad():
        whole, moved = (model(one, use_cache=False).logits[0, -1] for one in (tokens, other))
        cache = None
        for at in range(TOKENS):
            answer = model(tokens[:, at : at + 1], past_key_values=cache, use_cache=True)
            cache = answer.past_key_values
    return whole, moved, answer.logits[0, -1]


@pytest.mark.parametrize("name", SAMPLE)
def test_a_class_asks_for_the_same_today(name: str) -> None:
    assert observed(name) == ROWS[name]


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", sorted(set(ROWS) - {*SAMPLE}))
def test_every_class_asks_for_the_same_today(name: str) -> None:
    assert observed(name) == ROWS[name]


def test_every_class_that_runs_alone_was_observed() -> None:
    assert {*ROWS} == {*types()} - {*NOT_RUN}
    assert {*NOT_RUN} < {*types()}


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", sorted(NOT_RUN))
def test_what_is_not_observed_does_not_run(name: str) -> None:
    with contextlib.suppress(Exception):
        assert observed(name) is None


def test_other_names_and_types_around_a_text_part_have_its_row() -> None:
    assert asked_by("kimi_k2", "rotary_pct") == asked_by("deepseek_v3", "rotary_pct") == "nothing"
    assert asked_by("qwen2_vl", "rope_theta") == asked_by("qwen2_vl_text", "rope_theta") == "model"
    assert asked_by("internlm2", "rope_theta") is None
    assert not is_observed("internlm2")


@pytest.mark.parametrize("kind", ["llama", "qwen3", "granite"])
def test_what_nothing_asks_for_changes_nothing(kind: str) -> None:
    unread = {name: one for name, one in FIELDS.items() if asked_by(kind, name) == "nothing"}
    assert len(unread) > 10
    for plain, given in zip(
        passed_and_decoded(kind), passed_and_decoded(kind, **unread), strict=True
    ):
        assert torch.equal(plain, given)


@pytest.mark.parametrize("field", ["sliding_window", "attention_chunk_size"])
@pytest.mark.parametrize("kind", ["llama", "granite"])
def test_fields_of_the_cache_part_decoding_from_a_pass(kind: str, field: str) -> None:
    assert asked_by(kind, field) == "cache"
    whole, moved, decoded = passed_and_decoded(kind, **{field: WINDOW})
    assert not torch.allclose(moved, whole, atol=1e-5)
    assert not torch.allclose(decoded, whole, atol=1e-5)


def test_a_window_that_the_mask_asks_for_holds_in_both() -> None:
    assert asked_by("mistral", "sliding_window") == "model"
    whole, moved, decoded = passed_and_decoded("mistral", sliding_window=WINDOW)
    torch.testing.assert_close(moved, whole)
    torch.testing.assert_close(decoded, whole)


def test_layer_kinds_of_the_cache_alone_stop_decoding() -> None:
    kinds = ["full_attention", "sliding_attention"]
    assert asked_by("llama", "layer_types") == "cache"
    with pytest.raises(RuntimeError, match="size of tensor"):
        passed_and_decoded("llama", layer_types=kinds, sliding_window=WINDOW)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
def test_a_class_that_asks_for_a_window_cuts_its_mask_there() -> None:
    alike = [kind for kind in ROWS if kind in CONFIG_MAPPING and are_alike(default(kind))]
    cut, parted = set(), set()
    for kind in alike:
        more = {"num_hidden_layers": 2, **MORE.get(kind, {}), **SMALLER.get(kind, {})}
        config = shrunk(default(kind), more)
        config.sliding_window = WINDOW
        whole, moved, decoded = all_three(config)
        cut |= {kind} if torch.allclose(moved, whole, atol=1e-5) else set()
        parted |= {kind} if not torch.allclose(decoded, whole, atol=1e-5) else set()
    assert len(alike) > 60
    asking = {kind for kind in alike if asked_by(kind, "sliding_window") == "model"}
    assert cut == asking - {*PASSED_ON}
    # The cache cuts at any window, so that decoding parts from a pass that does not.
    assert parted == {*alike} - cut


def are_alike(config: Any) -> bool:
    """Whether it has a causal language model whose layers are all of one kind."""
    has_model = type(config) in AutoModelForCausalLM._model_mapping
    return has_model and getattr(config, "layer_types", None) is None
