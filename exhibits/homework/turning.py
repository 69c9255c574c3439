"""Checks of the tasks on encodings that rotate."""

import math

from advisor.comparing.layer import RopeLayer
from advisor.comparing.task import Task
from exhibits.homework.check import TaskResult
from exhibits.homework.settings import Settings
from posenc.rope.formula import rope_inv_freq
from posenc.scaling.coverage import angle_coverage
from posenc.scaling.methods import METHODS, Need, fitting
from posenc.words import say

CIRCLE = 2 * math.pi
OFF = 0.01
PAIRS = 2
MODEL_PAIRS = 64
TRAINED = 4096
FACTOR = 4.0
KEPT = 1e-3
GIVEN: tuple[Need, ...] = ("trained", "alpha", "inv_freq", "length")


def same_angles(s: Settings) -> TaskResult:
    """RoPE: two positions share every angle to one per cent of a turn."""
    dim, base = _head(s, 16, 10000.0)
    m, n = s.whole("m", 9, 0, 2**27), s.whole("n", 4, 0, 2**27)
    turns = (m - n) * rope_inv_freq(dim, base)[0] / CIRCLE
    off = (turns - turns.round()).abs()
    pair = int(off.argmax())
    said = say(
        "Positions {m:,} and {n:,}, {pairs} pairs: pair {pair} is furthest from the same angle, by "
        "{off:.2f}% of a turn.",
        m=m,
        n=n,
        pairs=len(off),
        pair=pair,
        off=100 * float(off[pair]),
    )
    return TaskResult(m != n and len(off) >= PAIRS and float(off[pair]) <= OFF, said)


def half_came_round(s: Settings) -> TaskResult:
    """RoPE: of 64 pairs, 32 make a full turn in training on 4,096 tokens."""
    dim, base = _head(s, 16, 10000.0)
    trained = s.whole("trained", 16, 4, 2**27)
    coverage = angle_coverage(rope_inv_freq(dim, base)[0], trained, trained)
    pairs = dim // 2
    full = int(coverage.full_turn.sum())
    said = say(
        "{full} of {pairs} pairs make a full turn within the {trained:,} trained positions.",
        full=full,
        pairs=pairs,
        trained=trained,
    )
    return TaskResult(pairs == MODEL_PAIRS and trained == TRAINED and 2 * full == pairs, said)


def _head(s: Settings, head_dim: int, base: float, least: int = 2) -> tuple[int, float]:
    """Channels that are rotated, and the base."""
    dim = s.whole("head_dim", head_dim, least, 512)
    return s.whole("rotary_dim", 0, 0, dim) or dim, s.number("base", base, 1.5, 1e9)


def nothing_new_neighbours_kept(s: Settings) -> TaskResult:
    """Scaling: no new angle at four times the length, and the fastest pair as it was."""
    dim, base = _head(s, 128, 10000.0, least=4)
    trained = s.whole("train_length", TRAINED, 4, 2**22)
    factor = s.number("factor", FACTOR, 1.0, 1024.0)
    alpha = s.number("alpha", 2.0, 0.1, 64.0)
    names = s.some_of("methods", fitting(*GIVEN), ["none", "linear", "ntk", "yarn"])
    if len(names) != 1:
        return TaskResult(False, say("Choose one method alone; now there are {n}.", n=len(names)))
    layer = RopeLayer(
        head_dim=dim,
        rotary_dim=dim,
        base=base,
        layout="half",
        scaling=None,
        original_length=trained,
        max_length=trained,
    )
    task = Task(layer, trained=trained, target=round(factor * trained), factor=factor, alpha=alpha)
    method = METHODS[names[0]]
    reading = task.reading(task.rule(method), task.target)
    theta = task.trained_reading(task.shown).inv_freq
    new = int(reading.coverage(theta, task.shown, task.target).is_new.sum())
    slowed = float(theta[0] / reading.inv_freq[0])
    said = say(
        "At {length:,} tokens, {title} leaves {new} of {pairs} pairs with new angles, and slows "
        "the fastest pair {slowed:.3g} times.",
        length=task.target,
        title=method.title,
        new=new,
        pairs=dim // 2,
        slowed=slowed,
    )
    is_llama = (dim, base, trained) == (2 * MODEL_PAIRS, 10000.0, TRAINED)
    return TaskResult(is_llama and factor >= FACTOR and not new and abs(slowed - 1) < KEPT, said)
