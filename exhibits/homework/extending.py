"""Checks of the tasks on screens beside the course: files, units, encodings side by side."""

from functools import lru_cache
from math import prod
from typing import cast

from advisor.known_models import known_models
from advisor.memory.cache import CACHE_BITS, cache_bytes
from advisor.rope import RopeConfig
from advisor.units.convert import OF_BASE, UNITS, RopeUnits, Unit, convert_units
from exhibits.homework.check import TaskResult
from exhibits.homework.settings import Settings
from posenc.catalogue import CATALOGUE, ModelShape
from posenc.scaling.methods import fitting
from posenc.words import say

MODEL = "Llama-3.1-8B"
READ = 131_072
TEXTS = 2
CACHE = 16 * 2**30
BITS = 8
TRAINED = RopeUnits(128, 10000.0, 4096, 10000.0)
LONGER = 16_384
MORE = 1.01
NONE = "none"
OWN = "own"
LETTERS = {"a": "rope", "b": "alibi", "c": "sinusoidal", "d": NONE}
SHAPE = ModelShape(d_model=8, num_heads=1, head_dim=8, length=8)


def cache_that_fits(s: Settings) -> TaskResult:
    """Scaling studio: two texts of the whole declared length, and a cache that has room."""
    model = s.one_of("model", [*known_models(), OWN], MODEL)
    target = s.whole("target_length", 0, 0, 10**12)
    kind = s.one_of("cache_kind", CACHE_BITS, "bfloat16")
    batch = s.whole("batch", 1, 1, 10**6)
    if model != MODEL:
        return TaskResult(False, say("The model is not {model}.", model=MODEL))
    config = RopeConfig.from_hf(known_models()[MODEL].config)
    length = target or READ  # 0 is as declared
    size = cache_bytes(config, length, kind, batch)
    said = say(
        "{texts:,} texts of {length:,} tokens need {size:,.1f} GiB in {kind}, which has {bits:g} "
        "bits for a number.",
        texts=batch,
        length=length,
        size=size / 2**30,
        kind=kind,
        bits=CACHE_BITS[kind],
    )
    is_asked = batch >= TEXTS and length >= READ and CACHE_BITS[kind] >= BITS
    return TaskResult(is_asked and size <= CACHE, said)


def least_base(s: Settings) -> TaskResult:
    """Units: the smallest base with which Llama 2 meets no new angle in four times its length."""
    unit = s.one_of("unit", UNITS, "alpha")
    value = s.number("value", 2.5, 0.001, 1e9)
    second = s.one_of("second", [*UNITS, "nothing"], "nothing")
    model = (
        s.whole("head_dim", 128, 4, 512),
        s.number("trained_base", 10000.0, 1.5, 1e9),
        s.whole("trained_length", 4096, 8, 2**30),
    )
    if model != (TRAINED.head_dim, TRAINED.trained_base, TRAINED.trained_length):
        return TaskResult(
            False, say("These are not the width, base and trained length of Llama 2.")
        )
    if unit not in OF_BASE or second != "nothing":
        return TaskResult(False, say("Something other than the base is set as well."))
    setting = convert_units(cast(Unit, unit), value)
    said = say(
        "With α = {alpha:.4g}, which is the base {base:,.0f}, no pair meets a new angle in texts "
        "of up to {reach:,.0f} tokens.",
        alpha=setting.alpha,
        base=setting.base,
        reach=setting.reach,
    )
    return TaskResult(LONGER <= setting.reach <= MORE * LONGER, said)


def four_places(s: Settings) -> TaskResult:
    """Side by side: four encodings without a number to train, each at a place of its own."""
    some = [*CATALOGUE, *(f"rope_{one.id}" for one in fitting("trained").values() if one.kind)]
    ids = {"a": some, "b": some, "c": [*some, NONE], "d": [*some, NONE]}
    chosen = [s.one_of(letter, ids[letter], default) for letter, default in LETTERS.items()]
    names = ["rope" if name.startswith("rope_") else name for name in chosen if name != NONE]
    places = {CATALOGUE[name].places for name in names}
    trained = sum(map(parameters, names))
    said = say(
        "{count} encodings enter at {places} different places, none being one of them, and train "
        "{trained:,} numbers in a head of width {width}.",
        count=len(names),
        places=len(places),
        trained=trained,
        width=SHAPE.head_dim,
    )
    return TaskResult(len(places) == len(LETTERS) and not trained, said)


@lru_cache(32)
def parameters(name: str) -> int:
    """How many numbers an encoding trains in a small head."""
    return sum(prod(one.shape) for one in CATALOGUE[name].build(SHAPE).parameters())
