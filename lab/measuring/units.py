"""What is measured of a trained model, cut into units that are done one by one."""

import dataclasses
import math
from itertools import pairwise
from typing import Any, NamedTuple

from lab.measuring.evaluation import (
    RECALL_LENGTHS,
    SLIDE,
    TEXT_LENGTHS,
    TextLosses,
    contexts_for,
    counting_error,
    longest_for,
    mean_loss,
    methods_for,
    recall_at,
    recall_cells,
    text_at,
    text_chunks,
    text_losses,
)
from lab.model.transformer import LanguageModel
from lab.tasks.counting import MIXES
from lab.tasks.recall import probe
from lab.training.checkpoints import Checkpoint
from lab.training.spec import RunSpec

MOST_SCALED = 16  # training lengths up to which every method is tried; beyond, only as trained
COUNTING_LENGTHS = (1, 2, 4, 8)
PROBE_SEED = 1000
Rows = dict[str, list[dict[str, Any]]]


class Unit(NamedTuple):
    """One thing to measure: by this method (or, for counting, in this mix) at this length."""

    method: str
    length: int


def units(model: LanguageModel, spec: RunSpec) -> list[Unit]:
    """Everything that is measured of a run as trained, short contexts first."""
    length = spec.train_length
    if spec.task == "counting":
        counted = longest_for(model, spec, COUNTING_LENGTHS)
        return [Unit(mix, times * length) for times in counted for mix in MIXES]
    # At the training length every method leaves the model as it is.
    found = [Unit("none", length)]
    if spec.task == "text":
        found.append(Unit(SLIDE, length))
    lengths = RECALL_LENGTHS if spec.task == "recall" else TEXT_LENGTHS
    slide = (SLIDE,) if spec.task == "recall" else ()
    for times in longest_for(model, spec, lengths)[1:]:
        methods = methods_for(model) if times <= MOST_SCALED else ("none",)
        found += [Unit(method, times * length) for method in (*methods, *slide)]
    return found


def measured(run: Checkpoint, unit: Unit) -> Rows:
    """The rows of one unit, by table."""
    method, length = unit
    if run.spec.task == "recall":
        cells = recall_at(run.model, run.spec, length, method, seed=PROBE_SEED)
        return {"recall": [{**dataclasses.asdict(cell), "tuned": 0} for cell in cells]}
    if run.spec.task == "counting":
        asked, wrong = counting_error(run.model, run.spec, length, method)
        return {"counting": [{"mix": method, "length": length, "asked": asked, "wrong": wrong}]}
    chunks = text_chunks(run.spec)
    losses = text_at(run.model, run.spec, length, method, chunks)
    rows = tail_rows(losses)
    if method == "none":
        means = mean_loss(run.model, run.spec, length, method, chunks).tolist()
        tag = {"method": method, "length": length, "tuned": 0, "measure": "mean"}
        rows += [{**tag, "chunk": c, "bits": round(bits, 5)} for c, bits in enumerate(means)]
    whole = length == MOST_SCALED * run.spec.train_length
    return {"text": rows, "positions": position_rows(losses) if whole else []}


def tuned_rows(run: Checkpoint, tuned: LanguageModel, method: str, factor: int) -> Rows:
    """A fine-tuned model, read as it stands, at the training length and at `factor` times it."""
    found: list[dict[str, Any]] = []
    for length in (run.spec.train_length, factor * run.spec.train_length):
        if run.spec.task == "recall":
            asked = probe(PROBE_SEED, length, contexts_for(length))
            cells = recall_cells(tuned, method, asked)
            found += [{**dataclasses.asdict(cell), "tuned": factor} for cell in cells]
        else:
            found += tail_rows(text_losses(tuned, method, length, text_chunks(run.spec)), factor)
    return {run.spec.task: found}


def tail_rows(losses: TextLosses, tuned: int = 0) -> list[dict[str, Any]]:
    """Bits per byte of every chunk, so that differences can be paired."""
    tag = {"method": losses.method, "length": losses.length, "tuned": tuned, "measure": "tail"}
    return [
        {**tag, "chunk": c, "bits": round(bits, 5)} for c, bits in enumerate(losses.tail.tolist())
    ]


def position_rows(losses: TextLosses) -> list[dict[str, Any]]:
    """Loss against position in the window, two stretches for each octave.

    The error is the standard error over chunks of their means in the stretch.
    """
    last = losses.positions.shape[1]
    edges = sorted({math.ceil(2 ** (half / 2)) for half in range(2 * last.bit_length())})
    found = []
    for start, stop in pairwise([*(edge for edge in edges if edge < last), last]):
        bits = losses.positions[:, start:stop].double().mean(1)
        tag = {"method": losses.method, "length": losses.length, "start": start, "stop": stop}
        error = float(bits.std()) / len(bits) ** 0.5
        found.append({**tag, "bits": round(float(bits.mean()), 5), "error": round(error, 5)})
    return found
