"""Text: bits per byte of held-out chunks against the length of the context."""

import math
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import torch
from torch import Tensor
from torch.nn.functional import cross_entropy

from lab.model.methods import SLIDE, WINDOW, reader
from lab.model.transformer import TOKENS_AT_ONCE, LanguageModel
from lab.spec import RunSpec
from lab.tasks import corpus

TAIL = 64  # last bytes of a chunk, the same targets at every context length
CHUNKS = 16  # held out
LONGEST = 32  # their length, in training lengths
TEXT_LENGTHS = (1, 2, 4, 8, 16, 32)
STRIDE = 8  # bytes that a sliding window predicts at a time


def text_chunks(spec: RunSpec) -> Tensor:
    """The held-out chunks of a run's corpus, long enough for `LONGEST` training lengths."""
    return chunks_of(corpus.corpus(spec.corpus), spec)


def chunks_of(text: corpus.Corpus, spec: RunSpec) -> Tensor:
    """The held-out chunks of a text that a run would train on.

    Raises:
        ValueError: If the text is too short for so many.
    """
    return corpus.held_out_chunks(text.validation, LONGEST * spec.train_length + 1, CHUNKS)


@dataclass(frozen=True)
class TextLosses:
    """Bits per byte of held-out chunks at one context length."""

    method: str
    length: int
    tail: Tensor
    """(chunks,): mean over the last `TAIL` bytes, the same bytes at every length."""
    positions: Tensor
    """(chunks, bytes read): every byte's, against its position in the window."""


def text_at(
    model: LanguageModel, spec: RunSpec, length: int, method: str, chunks: Tensor
) -> TextLosses:
    """Read the last `length` bytes of every chunk (and the one before, to predict the first).

    Args:
        model: A model trained on text.
        spec: Its run.
        length: n, bytes of context.
        method: One of `tried()`, "interpolate", or "slide": the same targets, each predicted
            from L - TAIL to L - 1 bytes.
        chunks: Held-out bytes (chunks, at least length + 1).
    """
    if method == SLIDE:
        return _slide_text(model, spec, chunks)
    window = spec.train_length if method == WINDOW else None
    return text_losses(reader(model, spec, length, method), method, length, chunks, window)


def text_losses(
    ready: LanguageModel, method: str, length: int, chunks: Tensor, window: int | None = None
) -> TextLosses:
    """Losses of a model that is read as it stands; arguments as in `text_at`."""
    losses = token_losses(ready, chunks[:, -length - 1 :], window)
    return TextLosses(method, length, losses[:, -TAIL:].mean(1), losses)


def _slide_text(model: LanguageModel, spec: RunSpec, chunks: Tensor) -> TextLosses:
    """The tail predicted `STRIDE` bytes at a time from windows that end with them."""
    length = spec.train_length
    parts = []
    for end in range(chunks.shape[1] - TAIL + STRIDE, chunks.shape[1] + 1, STRIDE):
        window = chunks[:, end - length - 1 : end]
        parts.append(token_losses(model, window)[:, -STRIDE:])
    tail = torch.cat(parts, 1)
    return TextLosses(SLIDE, length, tail.mean(1), tail)


@torch.no_grad()
def token_losses(model: LanguageModel, tokens: Tensor, window: int | None = None) -> Tensor:
    """Bits for every byte but the first, (rows, length - 1), in chunks of bounded memory."""
    losses = []
    for part in tokens.long().split(max(1, TOKENS_AT_ONCE // tokens.shape[1])):
        logits = model(part[:, :-1], window=window)
        losses.append(cross_entropy(logits.mT, part[:, 1:], reduction="none") / math.log(2))
    return torch.cat(losses)


def mean_loss(
    model: LanguageModel, spec: RunSpec, length: int, method: str, chunks: Tensor
) -> Tensor:
    """Bits per byte over all bytes of every chunk read in windows of `length`, (chunks,)."""
    ready = reader(model, spec, length, method)
    window = spec.train_length if method == WINDOW else None
    usable = (chunks.shape[1] - 1) // length * length
    inner = chunks[:, -usable - 1 :]
    starts = torch.arange(0, usable, length)
    windows = inner[:, starts[:, None] + torch.arange(length + 1)].flatten(0, 1)
    return token_losses(ready, windows, window).view(len(chunks), -1).mean(1)


def tail_rows(losses: TextLosses, tuned: int = 0) -> list[dict[str, Any]]:
    """Bits per byte of every chunk, so that differences can be paired."""
    tag = {"method": losses.method, "length": losses.length, "tuned": tuned, "measure": "tail"}
    return [
        {**tag, "chunk": c, "bits": round(bits, 5)} for c, bits in enumerate(losses.tail.tolist())
    ]


def position_rows(losses: TextLosses) -> list[dict[str, Any]]:
    """Loss against position in the window, two stretches for each octave.

    The error is the standard error over chunks of their means in the stretch.
    """
    last = losses.positions.shape[1]
    edges = sorted({math.ceil(2 ** (half / 2)) for half in range(2 * last.bit_length())})
    found = []
    for start, stop in pairwise([*(edge for edge in edges if edge < last), last]):
        bits = losses.positions[:, start:stop].double().mean(1)
        tag = {"method": losses.method, "length": losses.length, "start": start, "stop": stop}
        error = float(bits.std()) / len(bits) ** 0.5
        found.append({**tag, "bits": round(float(bits.mean()), 5), "error": round(error, 5)})
    return found
