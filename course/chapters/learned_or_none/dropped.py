"""RoPE left out of two small models that were trained with it, after some more training or none.

They are trained on at the length that they know. It takes five minutes, so
`python -m course.chapters.learned_or_none.dropped` keeps what was found in `dropped.json`.
"""

import json
from pathlib import Path
from typing import Any

import torch

from lab.measuring.recall import recall_at
from lab.measuring.text import text_at, text_chunks
from lab.model.transformer import LanguageModel
from lab.spec import RunSpec, recall_spec, text_spec
from lab.tasks import corpus, recall
from lab.tasks.batch import Batch
from lab.training.checkpoints import DATA, load_checkpoint
from lab.training.finetuning import STREAM
from lab.training.loop import Trainer
from lab.training.optimisers import learning_rate
from posenc.catalogue import CATALOGUE, ModelShape

FOUND = Path(__file__).with_name("dropped.json")
TIMES = (1, 2, 4, 8, 16)
"""Lengths of the texts, in trained lengths."""
PARTS = (0.0, 0.1, 1.0)
"""Updates after the rotation is left out, in parts of those before."""


def batch(spec: RunSpec, update: int) -> Batch:
    """Text of the trained length that was not seen in training."""
    length, tokens = spec.train_length, spec.tokens_per_update
    if spec.task == "recall":
        return recall.training_batch(spec.seed, STREAM + update, length, tokens)
    data = corpus.corpus(spec.corpus).train
    return corpus.training_batch(data, spec.seed, STREAM + update, length, tokens // length)


def dropped(model: LanguageModel, spec: RunSpec, updates: int) -> LanguageModel:
    """A copy without positions, trained on for so many updates."""
    trainer = Trainer(spec)
    trainer.model.load_state_dict(model.state_dict())
    shape = ModelShape(spec.d_model, spec.heads, spec.head_dim, spec.train_length)
    trainer.model.encoding = CATALOGUE["nope"].build(shape)
    for update in range(updates):
        trainer.learn(batch(spec, update), learning_rate(update, updates, warm_up=0.1))
    return trainer.model.eval()


def bits(model: LanguageModel, spec: RunSpec) -> list[float]:
    """Bits per byte of the same bytes of held-out text, at each length."""
    chunks = text_chunks(spec)
    lengths = [times * spec.train_length for times in TIMES]
    tails = [text_at(model, spec, length, "none", chunks).tail for length in lengths]
    return [round(float(tail.mean()), 3) for tail in tails]


def keys(model: LanguageModel, spec: RunSpec) -> list[list[int]]:
    """Near keys found and asked for, at each length."""
    found = []
    for times in TIMES:
        cells = recall_at(model, spec, times * spec.train_length)
        near = [one for one in cells if recall.is_near(one.distance, spec.train_length)]
        found.append([sum(one.right for one in near), sum(one.asked for one in near)])
    return found


def found() -> dict[str, Any]:
    """Bits and keys of both models without positions, after each part of further training."""
    rows: dict[str, list[Any]] = {}
    for spec, measured in ((text_spec("rope"), bits), (recall_spec("rope"), keys)):
        model = load_checkpoint(DATA / f"{spec.name}.safetensors").model
        parts = [dropped(model, spec, round(part * spec.updates)) for part in PARTS]
        rows[spec.task] = [measured(one, spec) for one in parts]
    return {"parts": PARTS, "times": TIMES, **rows}


if __name__ == "__main__":
    torch.set_num_threads(1)
    FOUND.write_text(json.dumps(found()) + "\n", "utf-8")
