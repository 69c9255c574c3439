"""Checks of the tasks on models that read: measured ones, real ones, counting ones, cached ones."""

import torch

from exhibits.homework.check import TaskResult
from exhibits.homework.settings import Settings
from models.change import LARGEST_OFFSET
from models.results.losses import bits
from models.results.tables import SLIDE, Way, factors, has_factor, load, usual_length, way
from posenc.attention.masks import causal_mask
from posenc.cache.picture import StaleKeys
from posenc.cache.policy import CACHE_POLICIES
from posenc.cope.formula import cope_positions
from posenc.quantity.sampling import even_positions
from posenc.scaling.dynamic import DynamicNTK
from posenc.words import say

COSTS = ("bits", "less", "window")
WHAT_IFS = (
    "none",
    "base",
    "method",
    "unrotated",
    "layout",
    "stale",
    "offset",
    "equal",
    "reversed",
    "rounded",
)
READ_AT_ONCE = 20  # tokens
FEW_PLACES = 2
GATES = ("separators", "random", "open", "closed")
FIRST_SHARED = 7
LLAMA = 4096
READ = 8192
KEYS = 128


def nearest_rival(s: Settings) -> TaskResult:
    """Measured curves: of all that was measured, what comes nearest to the sliding window."""
    measured = load()
    length = usual_length(measured.losses)
    trained = measured.about.trained
    known = {way(row) for row in measured.losses if int(row["length"]) == length} - {SLIDE}
    names = list(dict.fromkeys(one.method for one in [*known, SLIDE]))
    told = factors(measured.losses, length)
    its = float(s.one_of("factor", [f"{one:g}" for one in told], f"{told[-1]:g}"))
    cost = s.one_of("cost", COSTS, "bits")
    start = [name for name in ("none", "slide", "linear", "ntk", "yarn") if name in names]
    chosen = [name for name in s.some_of("methods", names, start) if name != SLIDE.method]
    if len(chosen) != 1:
        return TaskResult(
            False,
            say("Choose one way beside the sliding window; now there are {n}.", n=len(chosen)),
        )

    def gain(one: Way) -> float:
        return float(bits(measured, length, [one, SLIDE]).gain(one, SLIDE, trained, length).mean)

    one = Way(chosen[0], its if has_factor(chosen[0]) else 1.0)
    if one not in known:
        raise ValueError("This method was not measured by this factor.")
    said = say(
        "Beyond {trained:,} tokens this way costs {gain:+.2f} bits for a token, less the window.",
        trained=trained,
        gain=gain(one),
    )
    best = min(known, key=gain)
    return TaskResult(cost == "window" and one == best, said)


def places_run_together(s: Settings) -> TaskResult:
    """Live attention: positions in bfloat16, so far out that neighbours become equal."""
    what = s.one_of("what_if", WHAT_IFS, "none")
    shift = s.whole("shift", 100_000, 0, LARGEST_OFFSET)
    if what != "rounded":
        return TaskResult(False, say("The positions are not rounded to bfloat16."))
    at = torch.arange(shift, shift + READ_AT_ONCE, dtype=torch.float64)
    places = len(at.to(torch.bfloat16).unique())
    said = say(
        "{tokens} tokens from position {shift:,} on stand at {places} different positions.",
        tokens=READ_AT_ONCE,
        shift=shift,
        places=places,
    )
    return TaskResult(places == FEW_PLACES, said)


def shared_from(s: Settings) -> TaskResult:
    """CoPE: all gates open, and the cap begins at distance 7."""
    gates = s.one_of("gates", GATES, "separators")
    count = s.whole("max_positions", 64, 2, 4096)
    if gates != "open":
        return TaskResult(False, say("Not all gates are open."))
    length = 3 * FIRST_SHARED
    logits = torch.full((length, length), torch.inf)
    logits = logits.masked_fill(~causal_mask(length, length), -torch.inf)
    last = cope_positions(logits, count)[-1].flip(0)  # by distance from the last token
    farthest = float(last[-1])
    shared = int((last == farthest).nonzero()[0, 0])
    if shared == length - 1:
        said = say("No two of the nearest {length} keys share a position.", length=length)
        return TaskResult(False, said)
    said = say(
        "From distance {shared} on, all keys are at position {place:.0f}.",
        shared=shared,
        place=farthest,
    )
    return TaskResult(shared == FIRST_SHARED, said)


def no_stale_key(s: Settings) -> TaskResult:
    """KV cache: dynamic NTK past the trained length, rotated on write, and no key is off."""
    trained = s.whole("trained_length", LLAMA, 1, 2**20)
    alpha = s.number("alpha", 2.0, 1.0, 64.0)
    prompt = s.whole("prompt", 4096, 1, 2**20)
    decoded = s.whole("decoded", 2048, 0, 8192)
    cache = s.one_of("cache", CACHE_POLICIES, "on_write")
    dim = s.whole("rotary_dim", 128, 4, 512)
    base = s.number("rope_base", 10000.0, 1.5, 1e9)
    length = prompt + decoded
    stale = StaleKeys(
        scaling=DynamicNTK(alpha, trained),
        head_dim=dim,
        base=base,
        prompt=prompt,
        length=length,
        cache=cache,  # type: ignore[arg-type]
    )
    off = float(stale.at(even_positions(length, KEYS), torch.arange(dim // 2)).abs().max())
    said = say(
        "A text of {length:,} tokens, {decoded:,} of them written one by one, trained length "
        "{trained:,}: a cached key is off by up to {off:.2g} radians.",
        length=length,
        decoded=decoded,
        trained=trained,
        off=off,
    )
    is_set = (trained, cache) == (LLAMA, "on_write") and length >= READ
    return TaskResult(is_set and off == 0, said)
