"""Training: one update after the other, deterministic by seed, resumable at every update."""

from collections.abc import Iterator
from typing import Any

import torch
from torch import Tensor
from torch.nn.functional import cross_entropy

from lab.model.encodings import build_encoding
from lab.model.transformer import LanguageModel
from lab.spec import RunSpec
from lab.tasks import corpus, counting, recall
from lab.tasks.batch import Batch
from lab.training.optimisers import learning_rate, optimisers
from posenc.catalogue import CATALOGUE

VOCAB = {"recall": recall.VOCAB, "text": corpus.VOCAB, "counting": counting.VOCAB}
# Counting answers with a number, not with a token; its head is as wide as the larger of both.
OUTPUTS = {**VOCAB, "counting": max(counting.VOCAB, counting.ANSWERS)}


def new_model(spec: RunSpec) -> LanguageModel:
    """The untrained model of a run; its weights depend on the seed alone."""
    return LanguageModel(spec, OUTPUTS[spec.task], build_encoding(spec), spec.seed)


def batch_at(spec: RunSpec, update: int) -> Batch:
    """Batch of update number `update` of a run; depends on nothing else."""
    match spec.task:
        case "recall":
            length = recall.stage_length(update, spec.updates, spec.train_length)
            absolute = "embed" in CATALOGUE[spec.encoding].places
            starts = spec.train_length - length + 1 if absolute else 1
            return recall.training_batch(spec.seed, update, length, spec.tokens_per_update, starts)
        case "counting":
            rows = spec.tokens_per_update // spec.train_length
            return counting.batch(spec.seed, update, spec.train_length, rows)
        case _:
            rows = spec.tokens_per_update // spec.train_length
            data = corpus.corpus(spec.corpus).train
            return corpus.training_batch(data, spec.seed, update, spec.train_length, rows)


def loss_of(model: LanguageModel, batch: Batch) -> tuple[Tensor, Tensor]:
    """Mean cross-entropy (nats) and accuracy over the tokens that count."""
    chosen = batch.weights > 0
    logits = model.lm_head(model.hidden(batch.inputs, batch.positions)[chosen])
    targets = batch.targets[chosen]
    return cross_entropy(logits, targets), (logits.argmax(-1) == targets).float().mean()


class Trainer:
    """A training under way.

    Args:
        spec: What is trained.
        model: The untrained model, where it is another than that of the spec.

    `updates` counts those that are made; `state` and `load` carry a training across processes.
    """

    def __init__(self, spec: RunSpec, model: LanguageModel | None = None) -> None:
        self.spec = spec
        self.model = new_model(spec) if model is None else model
        self.optimisers = optimisers(self.model)
        self.rates = [group["lr"] for o in self.optimisers for group in o.param_groups]
        self.updates = 0

    @property
    def done(self) -> bool:
        """True when every update has been made."""
        return self.updates >= self.spec.updates

    def advance(self) -> dict[str, float]:
        """Make one update; return its loss (nats) and accuracy."""
        batch = batch_at(self.spec, self.updates)
        values = self.learn(batch, learning_rate(self.updates, self.spec.updates))
        self.updates += 1
        return values

    def learn(self, batch: Batch, rate: float) -> dict[str, float]:
        """One update by a batch, with `rate` times the learning rates."""
        groups = [group for o in self.optimisers for group in o.param_groups]
        for group, full in zip(groups, self.rates, strict=True):
            group["lr"] = full * rate
        loss, accuracy = loss_of(self.model, batch)
        loss.backward()
        for optimiser in self.optimisers:
            optimiser.step()
            optimiser.zero_grad()
        return {"loss": loss.item(), "accuracy": accuracy.item()}

    def state(self) -> dict[str, Tensor]:
        """Weights and optimisers as tensors, ready for safetensors."""
        tensors = {f"model.{k}": v for k, v in self.model.state_dict().items()}
        for i, optimiser in enumerate(self.optimisers):
            for j, values in optimiser.state_dict()["state"].items():
                for name, value in values.items():
                    tensors[f"optimiser.{i}.{j}.{name}"] = torch.as_tensor(value)
        # Files say "step" for an update.
        tensors["step"] = torch.tensor(self.updates)
        return tensors

    def load(self, tensors: dict[str, Tensor]) -> None:
        """Go on from what `state` returned."""
        weights = {k[6:]: v for k, v in tensors.items() if k.startswith("model.")}
        self.model.load_state_dict(weights)
        for i, optimiser in enumerate(self.optimisers):
            state: dict[int, dict[str, Any]] = {}
            for key, value in tensors.items():
                if key.startswith(f"optimiser.{i}."):
                    _, _, j, name = key.split(".")
                    state.setdefault(int(j), {})[name] = value.clone()
            groups = optimiser.state_dict()["param_groups"]
            optimiser.load_state_dict({"state": state, "param_groups": groups})
        self.updates = int(tensors["step"])


def half_trained(spec: RunSpec, tensors: dict[str, Tensor]) -> tuple[LanguageModel, int]:
    """The model as it was when `state` was saved, and after how many updates."""
    trainer = Trainer(spec)
    trainer.load(tensors)
    return trainer.model.eval(), trainer.updates


def train(spec: RunSpec) -> Iterator[tuple[Trainer, dict[str, float]]]:
    """Train from nothing, handing out the trainer and its values after every update."""
    trainer = Trainer(spec)
    while not trainer.done:
        yield trainer, trainer.advance()
