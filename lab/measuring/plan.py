"""The measurements of a trained model, made one by one."""

import dataclasses
from typing import Any, NamedTuple

from lab.measuring.counting import COUNTING_LENGTHS, counting_error
from lab.measuring.recall import PROBE_SEED, RECALL_LENGTHS, contexts_for, recall_at, recall_cells
from lab.measuring.text import (
    TEXT_LENGTHS,
    mean_loss,
    position_rows,
    tail_rows,
    text_at,
    text_chunks,
    text_losses,
)
from lab.model.methods import SLIDE, longest_for, model_methods
from lab.model.transformer import LanguageModel
from lab.spec import RunSpec
from lab.tasks.counting import MIXES
from lab.tasks.recall import probe
from lab.training.checkpoints import Checkpoint

MOST_SCALED = 16  # training lengths up to which every method is tried; beyond, only as trained
Rows = dict[str, list[dict[str, Any]]]


class Measurement(NamedTuple):
    """A model read by this method (or, for counting, in this mix) at this length."""

    method: str
    length: int


def measurements(model: LanguageModel, spec: RunSpec) -> list[Measurement]:
    """Everything that is measured of a run as trained, short contexts first."""
    length = spec.train_length
    if spec.task == "counting":
        counted = longest_for(model, spec, COUNTING_LENGTHS)
        return [Measurement(mix, times * length) for times in counted for mix in MIXES]
    # At the training length every method leaves the model as it is.
    found = [Measurement("none", length)]
    if spec.task == "text":
        found.append(Measurement(SLIDE, length))
    lengths = RECALL_LENGTHS if spec.task == "recall" else TEXT_LENGTHS
    slide = (SLIDE,) if spec.task == "recall" else ()
    for times in longest_for(model, spec, lengths)[1:]:
        methods = model_methods(model) if times <= MOST_SCALED else ("none",)
        found += [Measurement(method, times * length) for method in (*methods, *slide)]
    return found


def measured_rows(run: Checkpoint, measurement: Measurement) -> Rows:
    """The rows of one measurement, by table."""
    method, length = measurement
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
