"""Data of the course's pictures that they do not compute: `python -m scripts.course_data`.

One function a chapter; `static/course/data/<screen>.js` is what it returns.
"""

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import torch
from numpy.typing import NDArray
from safetensors import safe_open
from torch import Tensor

from lab.results.curves import Curve, recall_by_distance, recall_by_length, text_by_length
from lab.results.judging import LEARNED
from lab.results.tables import Results, load
from lab.training.checkpoints import DATA, load_checkpoint
from models.forward import forward
from models.measuring.texts import read_text
from models.results import losses, tables
from models.results.keys import keys
from posenc import Learned
from posenc.learned.steps import row_similarity
from posenc.random_model import RandomProjections
from posenc.reading.layer import RopeLayer
from posenc.rope.pairs import split_pairs
from scripts.course_cope import cope
from scripts.course_kv_cache import kv_cache
from scripts.course_live import live_attention
from scripts.course_measured import measured
from scripts.course_numbers import language_model, rounded
from scripts.course_which import which
from ui.text.tokens import word_tokens

HEAD_LAYER = 16
HEAD = 0
HEAD_TEXT = "topics"
HEAD_TOKENS = 1024
HEAD_FROM = 64
"""The first tokens of a text are looked at for other reasons."""
FOLDER = Path(__file__).parent.parent / "static" / "course" / "data"
WORDS = ("dog", "cat", "boat", "red", "sings", "the")
WIDTH = 16  # of the picture
SHOWN = 256  # places of the measured curve
BYTES_ALONE = 4.63
"""Bits a byte for who knows only how often each occurs: the held-out files of the standard library
of Python 3.11.7, on which the lab's models were measured, by the frequencies of the others."""


def absolute() -> dict[str, Any]:
    """Untrained words and matrices, learned rows of the lab, and what its models cost a byte."""
    made = absolute_words_and_matrices()
    return {
        "words": dict(zip(WORDS, rounded(made["words"], 2), strict=True)),
        "matrices": rounded(made["matrices"], 3),
        "likeness": _likeness(),
        "bits": _bits_by_place(),
        "bytesAlone": BYTES_ALONE,
    }


def absolute_words_and_matrices() -> dict[str, Tensor]:
    """Six words and W_Q, W_K as before training, with as many digits as are drawn."""
    seed = torch.Generator().manual_seed(31)
    words = 2 * torch.rand(len(WORDS), WIDTH, generator=seed, dtype=torch.float64) - 1
    matrices = torch.randn(2, WIDTH, WIDTH, generator=seed, dtype=torch.float64) / WIDTH**0.5
    return {"words": words.round(decimals=2), "matrices": matrices.round(decimals=3)}


def _likeness() -> list[list[int]]:
    """Cosine of each learned row with itself and those before it, in hundredths."""
    learned = load_checkpoint(DATA / "text-learned-s0.safetensors").model.encoding
    assert isinstance(learned, Learned)
    cosines: list[list[float]] = row_similarity(learned.table.detach().double()).tolist()
    return [[round(100 * one) for one in row[: at + 1]] for at, row in enumerate(cosines)]


def _bits_by_place() -> list[list[float]]:
    """From place, to place, bits and their error: sinusoidal, mean of three models."""
    table = pd.read_csv(DATA / "positions.csv")
    of = table.run.str.startswith("text-sinusoidal-s") & (table.method == "none")
    means = table[of].groupby(["start", "stop"])[["bits", "error"]].mean().reset_index()
    shown = means[means.stop <= SHOWN]
    return [[int(a), int(b), round(bits, 2), round(error, 2)] for a, b, bits, error in shown.values]


def relative() -> dict[str, object]:
    """T5's bias in the lab: what it learned, and what its models read past their training."""
    results = load()
    with safe_open(DATA / "recall-t5-s0.safetensors", "numpy") as file:
        table = file.get_tensor("encoding.table")
    return {
        "trained": results.models("recall")["recall-t5"].train_length,
        "numbers": [round(float(value), 3) for value in table[:, 0]],
        "near": _found(results, "none"),
        "near_window": _found(results, "slide"),
    }


def _found(results: Results, method: str) -> dict[str, list[float]]:
    """Per cent of near names that are found, by length: mean and range of three models."""
    curve = _curve(recall_by_length(results, "recall-t5", method, "near"))
    ends = {"mean": curve.mean, "low": curve.values.min(0), "high": curve.values.max(0)}
    found = {name: [round(float(y), 2) for y in end] for name, end in ends.items()}
    return {"lengths": curve.x.astype(int).tolist(), **found}


def _bits(results: Results, name: str) -> dict[int, float]:
    """Bits a byte of the end of a program text, by length."""
    curve = _curve(text_by_length(results, f"text-{name}", "none", against_window=False))
    return {int(x): round(float(y), 2) for x, y in zip(curve.x, curve.mean, strict=True)}


