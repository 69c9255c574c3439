"""Tiny models of every family with random weights, saved as transformers saves models."""

from pathlib import Path
from typing import Any

import torch
import transformers
from tokenizers import Tokenizer, decoders, pre_tokenizers
from tokenizers import models as kinds

from models.files.find import Found
from models.opened import Model, open_model

WINDOW = 7
"""Of the families that have one: shorter than the texts of the tests."""
SIZES = {
    "vocab_size": 256,
    "hidden_size": 64,
    "intermediate_size": 48,
    "num_hidden_layers": 3,
    "num_attention_heads": 4,
    "num_key_value_heads": 2,
    "max_position_embeddings": 64,
    "bos_token_id": 0,
    "eos_token_id": 0,
    "pad_token_id": 0,
}
KINDS = ["full_attention", "sliding_attention", "full_attention"]
OWN: dict[str, dict[str, Any]] = {
    "llama": {"rope_theta": 500.0},
    "mistral": {"sliding_window": WINDOW},
    "qwen2": {"use_sliding_window": True, "sliding_window": WINDOW, "layer_types": KINDS},
    "qwen3": {"head_dim": 24},
    "smollm3": {"no_rope_layers": [1, 0, 1]},
    "gemma2": {
        "head_dim": 16,
        "sliding_window": WINDOW,
        "layer_types": KINDS,
        "query_pre_attn_scalar": 20,
        "attn_logit_softcapping": 0.5,
        "final_logit_softcapping": 1.0,
    },
    "gemma3_text": {
        "head_dim": 16,
        "sliding_window": WINDOW,
        "layer_types": KINDS,
        "query_pre_attn_scalar": 20,
        "rope_local_base_freq": 50.0,
    },
    "phi3": {"sliding_window": WINDOW},
    "olmo2": {},
    "gpt_neox": {"rotary_pct": 0.5},
    "gpt2": {"n_positions": 64, "n_embd": 64, "n_layer": 3, "n_head": 4},
    "bert": {},
    "bloom": {"n_layer": 3, "n_head": 4},
    "mpt": {
        "d_model": 48,
        "n_heads": 6,
        "n_layers": 3,
        "max_seq_len": 64,
        "attn_config": {"alibi": True, "clip_qkv": 0.5},
    },
}
"""The families' own fields, set so that every part of their attention is at work."""


def save(model_type: str, folder: Path, **changes: Any) -> Path:
    """A model of a family with random weights and a tokenizer of bytes, in `folder`."""
    config = transformers.AutoConfig.for_model(model_type, **(SIZES | OWN[model_type] | changes))
    kind: Any = transformers.AutoModelForCausalLM
    if model_type == "bert":
        kind = transformers.AutoModelForMaskedLM
    torch.manual_seed(0)
    net = kind.from_config(config)
    with torch.no_grad():
        for parameter in net.parameters():  # first weights are so small that scores are all alike
            parameter.normal_(std=0.3 if parameter.dim() > 1 else 0.5)
    net.save_pretrained(folder)
    save_bytes_tokenizer(folder)
    return folder


def opened(folder: Path) -> Model:
    return open_model(Found("tiny", "Tiny", folder))


def save_bytes_tokenizer(folder: Path) -> None:
    """A tokenizer whose tokens are the bytes."""
    alphabet = sorted(pre_tokenizers.ByteLevel.alphabet())
    vocabulary = {char: token for token, char in enumerate(alphabet)}
    tokenizer = Tokenizer(kinds.BPE(vocabulary, []))
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    tokenizer.save(str(folder / "tokenizer.json"))


def alone(folder: Path, **changes: Any) -> Any:
    """The model as transformers reads it alone, with attention that can be looked at."""
    config = transformers.AutoConfig.from_pretrained(folder)
    for name, value in changes.items():
        setattr(config, name, value)
    kind: Any = transformers.AutoModelForCausalLM
    if config.model_type == "bert":
        kind = transformers.AutoModelForMaskedLM
    net = kind.from_pretrained(
        folder, config=config, attn_implementation="eager", dtype=torch.float32
    )
    return net.eval()
