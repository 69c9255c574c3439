"""Dense recall: far context pays, because only one earlier pair tells the answer.

A sequence is n/2 pairs `key value`. The map from keys to values is drawn anew for every sequence,
so that a value can be known only if its key has occurred before: chance is 1/32.
"""

from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor

from lab.tasks.batch import Batch, generator

KEYS, VALUES = 64, 32
VOCAB = KEYS + VALUES
CHANCE = 1 / VALUES
# The training length is reached in three stages; recall emerges on short sequences.
STAGES = ((0.36, 4), (0.55, 2), (1.0, 1))
TARGETS = 16  # keys of a probe that are asked for
FILLERS = 18  # keys of a probe that are not
SHORT = (32, 48, 64, 80, 96, 112)  # distances that are asked in contexts of every length


def is_near(distance: Any, train_length: int) -> Any:
    """Whether a key is near: at most L tokens back, as all keys of training are; else it is far.

    Of a number, an array or a column of distances.
    """
    return distance <= train_length


def stage_length(update: int, updates: int, train_length: int) -> int:
    """Sequence length at an update: L/4, then L/2, then L."""
    return train_length // next(part for end, part in STAGES if update < end * updates)


def training_batch(
    seed: int, update: int, length: int, tokens: int, starts: int = 1, skewed: bool = False
) -> Batch:
    """Random sequences; n/4 keys are in use, all of them with unequal frequency if `skewed`.

    Args:
        seed: Of the run.
        update: Of the run, from 0.
        length: n, tokens of a sequence, even.
        tokens: Tokens of the batch.
        starts: Sequences start at a random position below this, so that a table of absolute
            positions has met every row before sequences are as long as the table.
        skewed: Log-normal key frequencies (σ = 1.5) over all keys: long gaps occur.
    """
    random = generator(seed, update)
    rows = max(1, tokens // length)
    pairs = length // 2
    in_use = KEYS if skewed else min(KEYS, length // 4)
    order = torch.rand(rows, KEYS, generator=random).argsort(1)[:, :in_use]
    if skewed:
        frequency = (1.5 * torch.randn(rows, in_use, generator=random)).exp()
        choice = torch.multinomial(frequency, pairs, replacement=True, generator=random)
    else:
        choice = torch.randint(in_use, (rows, pairs), generator=random)
    keys = order.gather(1, choice)
    values = torch.randint(VALUES, (rows, KEYS), generator=random).gather(1, keys)
    tokens_of = interleaved(keys, values)
    seen = (keys[:, :, None] == keys[:, None, :]).tril(-1).any(-1)
    weights = torch.zeros(rows, length)
    weights[:, ::2] = seen.float()
    positions = torch.arange(length)
    if starts > 1:
        positions = torch.randint(starts, (rows, 1), generator=random) + positions
    return Batch(
        inputs=tokens_of,
        targets=tokens_of.roll(-1, 1),  # the last one has no weight
        weights=weights,
        positions=positions,
    )


def interleaved(keys: Tensor, values: Tensor) -> Tensor:
    """Tokens key, value, key, value …, (rows, 2 · pairs)."""
    return torch.stack([keys, values + KEYS], dim=-1).flatten(-2)


@dataclass(frozen=True)
class Probe:
    """Contexts in which distance and length are varied apart."""

    tokens: Tensor
    """Integers (contexts, n). The last 2 · TARGETS tokens are the queries and their answers."""
    queries: Tensor
    """Integers (TARGETS,): index of each query's key; the value at index + 1 is the answer."""
    distances: Tensor
    """Integers (contexts, TARGETS): tokens from the key's one earlier place to the query."""


def probe_distances(length: int) -> list[int]:
    """Distances asked at a context of `length` tokens: short ones, then evenly to the end.

    Up to `length` minus the query block; all are even, because a pair has two tokens.
    """
    last = length - 2 * TARGETS
    short = [distance for distance in SHORT if distance <= last]
    far = torch.linspace(128, last, 9)[1:] if last > 128 else torch.tensor([])
    return short + [2 * round(float(distance) / 2) for distance in far]


def probe(seed: int, length: int, contexts: int) -> Probe:
    """Draw contexts of `length` tokens in which every target key stands once before its query.

    The distance of each query is drawn for itself, so that the order of the answers tells
    nothing. All else is pairs of other keys.

    Args:
        seed: Of the probe.
        length: n, even, at least 4 · TARGETS.
        contexts: How many.
    """
    random = generator(seed, length)
    pairs = length // 2
    distances = probe_distances(length)
    keys = torch.rand(contexts, KEYS, generator=random).argsort(1)
    targets = keys[:, :TARGETS]
    fillers = keys[:, TARGETS : TARGETS + FILLERS]
    filled = torch.randint(FILLERS, (contexts, pairs), generator=random)
    sequence = fillers.gather(1, filled)
    sequence[:, -TARGETS:] = targets
    chosen = torch.empty(contexts, TARGETS, dtype=torch.long)
    for row in range(contexts):
        chosen[row] = _place(sequence[row], distances, row, random)
    values = torch.randint(VALUES, (contexts, KEYS), generator=random).gather(1, sequence)
    queries = length - 2 * TARGETS + 2 * torch.arange(TARGETS)
    return Probe(interleaved(sequence, values), queries, chosen)


def _place(sequence: Tensor, distances: list[int], row: int, random: torch.Generator) -> Tensor:
    """Write each target key at its distance before its query; return the distances, (TARGETS,).

    The distances are dealt in turn, so that each is asked equally often; where the place is
    taken, the next distance is tried.
    """
    pairs = len(sequence)
    taken: set[int] = set()
    chosen = torch.empty(TARGETS, dtype=torch.long)
    for turn, query in enumerate(torch.randperm(TARGETS, generator=random).tolist()):
        for attempt in range(len(distances)):
            distance = distances[(row * TARGETS + turn + attempt) % len(distances)]
            place = pairs - TARGETS + query - distance // 2
            if place not in taken:
                break
        else:
            raise RuntimeError("No free place for a target key.")
        taken.add(place)
        sequence[place] = sequence[pairs - TARGETS + query]
        chosen[query] = distance
    return chosen
