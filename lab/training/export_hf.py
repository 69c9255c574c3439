"""A RoPE checkpoint of the lab as a directory that transformers loads as a Llama."""

import json
from pathlib import Path

import torch
from safetensors.torch import save

from lab.model.transformer import EPS
from lab.training.checkpoints import Checkpoint, load_checkpoint, shipped_checkpoints, write_whole
from lab.training.loop import OUTPUTS
from models.tokens import byte_of
from posenc import RoPE

# What `rope` alone means on the command line.
USUAL = {"rope": "text-rope-s0"}


def find(name: str) -> Path:
    """Path of a checkpoint: a shipped name, "rope", or the path of a file.

    Raises:
        ValueError: If there is none of this name.
    """
    shipped = shipped_checkpoints()
    if (known := USUAL.get(name, name)) in shipped:
        return shipped[known]
    if name.endswith(".safetensors") and Path(name).is_file():
        return Path(name)
    raise ValueError(
        f"There is no checkpoint {name!r:.80}. Give the path of a .safetensors file of the lab, or "
        f"one of: {', '.join([*USUAL, *shipped])}."
    )


def llama_config(run: Checkpoint) -> dict[str, object]:
    """The config.json of a run, in the fields of transformers 4 and 5.

    Raises:
        ValueError: If the run's encoding is not RoPE; a Llama knows no other.
    """
    if not isinstance(run.model.encoding, RoPE):
        raise ValueError(
            f"Only RoPE models can be written as a Llama, {run.spec.name} uses {run.spec.title}."
        )
    spec = run.spec
    base = run.model.encoding.base
    return {
        "architectures": ["LlamaForCausalLM"],
        "model_type": "llama",
        "vocab_size": OUTPUTS[spec.task],
        "hidden_size": spec.d_model,
        "intermediate_size": spec.ffn,
        "num_hidden_layers": spec.layers,
        "num_attention_heads": spec.heads,
        "num_key_value_heads": spec.heads,
        "head_dim": spec.head_dim,
        "hidden_act": "silu",
        "rms_norm_eps": EPS,
        "max_position_embeddings": spec.train_length,
        "rope_theta": base,
        "rope_parameters": {"rope_type": "default", "rope_theta": base},
        "tie_word_embeddings": False,
        "attention_bias": False,
        "mlp_bias": False,
        "bos_token_id": None,
        "eos_token_id": None,
        "torch_dtype": "float32",
        "dtype": "float32",
    }


def export(name: str, folder: Path) -> Path:
    """Write config.json, model.safetensors (float32) and a tokenizer of bytes into `folder`.

    Args:
        name: See `find`.
        folder: Created where it is not there; must be empty.

    Raises:
        ValueError: If there is no such checkpoint, it is not a RoPE model, or the folder holds
            files already.
    """
    run = load_checkpoint(find(name))
    config = llama_config(run)
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise ValueError(f"{folder} is there already and not an empty folder; name another.")
    weights = {
        key if key.startswith("lm_head") else f"model.{key}": value.to(torch.float32)
        for key, value in run.model.state_dict().items()
    }
    write_whole(folder / "config.json", (json.dumps(config, indent=2) + "\n").encode())
    if run.spec.task == "text":
        write_whole(folder / "tokenizer.json", byte_tokenizer().encode())
    write_whole(folder / "model.safetensors", save(weights, {"format": "pt"}))
    return folder


def byte_tokenizer() -> str:
    """A tokenizer.json whose tokens are the bytes of UTF-8."""
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers

    tokenizer = Tokenizer(models.BPE(byte_of(), []))
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)
    tokenizer.decoder = decoders.ByteLevel()
    return str(tokenizer.to_str())
