"""Keys that stay as turned while the base grows, and those of a passage that is moved.

A real model reads as many tokens as it was trained on and then goes on, as if it wrote what stands
there. It takes some minutes, so `python -m course.chapters.running.data` keeps
what was found in `measured.json`.
"""

import json
from collections.abc import Callable
from pathlib import Path

from torch import Tensor

from advisor.comparing.layer import RopeLayer
from course.chapters.data import language_model
from exhibits.cache_sizes import ALPHA
from models.change import Change
from models.forward import forward
from models.measuring.cache.moved import PLACES
from models.measuring.loss import trained_length
from models.measuring.prices import Rotate, Rotation, Wrong
from models.measuring.texts import read_text
from models.results.cached import moved
from models.results.tables import load
from posenc.cache.stale_keys import written_inv_freq
from posenc.rope.fast import rotate_pairs
from posenc.rope.formula import rope_inv_freq
from posenc.scaling.dynamic import DynamicNTK

MEASURED = Path(__file__).with_name("measured.json")
TEXTS = ("topics", "asyncio", "decimal")  # of Python's own library, so that everybody has them
PAST = 1024  # tokens past the prompt
BLOCK = 128  # tokens of a mean
KEPT = {"turned": "alone_turned", "left": "alone_unmoved", "missing": "missing"}


def data() -> dict[str, object]:
    """Bits of the texts, by how they were read, and those behind moved passages."""
    found: dict[str, object] = json.loads(MEASURED.read_text("utf-8"))
    return found | {"moved": behind_passages()}


def behind_passages() -> dict[str, object]:
    """Extra bits behind passages that were read alone: by what was done, place and passage."""
    ways = {
        kept: [moved(load(), way, place).values.round(3).tolist() for place in PLACES]
        for kept, way in KEPT.items()
    }
    return {"places": PLACES, "ways": ways}


def turned_by(inv_freq: Callable[[Tensor, RopeLayer], Tensor]) -> Rotate:
    """Rotate every token, as query and as key, under frequencies of its own, (seq, pairs)."""

    def rotation(q: Tensor, k: Tensor, m: Tensor, n: Tensor, layer: RopeLayer) -> Rotation:
        def turned(x: Tensor, at: Tensor) -> Tensor:
            angles = at.flatten().double()[:, None] * inv_freq(at.flatten(), layer)
            cos, sin = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
            return rotate_pairs(x, cos, sin, layer.pairing)

        return turned(q, m), turned(k, n)

    return rotation


def growing(prompt: int, scaling: DynamicNTK) -> Rotate:
    """Under the base of the length that ends in it; those of the prompt under the prompt's."""
    return turned_by(
        lambda at, layer: written_inv_freq(at, prompt, layer.rotary_dim, layer.base, scaling)
    )


def ways(trained: int) -> dict[str, Change]:
    """By name: how the text is read."""
    scaling = DynamicNTK(ALPHA, trained)
    length = trained + PAST
    fixed = turned_by(
        lambda _at, layer: rope_inv_freq(layer.rotary_dim, layer.base, scaling, length)[0]
    )
    return {
        "frozen": Wrong(rotation=growing(trained, scaling)),
        "fixed": Wrong(rotation=fixed),
        "none": Change(),
    }


def measured() -> dict[str, object]:
    """Bits per token in each block past the prompt, text by text."""
    model = language_model()
    trained = trained_length(model)
    bits: dict[str, list[list[float]]] = {}
    for name in TEXTS:
        ids = list(read_text(name, model, trained + PAST + 1).ids)[: trained + PAST + 1]
        for way, change in ways(trained).items():
            seen = forward(model, ids, change, kept_bytes=0).bits(trained - BLOCK).double()
            bits.setdefault(way, []).append(
                [round(float(one), 3) for one in seen.unflatten(0, (-1, BLOCK)).mean(1)]
            )
    return {"trained": trained, "block": BLOCK, "alpha": ALPHA, "texts": TEXTS, "bits": bits}


if __name__ == "__main__":
    MEASURED.write_text(json.dumps(measured(), separators=(",", ":")) + "\n", "utf-8")
