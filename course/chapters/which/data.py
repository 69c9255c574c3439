"""Data of the last chapter: every encoding, where it acts, and its measurements."""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from lab.results.curves import Curve, recall_by_length, text_by_length
from lab.results.judging import LEARNED
from lab.results.tables import Results, load
from lab.training.finetuning import UPDATES
from models.results import tables
from models.results.keys import keys
from posenc import CoPE, PositionalEncoding, attend
from posenc.catalogue import CATALOGUE, ModelShape

ORDER = (
    "nope",
    "learned",
    "sinusoidal",
    "shaw",
    "transformer_xl",
    "t5",
    "alibi",
    "kerple",
    "sandwich",
    "fire",
    "rope",
    "xpos",
    "cope",
)
"""Families together, the first of each before its relatives; others stand behind them once they are
measured."""
LONGEST = 2048  # the longest text that all of them read
LLAMA_2 = ModelShape(d_model=4096, num_heads=32, head_dim=128, length=4096)
FEW = ModelShape(d_model=32, num_heads=2, head_dim=16, length=8)
FLOORS = 64  # of CoPE, in several of its paper's runs
BUILT: Mapping[str, Callable[[], PositionalEncoding]] = {
    "cope": lambda: CoPE(LLAMA_2.head_dim, FLOORS)
}
"""Encodings that are not built as the catalogue builds them."""
FURTHER = 4  # times the trained length, of the training afterwards


def data() -> dict[str, Any]:
    """All encodings, the lab's models of each, and the real model under four scalings."""
    results = load()
    further = [
        name for name in CATALOGUE if name not in ORDER and "near" in _encoding(results, name)
    ]
    one = recall_by_length(results, "recall-rope", "none", "far", FURTHER)
    assert one is not None
    return {
        "trained": results.models("recall")["recall-rope"].train_length,
        "longest": LONGEST,
        "encodings": {name: _encoding(results, name) for name in (*ORDER, *further)},
        "further": _ends(one, np.ones(len(one.values), bool)),
        "updates": UPDATES,
        "real": _real(),
    }


def _encoding(results: Results, name: str) -> dict[str, Any]:
    """Where it acts, what it trains, and its curves of those models that learned the task."""
    with torch.device("meta"):
        built = BUILT.get(name, lambda: CATALOGUE[name].build(LLAMA_2))()
    trains = sum(each.numel() for each in built.parameters())
    told = {"places": CATALOGUE[name].places, "trains": trains, "mirrored": _mirrored(name)}
    near = recall_by_length(results, f"recall-{name}", "none", "near")
    far = recall_by_length(results, f"recall-{name}", "none", "far")
    bits = text_by_length(results, f"text-{name}", "none", against_window=False)
    if near is None or far is None or bits is None:
        return told
    learned = near.values[:, 0] >= LEARNED
    counted = learned if learned.any() else ~learned
    text = np.ones(len(bits.values), bool)
    return told | {
        "models": {"near": len(near.values), "bits": len(bits.values)},
        "learned": int(learned.sum()),
        "near": _ends(near, counted),
        "far": _ends(far, counted),
        "bits": _ends(bits, text),
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


def _ends(curve: Curve, counted: NDArray[np.bool_]) -> dict[str, list[float]]:
    """Mean, lowest and highest model, at each length."""
    values = curve.values[counted][:, curve.x <= LONGEST]
    ends = {"mean": values.mean(0), "low": values.min(0), "high": values.max(0)}
    return {name: [round(float(y), 2) for y in ys] for name, ys in ends.items()}


def _real() -> dict[str, Any]:
    measured = tables.load()
    ways = {"none": tables.PLAIN}
    ways |= {name: tables.Way(name, float(FURTHER)) for name in ("linear", "ntk", "yarn")}
    found = {name: keys(measured, [way])[way] for name, way in ways.items()}
    return {
        "model": measured.about.title,
        "trained": measured.about.trained,
        "factor": FURTHER,
        "lengths": found["none"].lengths,
        "found": {name: one.right.sum(0).tolist() for name, one in found.items()},
        "asked": {name: one.asked.sum(0).tolist() for name, one in found.items()},
    }
