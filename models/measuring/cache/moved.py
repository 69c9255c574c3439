"""A passage whose keys and values are kept is moved: bits of what follows it, by way and place.

The passage was read in its own text, behind `CACHED` tokens of it, or alone. Then it stands behind
another text of any length, and what followed it in its own text is read behind it.
"""

import math
import time
from collections.abc import Mapping

import torch
from torch import Tensor
from torch.nn.functional import cross_entropy

from models.measuring.cache.pieces import CachedTokens, read
from models.measuring.table import MEASURED, OF_TEXT, Row, measured, tables
from models.measuring.texts import Text
from models.opened import Model

CACHED = 256
"""Place of the passage where it was read first: so many tokens of its own text are before it."""
PASSAGE = 256
"""Its tokens."""
FOLLOWING = 128
"""Tokens that follow it, whose bits count but for the first."""
PLACES = (0, 64, 128, 192, 256, 320, 384, 512, 768)
"""Where it is moved to: so many tokens of another text are before it."""
WAYS = ("recomputed", "turned", "unmoved", "alone_turned", "alone_unmoved", "missing")
"""Read anew behind the other text; kept, its keys turned on to the new place; kept, its keys left
turned to the old place; the same two of a passage that was read alone, from place 0 on; left out,
so that what follows stands behind the other text at once."""
STEP = 1024
"""Tokens from where one passage is taken to where the next one is."""
COLUMNS = (
    OF_TEXT
    | {"passage": int, "before": str, "place": int, "way": str, "tokens": int, "bits": float}
    | MEASURED
)
"""A row: mean bits per token over `tokens` tokens behind a passage at a place."""
KEY = ("model", "sha256", "passage", "before")
FILE = "moved.csv"
table = tables(FILE, COLUMNS, KEY)
"""Bits behind moved passages, in a folder."""


def tokens_of(passages: int) -> int:
    """Tokens of a text that has so many passages."""
    return max(STEP * (passages - 1) + CACHED + PASSAGE + FOLLOWING, max(PLACES))


def moved_bits(
    model: Model,
    before: CachedTokens,
    passages: Mapping[str, CachedTokens],
    ids: list[int],
    place: int,
) -> dict[str, float]:
    """Mean bits of what follows, by way.

    Args:
        model: The model.
        before: The other text, as many tokens as the place says, from place 0 on.
        passages: The kept passage as it was read in its own text, "", and alone, "alone_".
        ids: Of the passage and what follows it.
        place: Where the passage is moved to.

    Raises:
        ValueError: If the model cannot be read so.
    """
    behind = place + PASSAGE
    following = ids[PASSAGE:]
    anew, _ = read(model, ids, place, before)
    found = {"recomputed": _bits(model, anew[PASSAGE:], following)}
    there = torch.arange(place, behind, device=model.device)
    for read_as, passage in passages.items():
        for way, kept in (("turned", passage.at(there)), ("unmoved", passage)):
            hidden, _ = read(model, following, behind, before.then(kept))
            found[f"{read_as}{way}"] = _bits(model, hidden, following)
    hidden, _ = read(model, following, place, before)
    return found | {"missing": _bits(model, hidden, following)}


def _bits(model: Model, hidden: Tensor, ids: list[int]) -> float:
    """Mean bits of tokens behind the first."""
    targets = torch.tensor(ids[1:], device=model.device)
    with torch.inference_mode():
        logits = model.logits(hidden[None, :-1])[0].double()
    return float(cross_entropy(logits, targets)) / math.log(2)


def moved_rows(model: Model, text: Text, passage: int, before: Text) -> list[Row]:
    """Move one passage to every place: a row for each place and way.

    Args:
        model: The model.
        text: Which the passage is of.
        passage: Its number, from 0.
        before: The other text.

    Raises:
        ValueError: If the model cannot be read so.
    """
    begin = time.perf_counter()
    ids = text.ids[STEP * passage :][: CACHED + PASSAGE + FOLLOWING]
    _, own = read(model, ids[: CACHED + PASSAGE], 0)
    _, alone = read(model, ids[CACHED : CACHED + PASSAGE], 0)
    kept = {"": own.part(CACHED, CACHED + PASSAGE), "alone_": alone}
    _, other = read(model, before.ids[: max(PLACES)], 0)
    found = {
        place: moved_bits(model, other.part(0, place), kept, ids[CACHED:], place)
        for place in PLACES
    }
    same = measured(
        model, begin, **text.columns, passage=passage, before=before.name, tokens=FOLLOWING - 1
    )
    return [
        same | {"place": place, "way": way, "bits": round(bits, 5)}
        for place, ways in found.items()
        for way, bits in ways.items()
    ]


def summary(rows: list[Row]) -> str:
    """A pass in a few words."""
    last = {str(row["way"]): float(row["bits"]) for row in rows}
    return ", ".join(f"{way} {bits:.3f}" for way, bits in last.items())
