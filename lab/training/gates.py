"""The small model with forget gates that ships with the project: `data/gates.safetensors`."""

from functools import cache
from pathlib import Path

import torch

from lab.model.forgetting import forgetting_model
from lab.model.transformer import LanguageModel
from lab.spec import RunSpec
from lab.tasks.corpus import VOCAB
from lab.training.checkpoints import DATA, facts_of, load_checkpoint, save_checkpoint

FILE = DATA.parent / "gates.safetensors"


def save_gates(spec: RunSpec, model: LanguageModel, path: Path = FILE) -> None:
    """Write a trained model in float16."""
    save_checkpoint(path, spec, model, facts_of(spec, model), torch.float16)


@cache
def gates_model(path: Path = FILE) -> LanguageModel:
    """The trained model in float64: it reads the bytes of a text.

    Raises:
        ValueError: If its file is missing or damaged.
    """
    model = load_checkpoint(path, lambda spec: forgetting_model(spec, VOCAB)).model
    return model.double().requires_grad_(False)