def alibi() -> dict[str, object]:
    """How often models with ALiBi and with sines found a key."""
    results = load()
    names = ("alibi", "sinusoidal")
    near = {
        name: _curve(recall_by_length(results, f"recall-{name}", "none", "near")) for name in names
    }
    far = _curve(recall_by_length(results, "recall-alibi", "none", "far"))
    return {
        "trained": results.models("recall")["recall-alibi"].train_length,
        "recall": {name: _by_distance(results, name, near[name]) for name in names},
        "runs": {name: int(_learned(near[name]).sum()) for name in names},
        "far": {int(x): round(float(y), 1) for x, y in zip(far.x, far.mean, strict=True)},
    }


def _by_distance(results: Results, name: str, near: Curve) -> dict[int, list[list[float]]]:
    """By length: how far back, per cent found, of the worst and of the best run that learned it."""
    learned = _learned(near)
    found = {}
    for length in map(int, near.x):
        curve = _curve(recall_by_distance(results, f"recall-{name}", "none", length))
        values = curve.values[learned]
        rows = zip(curve.x, values.mean(0), values.min(0), values.max(0), strict=True)
        found[length] = [[int(back), *(round(float(y), 1) for y in ys)] for back, *ys in rows]
    return found


def _learned(near: Curve) -> NDArray[np.bool_]:
    """Which runs learned the task, in texts of the trained length."""
    learned: NDArray[np.bool_] = near.values[:, 0] >= LEARNED
    return learned


def _curve(curve: Curve | None) -> Curve:
    assert curve is not None
    return curve


def rope() -> dict[str, object]:
    """A head of the real model that looks one token back: what is left of it without the words.

    Returns:
        `size` and `angle` (radians) of each pair's mean query times its mean key, conjugated, over
        the root of head_dim: its part of the score of the two means. `shares`: the mean attention
        0, 1, 2, 3 tokens back.
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


def scaling() -> dict[str, object]:
    """A token's cost in a real model by its place, its methods' extra cost, and keys."""
    data = tables.load()
    trained = data.about.trained
    usual = tables.usual_length(data.losses)
    ways = {
        "none": tables.PLAIN,
        "window": tables.SLIDE,
        **{
            name: tables.Way(method, 4.0)
            for name, method in (
                ("linear", "linear"),
                ("ntk", "ntk"),
                ("yarn", "yarn"),
                ("parts", "ntk_by_parts"),
                ("llama3", "llama3"),
            )
        },
    }
    six, one = (
        losses.bits(data, length, list(ways.values()))
        for length in (usual, tables.lengths(data.losses)[-1])
    )
    asked = {name: tables.Way(name, 4.0) for name in ("yarn", "yarn_no_temperature")}
    found = {name: keys(data, [way])[way] for name, way in asked.items()}
    return {
        "model": data.about.title,
        "trained": trained,
        "texts": len(six.texts),
        "places": one.middle.tolist(),
        "six": {name: _thousands(six, way) for name, way in ways.items()},
        "one": {name: _thousands(one, way) for name, way in ways.items()},
        "beyond": {
            name: round(float(six.gain(way, tables.SLIDE, trained, usual).mean), 2)
            for name, way in ways.items()
        },
        "keys": {name: int(one.right[:, -1].sum()) for name, one in found.items()},
        "asked": int(found["yarn"].asked[:, -1].sum()),
    }


def _thousands(found: losses.Bits, way: tables.Way) -> list[float]:
    """Bits per token in each thousand, mean over texts."""
    return [round(float(value), 2) for value in found.of[way].mean(0)]


def why_position() -> dict[str, Any]:
    """An untrained head and its words; what a text costs models of every chapter, by its length."""
    made = why_words_and_matrices()
    results = load()
    names = ("nope", "sinusoidal", "t5", "alibi", "rope")
    return {
        "words": rounded(made["words"], 2),
        "matrices": rounded(made["matrices"], 2),
        "trained": results.models("text")["text-nope"].train_length,
        "bits": {name: _bits(results, name) for name in names},
    }


def why_words_and_matrices() -> dict[str, Tensor]:
    """Four words and W_Q, W_K, W_V of the screen with seed 1, with as many digits as are used."""
    model = RandomProjections(1, d_model=4, num_heads=1, head_dim=4)
    words = model.embed(word_tokens("the dog bites man").ids)[0]
    matrices = torch.cat(model.project(torch.eye(4)[None]))[:, 0].mT
    return {
        name: x.double().round(decimals=2) for name, x in (("words", words), ("matrices", matrices))
    }


CHAPTERS: Mapping[str, Callable[[], dict[str, Any]]] = {
    "why_position": why_position,
    "cope": cope,
    "absolute": absolute,
    "alibi": alibi,
    "kv_cache": kv_cache,
    "live_attention": live_attention,
    "relative": relative,
    "measured": measured,
    "rope": rope,
    "scaling": scaling,
    "which": which,
}


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
