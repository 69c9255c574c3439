"""What the pictures of the course draw and do not compute: `python -m scripts.course_data`.

One function a chapter; `static/course/data/<screen>.js` is what it returns.
"""

import json
from collections.abc import Callable, Mapping
from pathlib import Path

import torch
from safetensors import safe_open

from lab.results.curves import recall_by_length, text_by_length
from lab.results.tables import Results, load
from lab.training.checkpoints import DATA
from models.files.find import installed
from models.forward import forward
from models.measuring.texts import read_text
from models.opened import open_model
from posenc.config.layers import RopeLayer
from posenc.rope.pairs import split_pairs

HEAD_LAYER, HEAD = 16, 0
HEAD_TEXT, HEAD_TOKENS = "topics", 1024
HEAD_FROM = 64
"""The first tokens of a text are looked at for other reasons."""
FOLDER = Path(__file__).parent.parent / "static" / "course" / "data"


def relative() -> dict[str, object]:
    """T5's bias in the lab: what it learned, and what its models read past their training."""
    results = load()
    with safe_open(DATA / "recall-t5-s0.safetensors", "numpy") as file:
        table = file.get_tensor("encoding.table")
    return {
        "trained": results.models("recall")["recall-t5"].train_length,
        "numbers": [round(float(value), 3) for value in table[:, 0]],
        "near": _found(results, "none", "near"),
        "near_window": _found(results, "slide", "near"),
        "far_window": _found(results, "slide", "far"),
        "bits": _bits(results),
    }


def _found(results: Results, method: str, part: str) -> dict[str, list[float]]:
    """Per cent of the names that are found, by length: mean, lowest and highest of three models."""
    curve = recall_by_length(results, "recall-t5", method, part)
    assert curve is not None
    ends = {"mean": curve.mean, "low": curve.values.min(0), "high": curve.values.max(0)}
    return {"lengths": curve.x.astype(int).tolist()} | {
        name: [round(float(y), 2) for y in ys] for name, ys in ends.items()
    }


def _bits(results: Results) -> dict[int, float]:
    """Bits a byte of the end of a program text, by length."""
    curve = text_by_length(results, "text-t5", "none", against_window=False)
    assert curve is not None
    return {int(x): round(float(y), 2) for x, y in zip(curve.x, curve.mean, strict=True)}


def rope() -> dict[str, object]:
    """A head of the real model that looks one token back: what is left of it without the words.

    Returns:
        `size` and `angle` (radians) of each pair's mean query times its mean key, conjugated, over
        the root of head_dim: its part of the score of the two means. `shares`: the mean attention
        0, 1, 2, 3 tokens back.
    """
    found = installed()
    assert found is not None, "the language model is not installed"
    model = open_model(found)
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
    return {
        "layer": HEAD_LAYER,
        "head": HEAD,
        "base": layer.base,
        "size": [round(one, 3) for one in product.abs().tolist()],
        "angle": [round(one, 3) for one in product.angle().tolist()],
        "shares": [
            round(float(weights.gather(-1, places[:, None] - back).mean()), 3) for back in range(4)
        ],
    }


CHAPTERS: Mapping[str, Callable[[], dict[str, object]]] = {"relative": relative, "rope": rope}


def written(made: Mapping[str, object]) -> str:
    """A module of JavaScript."""
    lines = (
        f"  {name}: {json.dumps(value, separators=(',', ':'))},\n" for name, value in made.items()
    )
    return f"// Written by scripts/course_data.py.\nexport default {{\n{''.join(lines)}}};\n"


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for screen, make in CHAPTERS.items():
        (FOLDER / f"{screen}.js").write_text(written(make()), "utf-8")
