"""Data of the last chapter: what was measured of every encoding, and layers of released models."""

from collections import Counter
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from advisor.comparing.layer import RopeLayer
from advisor.data import Config
from advisor.known_models import known_models
from advisor.memory.cache import layer_kinds, window_of
from advisor.memory.sizes import Sizes
from advisor.rope import RopeConfig
from course.chapters.data import known
from lab.results.curves import Curve, recall_by_length
from lab.results.judging import LEARNED
from lab.results.tables import Results, load
from lab.tasks.recall import CHANCE
from lab.training.finetuning import UPDATES
from models.results import tables
from models.results.keys import Keys, keys
from posenc import attend
from posenc.catalogue import CATALOGUE, ModelShape

ORDER = (
    "nope",
    "learned",
    "sinusoidal",
    "t5",
    "alibi",
    "kerple",
    "fire",
    "rope",
    "rope-base128",
    "cope",
)
"""Families together, the first of each before its relatives."""
TUNED = ("rope", "rope-base128")
"""Models that were trained further, on longer texts."""
LONGEST = 2048  # the longest text that all of them read
FEW = ModelShape(d_model=32, num_heads=2, head_dim=16, length=8)
WAYS = {
    "rope": "turn",
    "alibi": "subtract",
    "t5": "subtract",
    "learned": "add",
    "sinusoidal": "add",
}
"""The way that a model with a layer of an encoding takes."""
FURTHER = 4  # times the trained length, of the training afterwards
REACHES = 8.6  # NTK-aware's factor with which no angle is new at four times the trained length
SHOWN = {
    "BLOOM-176B": "BLOOM",
    "Llama-2-7B": "Llama 2",
    "Llama-3.1-8B": "Llama 3.1",
    "Qwen3-8B": "Qwen3",
    "gpt-oss-20b": "gpt-oss",
    "Gemma-3-12B": "Gemma 3",
    "SmolLM3-3B": "SmolLM3",
    "Command-A-111B": "Command A",
}
"""Released models whose layers are drawn, and their short names."""


def data() -> dict[str, Any]:
    """All encodings, the lab's models of each, the real model under scalings, and layers."""
    results = load()
    spec = results.models("recall")["recall-rope"]
    return {
        "trained": spec.train_length,
        "longest": LONGEST,
        "chance": round(100 * CHANCE, 1),
        "encodings": {name.replace("-", "_"): _encoding(results, name) for name in ORDER},
        "further": {
            name.replace("-", "_"): _ends(
                known(recall_by_length(results, f"recall-{name}", "none", "far", FURTHER))
            )
            for name in TUNED
        },
        "updates": UPDATES,
        "real": _real(),
        "models": [
            _layers(title, RopeConfig.from_hf(known_models()[name].config))
            for name, title in SHOWN.items()
        ],
        "files": _files(),
    }


def _encoding(results: Results, name: str) -> dict[str, Any]:
    """Its curves of those models that learned the task, and each model at the trained length."""
    near = known(recall_by_length(results, f"recall-{name}", "none", "near"))
    far = known(recall_by_length(results, f"recall-{name}", "none", "far"))
    learned = near.values[:, 0] >= LEARNED
    counted = learned if learned.any() else ~learned
    return {
        "mirrored": _mirrored(name.split("-")[0]),
        "models": len(near.values),
        "learned": int(learned.sum()),
        "each": [round(float(one), 2) for one in near.values[:, 0]],
        "near": _ends(near, counted),
        "far": _ends(far, counted),
    }


def _mirrored(name: str) -> str:
    """Effect of reversed words on a word's output, without a mask: "same", "another" or "mask"."""
    if CATALOGUE[name].causal_only:
        return "mask"
    torch.manual_seed(0)
    encoding = CATALOGUE[name].build(FEW).double()
    for parameter in encoding.parameters():
        torch.nn.init.normal_(parameter)
    x = torch.randn(1, FEW.length, FEW.d_model, dtype=torch.double)
    matrices = torch.randn(3, FEW.d_model, FEW.d_model, dtype=torch.double)

    def outputs(words: torch.Tensor) -> torch.Tensor:
        embedded = encoding.embed(words, torch.arange(FEW.length)) / FEW.d_model
        heads = (embedded @ matrices).view(3, 1, FEW.length, FEW.num_heads, FEW.head_dim)
        q, k, v = heads.transpose(2, 3)
        return attend(q, k, v, encoding)

    same = torch.allclose(outputs(x), outputs(x.flip(1)).flip(2))
    return "same" if same else "another"


def _ends(curve: Curve, counted: NDArray[np.bool_] | None = None) -> dict[str, list[float]]:
    """Mean, lowest and highest of the models, or of those that are counted, at each length."""
    values = curve.values if counted is None else curve.values[counted]
    values = values[:, curve.x <= LONGEST]
    ends = {"mean": values.mean(0), "low": values.min(0), "high": values.max(0)}
    return {name: [round(float(y), 2) for y in ys] for name, ys in ends.items()}


def _real() -> dict[str, Any]:
    measured = tables.load()
    ways = {"none": tables.PLAIN}
    ways |= {name: tables.Way(name, float(FURTHER)) for name in ("linear", "ntk", "yarn")}
    found = {name: keys(measured, [way])[way] for name, way in ways.items()}
    reaches = tables.Way("ntk", REACHES)
    wide = keys(measured, [reaches])[reaches]
    return {
        "model": measured.about.title,
        "trained": measured.about.trained,
        "factor": FURTHER,
        "lengths": found["none"].lengths,
        "found": {name: one.right.sum(0).tolist() for name, one in found.items()},
        "asked": {name: one.asked.sum(0).tolist() for name, one in found.items()},
        "wide": {"factor": REACHES} | _only(wide),
    }


def _only(found: Keys) -> dict[str, int]:
    """Keys of a way that was measured at one length."""
    (length,) = found.lengths
    return {"length": length, "found": int(found.right.sum()), "asked": int(found.asked.sum())}


def _layers(title: str, config: Config) -> dict[str, Any]:
    """Layers of a model, from the first to the last.

    Returns:
        Its short name, and of each layer the tokens of its window, 0 for the whole text, and the
        base by which it turns, 0 where it knows no positions; -1 stands for a penalty.
    """
    sizes = Sizes.of(config)
    kinds = layer_kinds(config, sizes)
    turns = config.rope_layers
    layers = []
    for i, kind in enumerate(kinds):
        layer = config.layer_at(i)
        if isinstance(layer, RopeLayer):
            base = round(layer.base) if turns[i] else 0
        else:
            base = -1 if layer.encoding == "alibi" else 0
        layers.append([window_of(sizes, kind) or 0, base])
    return {"name": title, "layers": layers}


def _files() -> dict[str, int]:
    """How many released models of the site's table add, subtract, turn, or have no positions."""
    ways: Counter[str] = Counter()
    for model in known_models().values():
        layers = RopeConfig.from_hf(model.config).layers.values()
        kinds = {"rope" if isinstance(one, RopeLayer) else one.encoding for one in layers}
        ways[next((way for kind, way in WAYS.items() if kind in kinds), "none")] += 1
    return dict(ways)
