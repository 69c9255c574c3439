"""Layers of models with memories, and gates of small models that were trained with them.

Training takes some minutes a model, so `python -m course.chapters.forget_gates.data` keeps what was
found in `trained.json`, and the first model for the screen that reads a text of one's own.
"""

import json
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from advisor.known_models import known_models
from course.chapters.data import rounded
from lab.model.forgetting import forgetting_model, read_by_gates
from lab.model.transformer import LanguageModel
from lab.spec import text_spec
from lab.tasks.corpus import VOCAB, corpus, held_out_chunks
from lab.training.gates import save_gates
from lab.training.loop import Trainer

TRAINED = Path(__file__).with_name("trained.json")
MODELS = 3  # that differ in their seed
TEXTS = 345  # held out, of so many bytes
LENGTH = 128
SHOWN = 96  # bytes of the text that is drawn
READ = 23  # of the texts
KIMI_LINEAR = {"layers": 27, "full": [4, 8, 12, 16, 20, 24, 27]}
"""Read in a copy of the file (MoonshotAI, Kimi-Linear-48B-A3B-Instruct, `linear_attn_config`)."""


def data() -> dict[str, Any]:
    """Layers of two models, what part of a head turns in them, and the gates of small ones."""
    config = known_models()["Qwen3-Next-80B-A3B"].config
    layers, every = config["num_hidden_layers"], config["full_attention_interval"]
    qwen = {
        "name": "Qwen3-Next",
        "layers": layers,
        "full": list(range(every, layers + 1, every)),
        "turned": config["partial_rotary_factor"],
    }
    return {
        "models": [qwen, {"name": "Kimi Linear", **KIMI_LINEAR, "turned": 0}],
        **json.loads(TRAINED.read_text("utf-8")),
    }


def trained(seed: int) -> LanguageModel:
    """A small model with forget gates, and no positions, that has learned Python's own library."""
    spec = text_spec("nope", seed)
    trainer = Trainer(spec, forgetting_model(spec, VOCAB))
    while not trainer.done:
        trainer.advance()
    return trainer.model.eval()


@torch.no_grad()
def gates_of(model: LanguageModel, texts: Tensor) -> Tensor:
    """Gates of all heads, (layers · heads, texts, bytes), as the texts are read."""
    gates = [layer.log_gates(read).exp() for layer, read in read_by_gates(model, texts)]
    return torch.cat(gates, dim=1).transpose(0, 1)


def kinds_of(texts: Tensor) -> list[Tensor]:
    """Bytes that end a line, spaces, letters, and all other signs."""
    lower = texts | 32  # of a capital letter
    ends, spaces = texts == ord("\n"), texts == ord(" ")
    letters = (lower >= ord("a")) & (lower <= ord("z"))
    return [ends, spaces, letters, ~(ends | spaces | letters)]


def measured(models: list[LanguageModel]) -> dict[str, Any]:
    """Mean gate of each head of each model at each kind of byte, and all gates of one text."""
    texts = held_out_chunks(corpus().validation, LENGTH, TEXTS).long()
    gates = torch.cat([gates_of(model, texts) for model in models])
    kinds = torch.stack([gates[:, kind].mean(1) for kind in kinds_of(texts)], dim=1)
    shown = bytes(texts[READ, :SHOWN].tolist()).decode()
    return {
        "trained": len(models),
        "text": shown,
        "gates": rounded(gates[:, READ, :SHOWN], 2),
        "kinds": rounded(kinds, 2),
    }


if __name__ == "__main__":
    models = [trained(seed) for seed in range(MODELS)]
    save_gates(text_spec("nope", 0), models[0])
    found = measured(models)
    TRAINED.write_text(json.dumps(found, separators=(",", ":")) + "\n", "utf-8")
