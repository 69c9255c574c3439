"""Effects of every method at a length, as rows of plain numbers."""

import math
from typing import Any

from torch import Tensor

from advisor.comparing.layer import RopeLayer
from advisor.comparing.task import SHORTEST, Task
from posenc.checks import LONGEST
from posenc.reading.formula import Reading
from posenc.rope.formula import rope_inv_freq
from posenc.scaling.methods import METHODS
from posenc.scaling.remap.dual_chunk import DualChunk
from posenc.words import say

LOST_BASE = 10000.0
"""Base of readers that do not find rope_theta."""
WITHOUT_FACTOR = ("declared", "none")
"""Methods that remain where the target is no longer than the training."""
NAMES = {"declared": say("the file")}
Document = dict[str, Any]


def method_rows(
    layer: RopeLayer, trained: int | None, target: int | None, chunks: DualChunk | None = None
) -> list[Document]:
    """Every method that fits the layers, and the loss of the base, at one length.

    Args:
        layer: What is read with.
        trained: L₀, tokens of the training without scaling; None where it is not known.
        target: L, tokens; None where the file declares no length.
        chunks: Dual Chunk Attention, where the file asks for it.

    Returns:
        A row for each method, as schema.json describes it; none where a length is missing or below
        8 tokens.
    """
    if trained is None or target is None or min(trained, target) < SHORTEST:
        return []
    task = Task.of(layer, target, False, chunks, trained=trained)
    own = _own_training(layer, target, trained, chunks)
    file = task.frequencies(layer.scaling, target)[0]
    rows = []
    for method in METHODS.values():
        if target <= trained and method.id not in WITHOUT_FACTOR:
            continue
        try:
            reading = task.reading(task.rule(method), target)
        except ValueError:
            continue  # it does not fit these layers
        name = NAMES.get(method.id, method.title)
        rows.append({"id": method.id, "name": name, **_row(reading, task, own, file)})
    if layer.base != LOST_BASE:
        lost = Reading(inv_freq=rope_inv_freq(layer.rotary_dim, LOST_BASE)[0])
        row = {"id": "lost_base", "name": say("base 10000, none"), **_row(lost, task, own, file)}
        rows.insert(len(WITHOUT_FACTOR), row)
    return rows


def _own_training(
    layer: RopeLayer, target: int, trained: int, chunks: DualChunk | None
) -> Task | None:
    """The task after a training with the file's own scaling.

    None without one, or where it reaches further than can be counted.
    """
    try:
        own = Task.of(layer, target, True, chunks, trained=trained)
    except ValueError:
        return None
    return own if own.as_in_file else None


def _row(reading: Reading, task: Task, own: Task | None, file: Tensor) -> Document:
    """The numbers of one method.

    Args:
        reading: How it reads the target.
        task: Judged by a training without scaling.
        own: Judged by a training with the file's own scaling, where there may have been one.
        file: θ' of the file at the target, float64 (pairs,).
    """
    plain = task.frequencies(task.unscaled, None)[0]
    scaled = reading.inv_freq
    slowed = (plain / scaled)[(scaled > 0) & (plain > 0)]
    count, furthest = _new_angles(reading, task)
    after = None if own is None else _new_angles(reading, own)[0]
    apart = _distance_apart(file, scaled) if reading.remapping is None else None
    return {
        "fastest_slowed": float(slowed[0]) if len(slowed) else None,
        "slowest_slowed": float(slowed[-1]) if len(slowed) else None,
        "attention_factor": reading.attention_factor,
        "pairs_with_new_angles": count,
        "furthest_over_training": furthest,
        "pairs_with_new_angles_after_own": after,
        "half_a_turn_off_at": None if apart is None or apart > LONGEST else apart,
    }


def _new_angles(reading: Reading, task: Task) -> tuple[int, float | None]:
    """How many pairs meet angles that training never showed, and how far the furthest goes."""
    trained = task.trained_reading(task.shown).inv_freq
    coverage = reading.coverage(trained, task.shown, task.target)
    new = coverage.excess[coverage.is_new]
    return len(new), float(new.max()) if len(new) else None


def _distance_apart(file: Tensor, other: Tensor) -> float:
    """Tokens from which on some pair of one rotation says the opposite of the other: half a turn.

    Args:
        file: θ, (pairs,), radians per position.
        other: θ of the other rotation, the same shape.

    Returns:
        The least over the pairs; infinity where all turn alike.
    """
    return float((math.pi / (file.double() - other.double()).abs()).ceil().min())
