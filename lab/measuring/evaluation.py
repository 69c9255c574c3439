"""What a trained model does at lengths it never saw, and what a sliding window would do instead."""

import math
from dataclasses import dataclass

import torch
from torch import Tensor
from torch.nn.functional import cross_entropy

from lab.model.encodings import METHODS, encoding_for, interpolated_table, scaling
from lab.model.transformer import LanguageModel
from lab.tasks import corpus, counting, recall
from lab.training.spec import RunSpec
from posenc import CoPE, Learned, RoPE, XPos

TOKENS_AT_ONCE = 1 << 14  # tokens in one forward pass; bounds the memory
TAIL = 64  # last bytes of a chunk, the same targets at every context length
CHUNKS, LONGEST = 16, 32  # text: held-out chunks, and their length in training lengths
RECALL_LENGTHS = (1, 2, 4, 8, 16)
TEXT_LENGTHS = (1, 2, 4, 8, 16, 32)
SLIDE = "slide"


def reader(model: LanguageModel, spec: RunSpec, length: int, method: str = "none") -> LanguageModel:
    """The model made ready to read `length` tokens by a method of `METHODS`.

    A learned table also knows "interpolate". The weights are shared, not copied.
    """
    trained = model.encoding
    if method == "interpolate" and isinstance(trained, Learned):
        rows = max(length, spec.train_length)
        return model.with_encoding(interpolated_table(trained, rows))
    how = scaling(method, length / spec.train_length, spec.train_length)
    return model.with_encoding(encoding_for(trained, length, spec.seed, how))


def methods_for(model: LanguageModel) -> tuple[str, ...]:
    """What can be tried on this model past its training length."""
    if isinstance(model.encoding, RoPE):
        return tuple(METHODS)
    return ("none", "interpolate") if isinstance(model.encoding, Learned) else ("none",)


def longest_for(model: LanguageModel, spec: RunSpec, lengths: tuple[int, ...]) -> tuple[int, ...]:
    """Those of `lengths` (in training lengths) that the encoding can be read at.

    xPos leaves the range of float32 beyond its reach; CoPE holds all scores of a row block.
    """
    if isinstance(model.encoding, XPos):
        reach = 2 * model.encoding.reach(torch.float32)
        return tuple(n for n in lengths if n * spec.train_length <= reach)
    if isinstance(model.encoding, CoPE):
        return tuple(n for n in lengths if n <= 16)
    return lengths


