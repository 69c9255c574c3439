"""What may be ordered of the lab: payloads made complete, checked, and their cost; then done.

    train     {"spec": RunSpec.to_dict()}
    evaluate  {"of": 7}  or  {"of": "recall-rope-s0"}      a finished job, or a shipped checkpoint
    finetune  {"of": ..., "method": "yarn", "factor": 4}   RoPE models of recall and text
    own       {"name": "my-model", "longest": 8192, "methods": ["yarn"], "text": ""}
              a transformers directory in the lab's folder of checkpoints; "" is the usual text

A payload may come from anybody, so it names no path: a corpus is one that was added before.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from lab.measuring import own_checkpoint as own
from lab.measuring.counting import COUNTING_LENGTHS
from lab.measuring.recall import RECALL_LENGTHS, contexts_for
from lab.measuring.text import CHUNKS, LONGEST, TEXT_LENGTHS
from lab.model.encodings import build_encoding
from lab.model.methods import tried
from lab.model.transformer import ROWS, TOKENS_AT_ONCE
from lab.queue.limits import Cost
from lab.queue.perform import CHECKPOINT, Stopped, perform
from lab.queue.settings import CHECKPOINTS, CORPORA
from lab.spec import RunSpec
from lab.tasks.counting import MIXES
from lab.training.checkpoints import load_checkpoint, shipped_checkpoints
from lab.training.finetuning import STEPS
from lab.training.loop import OUTPUTS

__all__ = ["Stopped", "perform", "prepare"]

KINDS = {
    "train": {"spec"},
    "evaluate": {"of"},
    "finetune": {"of", "method", "factor"},
    "own": {"name", "longest", "methods", "text"},
}
SLACK = 1e8  # bytes that torch itself takes
# Copies of the scores that a step holds at once; CoPE's gates and FIRE's network hold more.
COPIES = {"cope": 20, "fire": 6}


def prepare(kind: str, payload: Mapping[str, Any], home: Path) -> tuple[dict[str, Any], Cost]:
    """A complete payload for `perform`, and what the job will cost.

    Raises:
        ValueError: If the order makes no sense, in a sentence.
    """
    if kind not in KINDS:
        raise ValueError(f"kind must be one of {', '.join(KINDS)}, got {kind!r:.40}.")
    if not isinstance(payload, Mapping) or set(payload) != KINDS[kind]:
        raise ValueError(
            f"A job of kind {kind} has {', '.join(sorted(KINDS[kind]))}, got {payload!r:.80}."
        )
    if kind == "train":
        spec = RunSpec.from_dict(payload["spec"])
        check_corpus(spec, home)
        return {"spec": spec.to_dict()}, training_cost(spec)
    if kind == "own":
        return own_order(payload, home)
    path = checkpoint_of(payload["of"], home)
    spec = load_checkpoint(path).spec
    complete = {**payload, "checkpoint": str(path)}
    if kind == "evaluate":
        return complete, Cost(measuring_operations(spec), measuring_memory(spec), 1e6)
    check_finetuning(spec, payload["method"], payload["factor"])
    return complete, finetuning_cost(spec, payload["factor"])


def own_order(payload: Mapping[str, Any], home: Path) -> tuple[dict[str, Any], Cost]:
    """The payload of a measurement of a reader's own checkpoint, and its cost.

    Raises:
        ValueError: If it is not in the lab's folder of checkpoints or cannot be measured.
    """
    folders = own.directories(home / CHECKPOINTS)
    name, longest, methods = payload["name"], payload["longest"], payload["methods"]
    if not isinstance(name, str) or name not in folders:
        raise ValueError(f"{name!r:.60} is not in the lab's folder of checkpoints.")
    model = own.look(folders[name])
    if not isinstance(longest, int) or isinstance(longest, bool):
        raise ValueError(f"longest must be a whole number of tokens, got {longest!r:.40}.")
    if not isinstance(methods, list) or not set(map(str, methods)) <= set(own.METHODS):
        raise ValueError(f"methods must be among {', '.join(own.METHODS)}, got {methods!r:.80}.")
    text = payload["text"]
    if not isinstance(text, str) or (text and Path(text).parent != home / CORPORA):
        raise ValueError(f"The text {text!r:.60} was not added to this lab; add it.")
    lengths = own.lengths_for(model, longest)
    need = own.estimate(model, lengths, ("none", *methods))
    complete = {"folder": str(folders[name]), "longest": longest, "methods": methods, "text": text}
    return complete, Cost(need.operations, need.memory, 1e6)


def checkpoint_of(of: object, home: Path) -> Path:
    """The checkpoint of a finished training job (its number) or a shipped one (its name).

    Raises:
        ValueError: If there is none.
    """
    if isinstance(of, int) and not isinstance(of, bool):
        path = home / "jobs" / str(of) / CHECKPOINT
        if not path.is_file():
            raise ValueError(f"Job {of} has no trained model; a training job that is done has.")
        return path
    shipped = shipped_checkpoints()
    if not isinstance(of, str) or of not in shipped:
        names = ", ".join(shipped) or "none"
        raise ValueError(f"{of!r:.60} is no job's number and no shipped checkpoint: {names}.")
    return shipped[of]


def check_corpus(spec: RunSpec, home: Path) -> None:
    """Refuse a corpus that was not added to the lab.

    Raises:
        ValueError: If it is another file, or is gone.
    """
    if spec.corpus:
        file = Path(spec.corpus)
        if file.parent != home / CORPORA or not file.is_file():
            raise ValueError(f"The corpus {file.name!r:.60} was not added to this lab; add it.")


def check_finetuning(spec: RunSpec, method: object, factor: object) -> None:
    """Refuse a fine-tuning that `perform` would refuse later.

    Raises:
        ValueError: In a sentence.
    """
    if spec.encoding != "rope" or spec.task == "counting":
        raise ValueError("Only RoPE models of recall and text can be fine-tuned to a scaling.")
    if method not in list(tried()):
        raise ValueError(f"method must be one of {', '.join(tried())}, got {method!r:.40}.")
    if not isinstance(factor, int) or isinstance(factor, bool) or not 2 <= factor <= 32:
        raise ValueError(f"factor must be a whole number from 2 to 32, got {factor!r:.40}.")


# What it costs


def parameters(spec: RunSpec) -> int:
    """Trained parameters of the model of a run."""
    d, inner = spec.d_model, spec.heads * spec.head_dim
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
    """Of training a run and of measuring it."""
    operations = 3 * operations_per_token(spec, spec.train_length)
    return Cost(
        operations * spec.steps * spec.tokens_per_step + measuring_operations(spec),
        max(training_memory(spec, spec.train_length), measuring_memory(spec)),
        # Weights and the optimiser's two moments, old and new side by side for a moment.
        24.0 * parameters(spec) + 1e6,
    )


def finetuning_cost(spec: RunSpec, factor: int) -> Cost:
    """Of a short training at `factor` times the training length."""
    length = factor * spec.train_length
    tokens = max(spec.tokens_per_step, length)
    operations = 3 * operations_per_token(spec, length) * STEPS * tokens
    return Cost(operations, training_memory(spec, length), 1e6)


def measuring_operations(spec: RunSpec) -> float:
    """Of reading the probes at every length by every method."""
    methods = {"rope": len(tried()), "learned": 2}.get(spec.encoding, 1)
    times = {"recall": RECALL_LENGTHS, "text": TEXT_LENGTHS, "counting": COUNTING_LENGTHS}
    total = 0.0
    for length in (n * spec.train_length for n in times[spec.task]):
        tokens = (
            methods
            * length
            * {"recall": contexts_for(length), "text": CHUNKS}.get(spec.task, 64 * len(MIXES))
        )
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
    tokens = max(spec.tokens_per_step, length)
    stream = 8 * spec.d_model + 3 * spec.ffn + 6 * spec.heads * spec.head_dim
    scores = COPIES.get(spec.encoding, 4) * spec.heads * length
    return SLACK + 20.0 * parameters(spec) + 4.0 * tokens * spec.layers * (1.5 * stream + scores)
