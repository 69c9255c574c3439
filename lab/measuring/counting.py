"""Counting: wrong answers against the length of the context."""

import torch

from lab.model.methods import reader
from lab.model.transformer import LanguageModel
from lab.spec import RunSpec
from lab.tasks import counting

COUNTING_LENGTHS = (1, 2, 4, 8)
ROWS = 64
SEED = 1000


@torch.no_grad()
def counting_error(model: LanguageModel, spec: RunSpec, length: int, mix: str) -> tuple[int, int]:
    """Answers given and wrong answers over the last half of windows of `length` tokens."""
    batch = counting.batch(SEED, length, length, ROWS, mix)
    ready = reader(model, spec, length)
    wrong = asked = 0
    for tokens, targets in zip(batch.inputs.split(16), batch.targets.split(16), strict=True):
        predicted = ready(tokens).argmax(-1)
        wrong += int((predicted != targets)[:, length // 2 :].sum())
        asked += targets[:, length // 2 :].numel()
    return asked, wrong