def contexts_for(length: int) -> int:
    """Fewer contexts where each costs more: 96 to 256 tokens, 64 at 512, 32 at 1024, then 24."""
    return max(24, min(96, 2**15 // length))


@dataclass(frozen=True)
class RecallCell:
    """Recall at one context length and distance."""

    method: str
    length: int
    distance: int
    asked: int
    right: int


@torch.no_grad()
def recall_at(
    model: LanguageModel,
    spec: RunSpec,
    length: int,
    method: str = "none",
    contexts: int | None = None,
    seed: int = 1000,
) -> list[RecallCell]:
    """Accuracy against distance in contexts of `length` tokens.

    Args:
        model: A model trained on recall.
        spec: Its run.
        length: n, tokens of each context.
        method: Of `METHODS`, "interpolate", or "slide": every query is asked with only the
            last `train_length` tokens before it, which is what a sliding window can know.
        contexts: How many contexts; default `contexts_for(length)`.
        seed: Of the probe, the same for all models.
    """
    probe = recall.probe(seed, length, contexts or contexts_for(length))
    if method == SLIDE:
        return _cells(method, probe, _slide_recall(model, spec, probe))
    window = spec.train_length if method == "window" else None
    return recall_cells(reader(model, spec, length, method), method, probe, window)


@torch.no_grad()
def recall_cells(
    ready: LanguageModel, method: str, probe: recall.Probe, window: int | None = None
) -> list[RecallCell]:
    """Accuracy against distance of a model that is read as it stands."""
    at_once = max(1, TOKENS_AT_ONCE // probe.tokens.shape[1])
    predicted = [
        ready.lm_head(ready.hidden(part, window=window)[:, probe.queries]).argmax(-1)
        for part in probe.tokens.split(at_once)
    ]
    return _cells(method, probe, torch.cat(predicted))


def _cells(method: str, probe: recall.Probe, predicted: Tensor) -> list[RecallCell]:
    right = predicted == probe.tokens[:, probe.queries + 1]
    length, cells = probe.tokens.shape[1], []
    for distance in recall.probe_distances(length):
        here = probe.distances == distance
        count = int((right & here).sum())
        cells.append(RecallCell(method, length, distance, int(here.sum()), count))
    return cells


@torch.no_grad()
def _slide_recall(model: LanguageModel, spec: RunSpec, probe: recall.Probe) -> Tensor:
    """Answers (contexts, TARGETS) of a model that re-reads the last L tokens at every query."""
    length = spec.train_length
    # A window starts with a key, as every training sequence does.
    starts = (probe.queries - length + 2).clamp(min=0)
    windows = probe.tokens[:, starts[:, None] + torch.arange(length - 1)].flatten(0, 1)
    at = (probe.queries - starts).repeat(len(probe.tokens))
    predicted = []
    for part, index in zip(windows.split(TOKENS_AT_ONCE // length),
                           at.split(TOKENS_AT_ONCE // length), strict=True):  # fmt: skip
        hidden = model.hidden(part)[torch.arange(len(part)), index]
        predicted.append(model.lm_head(hidden).argmax(-1))
    return torch.cat(predicted).view(probe.distances.shape)


@torch.no_grad()
def token_losses(model: LanguageModel, tokens: Tensor, window: int | None = None) -> Tensor:
    """Bits for every byte but the first, (rows, length - 1), in chunks of bounded memory."""
    losses = []
    for part in tokens.long().split(max(1, TOKENS_AT_ONCE // tokens.shape[1])):
        logits = model(part[:, :-1], window=window)
        losses.append(cross_entropy(logits.mT, part[:, 1:], reduction="none") / math.log(2))
    return torch.cat(losses)


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
        method: Of `METHODS`, "interpolate", or "slide": the same targets, each predicted
            from L - TAIL to L - 1 bytes.
        chunks: Held-out bytes (chunks, at least length + 1).
    """
    if method == SLIDE:
        return _slide_text(model, spec, chunks)
    window = spec.train_length if method == "window" else None
    return text_losses(reader(model, spec, length, method), method, length, chunks, window)


def text_losses(
    ready: LanguageModel, method: str, length: int, chunks: Tensor, window: int | None = None
) -> TextLosses:
    """Losses of a model that is read as it stands; arguments as in `text_at`."""
    losses = token_losses(ready, chunks[:, -length - 1 :], window)
    return TextLosses(method, length, losses[:, -TAIL:].mean(1), losses)


def _slide_text(model: LanguageModel, spec: RunSpec, chunks: Tensor, stride: int = 8) -> TextLosses:
    """The tail predicted `stride` bytes at a time from windows that end with them."""
    length, parts = spec.train_length, []
    for end in range(chunks.shape[1] - TAIL + stride, chunks.shape[1] + 1, stride):
        window = chunks[:, end - length - 1 : end]
        parts.append(token_losses(model, window)[:, -stride:])
    tail = torch.cat(parts, 1)
    return TextLosses(SLIDE, length, tail.mean(1), tail)


def mean_loss(
    model: LanguageModel, spec: RunSpec, length: int, method: str, chunks: Tensor
) -> Tensor:
    """Bits per byte over all bytes of every chunk read in windows of `length`, (chunks,)."""
    ready = reader(model, spec, length, method)
    window = spec.train_length if method == "window" else None
    usable = (chunks.shape[1] - 1) // length * length
    inner = chunks[:, -usable - 1 :]
    starts = torch.arange(0, usable, length)
    windows = inner[:, starts[:, None] + torch.arange(length + 1)].flatten(0, 1)
    return token_losses(ready, windows, window).view(len(chunks), -1).mean(1)


def text_chunks(spec: RunSpec, count: int = CHUNKS) -> Tensor:
    """The held-out chunks of a run's corpus, long enough for `LONGEST` training lengths."""
    length = LONGEST * spec.train_length + 1
    return corpus.held_out_chunks(corpus.corpus(spec.corpus).validation, length, count)


@torch.no_grad()
def counting_error(
    model: LanguageModel, spec: RunSpec, length: int, mix: str, rows: int = 64, seed: int = 1000
) -> tuple[int, int]:
    """Answers given and wrong answers over the last half of windows of `length` tokens."""
    batch = counting.batch(seed, length, length, rows, mix)
    ready = reader(model, spec, length)
    wrong = asked = 0
    for tokens, targets in zip(batch.inputs.split(16), batch.targets.split(16), strict=True):
        predicted = ready(tokens).argmax(-1)
        wrong += int((predicted != targets)[:, length // 2 :].sum())
        asked += targets[:, length // 2 :].numel()
    return asked, wrong
