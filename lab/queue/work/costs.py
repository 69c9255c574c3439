"""Costs of the lab's own jobs: operations, memory and disk, estimated before they start."""

from lab.measuring.counting import COUNTING_LENGTHS
from lab.measuring.recall import RECALL_LENGTHS, contexts_for
from lab.measuring.text import CHUNKS, LONGEST, TEXT_LENGTHS
from lab.model.encodings import build_encoding
from lab.model.methods import tried
from lab.model.transformer import ROWS, TOKENS_AT_ONCE
from lab.queue.limits import Cost
from lab.spec import RunSpec
from lab.tasks.counting import MIXES
from lab.training.finetuning import UPDATES
from lab.training.loop import OUTPUTS

SLACK = 1e8  # bytes that torch itself takes
# Copies of the scores that an update holds at once; CoPE's gates and FIRE's network hold more.
COPIES = {"cope": 20, "fire": 6}


def parameters(spec: RunSpec) -> int:
    """Trained parameters of the model of a run."""
    d = spec.d_model
    inner = spec.heads * spec.head_dim
    block = 4 * d * inner + 3 * d * spec.ffn + 2 * d
    ends = 2 * OUTPUTS[spec.task] * d + d
    encoding = sum(p.numel() for p in build_encoding(spec).parameters())
    return spec.layers * block + ends + encoding


def operations_per_token(spec: RunSpec, length: int) -> float:
    """Floating-point operations of a forward pass, 2 N + 4 layers heads head_dim length.

    Source: Chowdhery et al. 2022, arXiv:2204.02311, appendix B (there for both passes, 3 times
    as many).
    """
    return 2.0 * parameters(spec) + 4.0 * spec.layers * spec.heads * spec.head_dim * length


def training_cost(spec: RunSpec) -> Cost:
    """Cost of training a run and of measuring it."""
    operations = 3 * operations_per_token(spec, spec.train_length)
    return Cost(
        operations * spec.updates * spec.tokens_per_update + measuring_operations(spec),
        max(training_memory(spec, spec.train_length), measuring_memory(spec)),
        # Weights and the optimiser's two moments, old and new side by side for a moment.
        24.0 * parameters(spec) + 1e6,
    )


def evaluation_cost(spec: RunSpec) -> Cost:
    """Cost of measuring a run that is trained."""
    return Cost(measuring_operations(spec), measuring_memory(spec), 1e6)


def finetuning_cost(spec: RunSpec, factor: int) -> Cost:
    """Cost of a short training at `factor` times the training length."""
    length = factor * spec.train_length
    tokens = max(spec.tokens_per_update, length)
    operations = 3 * operations_per_token(spec, length) * UPDATES * tokens
    return Cost(operations, training_memory(spec, length), 1e6)


def measuring_operations(spec: RunSpec) -> float:
    """Operations of reading the probes at every length by every method."""
    methods = {"rope": len(tried()), "learned": 2}.get(spec.encoding, 1)
    times = {"recall": RECALL_LENGTHS, "text": TEXT_LENGTHS, "counting": COUNTING_LENGTHS}
    total = 0.0
    for length in (n * spec.train_length for n in times[spec.task]):
        texts = {"recall": contexts_for(length), "text": CHUNKS}.get(spec.task, 64 * len(MIXES))
        tokens = methods * length * texts
        if spec.task == "text":
            tokens += CHUNKS * LONGEST * spec.train_length  # the mean over whole chunks
        total += tokens * operations_per_token(spec, length)
    return total


def measuring_memory(spec: RunSpec) -> float:
    """At its longest: the scores of some rows, and the weights."""
    length = spec.train_length * (LONGEST if spec.task == "text" else max(RECALL_LENGTHS))
    scores = 4.0 * max(TOKENS_AT_ONCE, length) * min(ROWS, length) * spec.heads
    return SLACK + 8.0 * parameters(spec) + 0.75 * COPIES.get(spec.encoding, 4) * scores


def training_memory(spec: RunSpec, length: int) -> float:
    """Weights, gradients, moments, and what the backward pass needs of every layer."""
    tokens = max(spec.tokens_per_update, length)
    stream = 8 * spec.d_model + 3 * spec.ffn + 6 * spec.heads * spec.head_dim
    scores = COPIES.get(spec.encoding, 4) * spec.heads * length
    return SLACK + 20.0 * parameters(spec) + 4.0 * tokens * spec.layers * (1.5 * stream + scores)
