"""Numbers of the sentence that every chapter carries to its softmax by hand, by posenc."""

from math import pi

import torch
from torch import Tensor

from posenc import ALiBi, CoPE, PositionalEncoding, RoPE, attend, cope_positions
from posenc.scaling import Linear
from posenc.sinusoidal.formula import Sinusoidal
from posenc.t5.formula import T5Bias
from course.chapters.relative.data import data as relative

ANGLES = (-0.45, -0.45 + pi / 2, 0.55, 0.55, 0.55)
"""Radians of the keys; the query points as the first of them."""
LIKED = (0.0, 0.0, 2.0, 1.0, 0.0, 0.0)
"""q·e of CoPE's floors."""


def by_hand() -> dict[str, object]:
    """Of the last query of five: contents, scores and shares of attention, by chapter."""
    angles = torch.tensor(ANGLES, dtype=torch.float64)
    keys = torch.stack((angles.cos(), angles.sin()), -1)
    query = keys[:1]
    places = torch.arange(5)
    rows = Sinusoidal(2)
    learned = T5Bias(1, bidirectional=False).double()
    learned.table.data[:, 0] = torch.tensor(relative()["numbers"], dtype=torch.float64)
    counted = CoPE(2, len(LIKED), scale_gates=False).double()
    counted.embedding.data = torch.outer(query[0], torch.tensor(LIKED, dtype=torch.float64))
    found = {
        "why_position": _last(query, keys),
        "absolute": _last(
            rows.embed(query[None], places[None, 4:])[0], rows.embed(keys[None], places[None])[0]
        ),
        "relative": _last(query, keys, learned),
        "alibi": _last(query, keys, ALiBi(8)),
        "rope": _last(query, keys, RoPE(2)),
        "scaling": _last(query, keys, RoPE(2, scaling=Linear(4))),
        "cope": _last(query, keys, counted),
    }
    return {
        "keys": keys.flatten().tolist(),
        "content": (keys @ query[0] / 2**0.5).tolist(),
        "counted": cope_positions(keys @ query[0], len(LIKED)).tolist(),
        **found,
    }


def _last(query: Tensor, keys: Tensor, encoding: PositionalEncoding | None = None) -> object:
    """Scores and shares of the last query, in the first head."""
    heads = encoding.num_heads if isinstance(encoding, ALiBi) else 1
    q, k = (x.expand(1, heads, *x.shape) for x in (query, keys))
    trace = attend(q, k, k, encoding, mask="causal", trace=True)
    return [trace.logits[0, 0, 0].tolist(), trace.weights[0, 0, 0].tolist()]
