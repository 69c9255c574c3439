"""Recall: right answers against distance, at lengths that a model never saw in training."""

from dataclasses import dataclass

import torch
from torch import Tensor

from lab.model.methods import SLIDE, WINDOW, reader
from lab.model.transformer import TOKENS_AT_ONCE, LanguageModel
from lab.spec import RunSpec
from lab.tasks import recall

RECALL_LENGTHS = (1, 2, 4, 8, 16)
PROBE_SEED = 1000


def contexts_for(length: int) -> int:
    """Fewer contexts where each costs more: 96 to 256 tokens, 64 at 512, 32 at 1024, then 24."""
    return max(24, min(96, 2**15 // length))


@dataclass(frozen=True)
class RecallCell:
    """Recall at one context length and distance."""

    method: str
    length: int
    distance: int
    asked: int
    right: int


@torch.no_grad()
def recall_at(
    model: LanguageModel,
    spec: RunSpec,
    length: int,
    method: str = "none",
    contexts: int | None = None,
    seed: int = 1000,
) -> list[RecallCell]:
    """Accuracy against distance in contexts of `length` tokens.

    Args:
        model: A model trained on recall.
        spec: Its run.
        length: n, tokens of each context.
        method: One of `tried()`, "interpolate", or "slide": every query is asked with only the
            last `train_length` tokens before it, which is what a sliding window can know.
        contexts: How many contexts; default `contexts_for(length)`.
        seed: Of the probe, the same for all models.
    """
    probe = recall.probe(seed, length, contexts or contexts_for(length))
    if method == SLIDE:
        return _cells(method, probe, _slide_recall(model, spec, probe))
    window = spec.train_length if method == WINDOW else None
    return recall_cells(reader(model, spec, length, method), method, probe, window)


@torch.no_grad()
def recall_cells(
    ready: LanguageModel, method: str, probe: recall.Probe, window: int | None = None
) -> list[RecallCell]:
    """Accuracy against distance of a model that is read as it stands."""
    at_once = max(1, TOKENS_AT_ONCE // probe.tokens.shape[1])
    predicted = [
        ready.lm_head(ready.hidden(part, window=window)[:, probe.queries]).argmax(-1)
        for part in probe.tokens.split(at_once)
    ]
    return _cells(method, probe, torch.cat(predicted))


def _cells(method: str, probe: recall.Probe, predicted: Tensor) -> list[RecallCell]:
    right = predicted == probe.tokens[:, probe.queries + 1]
    length = probe.tokens.shape[1]
    cells = []
    for distance in recall.probe_distances(length):
        here = probe.distances == distance
        count = int((right & here).sum())
        cells.append(RecallCell(method, length, distance, int(here.sum()), count))
    return cells


@torch.no_grad()
def _slide_recall(model: LanguageModel, spec: RunSpec, probe: recall.Probe) -> Tensor:
    """Answers (contexts, TARGETS) of a model that re-reads the last L tokens at every query."""
    length = spec.train_length
    # A window starts with a key, as every training sequence does.
    starts = (probe.queries - length + 2).clamp(min=0)
    windows = probe.tokens[:, starts[:, None] + torch.arange(length - 1)].flatten(0, 1)
    at = (probe.queries - starts).repeat(len(probe.tokens))
    predicted = []
    for part, index in zip(
        windows.split(TOKENS_AT_ONCE // length), at.split(TOKENS_AT_ONCE // length), strict=True
    ):
        hidden = model.hidden(part)[torch.arange(len(part)), index]
        predicted.append(model.lm_head(hidden).argmax(-1))
    return torch.cat(predicted).view(probe.distances.shape)
