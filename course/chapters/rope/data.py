"""A head of the real model that looks one token back: what is left of it without the words."""

import torch

from advisor.comparing.layer import RopeLayer
from course.chapters.data import language_model, text_bits
from lab.results.tables import load
from models.forward import forward
from models.measuring.texts import read_text
from posenc.rope.pairs import split_pairs

HEAD_LAYER = 16
HEAD = 0
HEAD_TEXT = "topics"
HEAD_TOKENS = 1024
HEAD_FROM = 64
"""The first tokens of a text are looked at for other reasons."""
MEASURED = ("sinusoidal", "t5", "alibi", "rope")


def data() -> dict[str, object]:
    """The mean of the head's queries and keys, and small models beside it.

    Returns:
        `size` and `angle` (radians) of each pair's mean query times its mean key, conjugated, over
        the root of head_dim: its part of the score of the two means. `shares`: the mean attention
        0, 1, 2, 3 tokens back. `bits`: what a text costs small models, by its length.
    """
    model = language_model()
    ids = list(read_text(HEAD_TEXT, model, 2 * HEAD_TOKENS).ids)[:HEAD_TOKENS]
    rows = forward(model, ids).attention(HEAD_LAYER)
    query, key = (
        torch.complex(*split_pairs(x[0, HEAD].double(), "half"))[HEAD_FROM:].mean(0)
        for x in (rows.q, rows.k)
    )
    product = query * key.conj() / rows.q.shape[-1] ** 0.5
    places = torch.arange(HEAD_TOKENS // 2, HEAD_TOKENS)
    weights = rows.weights(places).reshape(-1, len(places), HEAD_TOKENS)[HEAD]
    layer = model.config.layers["all"]
    assert isinstance(layer, RopeLayer)
    results = load()
    return {
        "head": HEAD,
        "base": layer.base,
        "size": [round(one, 3) for one in product.abs().tolist()],
        "angle": [round(one, 3) for one in product.angle().tolist()],
        "shares": [
            round(float(weights.gather(-1, places[:, None] - back).mean()), 3) for back in range(4)
        ],
        "trained": results.models("text")["text-rope"].train_length,
        "bits": text_bits(results, MEASURED),
    }
