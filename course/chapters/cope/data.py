"""A trained head that counts: `python -m course.chapters.cope.data` measures it.

A model of `lab.spec.counting_spec("cope")` was trained for it: of such models the lab ships
results, not weights. What is measured, in some minutes, is kept in `measured.json`.
"""

import json
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

import torch
from torch import Tensor

from course.chapters.data import rounded
from lab.measuring.counting import counting_error
from lab.tasks import counting
from lab.training.checkpoints import Checkpoint, load_checkpoint
from posenc import CoPE, attend

MODEL = Path(__file__).with_name("counting.safetensors")
MEASURED = Path(__file__).with_name("measured.json")
COUNTED = (64, 128, 256, 512)  # tokens; texts of training have the first
LASTS = (7, 11, 15, 19, 23, 31, 39, 47, 63)  # last positions; it was trained with the last
LONG = 256  # tokens of the text that is read with each of them
LAYER = 1
HEAD = 3
SHOWN = 141  # which of the lab's texts is drawn: seven counts stand after its last reset
PROBE = 1000  # the lab's seed for what is measured
TEXTS = 16  # that a mean is taken of


def data() -> dict[str, object]:
    """A text, and what was measured."""
    text = shown()
    return {
        "lengths": COUNTED,
        "lasts": LASTS,
        "tokens": "".join("rc"[kind] if kind < 2 else "." for kind in text.tolist()),
        **json.loads(MEASURED.read_text("utf-8")),
    }


def measured() -> dict[str, object]:
    """A head that counts, and how often its model miscounts."""
    text = shown()
    trained = LASTS[-1]
    return {
        "added": rounded(mean(added), 2),
        "reached": round(float(mean(highest))),
        "open": rounded(mean(opened), 2),
        "gates": {str(n): rounded(gates(text[-n:], trained), 2) for n in COUNTED},
        "held": {str(last): rounded(gates(text[-LONG:], last), 2) for last in LASTS},
        "own": {str(last): [own(length, last) for length in COUNTED] for last in LASTS},
        "wrong": {str(last): [wrong(length, last) for length in COUNTED] for last in LASTS},
    }


@cache
def _counter(last: int) -> Checkpoint:
    """A model with its vectors up to a last position, and nothing trained anew."""
    found = load_checkpoint(MODEL)
    trained = found.model.encoding
    assert isinstance(trained, CoPE)
    encoding = CoPE(trained.head_dim, last + 1)
    encoding.load_state_dict({"embedding": trained.embedding[:, : last + 1]})
    return Checkpoint(found.spec, found.model.with_encoding(encoding).eval(), found.facts)


def texts(length: int, count: int) -> Iterator[Tensor]:
    """As the lab draws those on which it measures."""
    yield from counting.batch(PROBE, length, length, count).inputs


def shown() -> Tensor:
    """The text that is drawn."""
    *_, text = texts(COUNTED[-1], SHOWN + 1)
    return text


@torch.no_grad()
def _read(text: Tensor, last: int) -> tuple[Tensor, Tensor, Tensor]:
    """The head on a text: its gates and weights (queries, keys), what it adds (queries, places)."""
    model = _counter(last).model
    rows = model.attentions(text[None])[LAYER]
    q, k, v = (part[:, HEAD : HEAD + 1] for part in (rows.q, rows.k, rows.v))
    encoding = model.encoding
    assert isinstance(encoding, CoPE)
    trace = attend(q, k, v, encoding, mask="causal", trace=True)
    return (
        trace.masked[0, 0].sigmoid(),
        trace.weights[0, 0],
        q[0, 0] @ encoding.embedding * encoding.scale,
    )


def mean(of: Callable[[Tensor], Tensor]) -> Tensor:
    """Over texts as long as those of training."""
    return torch.stack([of(text) for text in texts(COUNTED[0], TEXTS)]).nanmean(0)


def added(text: Tensor) -> Tensor:
    """To the scores, by each position: mean of the queries of the last half."""
    return _read(text, LASTS[-1])[2][len(text) // 2 :].mean(0)


def highest(text: Tensor) -> Tensor:
    """Position of the first token seen from the last."""
    return _read(text, LASTS[-1])[0][-1].sum()


def opened(text: Tensor) -> Tensor:
    """Means of the gates of the last half, at `reset`, at `count` and at the others."""
    seen = torch.ones(len(text), len(text)).tril().bool()
    seen[: len(text) // 2] = False
    values = _read(text, LASTS[-1])[0]
    kinds = (text == counting.RESET, text == counting.COUNT, text > counting.COUNT)
    return torch.stack([values[seen & kind].mean() for kind in kinds])


def gates(text: Tensor, last: int) -> Tensor:
    """Gates of the last token."""
    return _read(text, last)[0][-1]


def own(length: int, last: int) -> float:
    """Share of the keys since the last reset, itself included: mean of the last half of queries."""
    shares = []
    for text in texts(length, TEXTS):
        resets = (text == counting.RESET).cumsum(0)
        since = resets[None] >= resets[:, None]
        shares.append((_read(text, last)[1] * since).sum(-1)[length // 2 :].mean())
    return round(float(torch.stack(shares).mean()), 3)


def wrong(length: int, last: int) -> float:
    """Per cent of wrong counts, as the lab measures them."""
    counter = _counter(last)
    asked, wrong = counting_error(counter.model, counter.spec, length, "as trained")
    return round(100 * wrong / asked, 1)


if __name__ == "__main__":
    MEASURED.write_text(json.dumps(measured(), separators=(",", ":")) + "\n", "utf-8")
