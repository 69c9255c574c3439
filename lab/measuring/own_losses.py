"""The loss of a reader's own checkpoint against length, by each method."""

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn.functional import cross_entropy

from lab.measuring.own_checkpoint import OwnModel, load, look
from lab.measuring.plan import Measurement
from lab.measuring.text import TAIL
from lab.model.methods import SLIDE
from lab.tasks import corpus
from posenc.words import say

CHUNKS = 4
STRIDE = 8  # bytes predicted from each window of the sliding baseline


@dataclass(frozen=True)
class Estimate:
    """What a measurement will take."""

    operations: float
    memory: float
    """Bytes at its peak."""


def estimate(model: OwnModel, lengths: tuple[int, ...], methods: tuple[str, ...]) -> Estimate:
    """Of reading `CHUNKS` texts at every length by every method, and the sliding window."""
    text = model.text_config
    hidden = int(text.get("hidden_size") or 1024)
    layers = int(text.get("num_hidden_layers") or 24)
    vocab = int(text.get("vocab_size") or 32000)

    def passes(length: int) -> float:
        return CHUNKS * length * (2.0 * model.parameters + 2.0 * layers * hidden * length)

    slide = TAIL / STRIDE * passes(model.length)
    operations = slide + sum(passes(n) for n in lengths for _ in methods)
    longest = max(lengths)
    activations = 4.0 * longest * (12 * hidden + 4 * int(text.get("intermediate_size") or 0))
    return Estimate(operations, 4.0 * model.parameters + activations + 4.0 * TAIL * vocab + 3e8)


def tokens_of(model: OwnModel, text: bytes, count: int) -> Tensor:
    """The text in the model's tokens, cut to `CHUNKS` pieces of `count`, (CHUNKS, count).

    Raises:
        ValueError: If there is no tokenizer.json and the vocabulary is not bytes, or the text is
            too short.
    """
    file = model.folder / "tokenizer.json"
    if file.is_file():
        from tokenizers import Tokenizer

        ids = Tokenizer.from_file(str(file)).encode(text.decode("utf-8", "replace")).ids
    elif model.config.get("vocab_size") == 256:
        ids = list(text)
    else:
        raise ValueError(
            say(
                "{name} has no tokenizer.json, and its vocabulary is not the 256 bytes.",
                name=model.folder.name,
            )
        )
    if len(ids) < CHUNKS * count:
        raise ValueError(
            say(
                "The text has {tokens} tokens, {needed} are needed for this length.",
                tokens=len(ids), needed=CHUNKS * count,
            )
        )  # fmt: skip
    return torch.tensor(ids[: CHUNKS * count]).view(CHUNKS, count)


def default_text() -> bytes:
    """Held-out sources of the standard library."""
    return b"\n".join(corpus.corpus().validation)


@torch.no_grad()
def tail_bits(built: nn.Module, tokens: Tensor, last: int) -> Tensor:
    """Bits of the `last` tokens of each row, (rows, last); one row at a time bounds the memory."""
    found = []
    for row in tokens.split(1):
        logits = built(row[:, :-1], use_cache=False, logits_to_keep=last).logits
        found.append(cross_entropy(logits.mT, row[:, -last:], reduction="none") / math.log(2))
    return torch.cat(found)


def lengths_for(model: OwnModel, longest: int) -> tuple[int, ...]:
    """L, 2 L, 4 L … up to `longest` tokens.

    Raises:
        ValueError: If `longest` is below L.
    """
    if longest < model.length:
        raise ValueError(
            say(
                "The longest length must be at least {least}, got {longest}.",
                least=model.length, longest=longest,
            )
        )  # fmt: skip
    doublings = range((longest // model.length).bit_length())
    return tuple(model.length << times for times in doublings)


def measurements(lengths: tuple[int, ...], methods: tuple[str, ...]) -> Iterator[Measurement]:
    """What is measured, in order: the window, then every length by every method."""
    yield Measurement(SLIDE, lengths[0])
    for place, length in enumerate(lengths):
        for method in methods if place else methods[:1]:
            yield Measurement(method, length)


def measure_own(
    payload: dict[str, Any],
    rows: list[dict[str, Any]],
    save: Callable[[list[dict[str, Any]]], None],
    report: Callable[[int, int, dict[str, Any]], None],
    should_stop: Callable[[], bool],
) -> bool:
    """Measure one by one, adding to `rows`; False if it was asked to stop before the end.

    Args:
        payload: {"folder": path, "longest": tokens, "methods": names, "text": path or ""}.
        rows: What was measured before and is not measured again.
        save: Called with all rows after each measurement.
        report: Called with (done, total, values) after each measurement.
        should_stop: Asked before each measurement.
    """
    model = look(Path(payload["folder"]))
    lengths = lengths_for(model, payload["longest"])
    methods = tuple(m for m in model.methods if m in ("none", *payload["methods"]))
    text = Path(payload["text"]).read_bytes() if payload["text"] else default_text()
    tokens = tokens_of(model, text, lengths[-1] + 1)
    todo = list(measurements(lengths, methods))
    there = {(row["method"], row["length"]) for row in rows}
    for done, (method, length) in enumerate(todo):
        if (method, length) not in there:
            if should_stop():
                return False
            bits = _bits(model, tokens, method, length)
            rows += [
                {"method": method, "length": length, "chunk": chunk, "bits": round(value, 5)}
                for chunk, value in enumerate(bits.mean(1).tolist())
            ]
            save(rows)
        report(done + 1, len(todo), {})
    return True


def _bits(model: OwnModel, tokens: Tensor, method: str, length: int) -> Tensor:
    tail = min(TAIL, model.length)
    if method != SLIDE:
        return tail_bits(load(model, method, length), tokens[:, -length - 1 :], tail)
    built, end = load(model, "none", length), tokens.shape[1]
    windows = range(end - tail + STRIDE, end + 1, STRIDE)
    return torch.cat(
        [tail_bits(built, tokens[:, stop - length - 1 : stop], STRIDE) for stop in windows], 1
    )
