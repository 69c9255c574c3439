"""A typed text decoded token by token, with seeded random projections."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, ClassVar

import streamlit as st
import torch
from torch import Tensor

from posenc import KVCache, PositionalEncoding, Trace, attend
from posenc.attention.steps.pairs import after_place_two, attention_steps
from posenc.cache.window import WindowCache
from posenc.catalogue import CATALOGUE, ModelShape
from posenc.quantity.lines import masked
from posenc.quantity.step import Step, no_value
from posenc.random_model import RandomProjections, randomise
from posenc.words import say
from ui import controls, screen
from ui.charts.matrix import Window
from ui.controls import MORE, device
from ui.text import controls as text_controls
from ui.text import live
from ui.text.tokens import Tokens
from ui.words import _, number

SENTENCE = "The cat sat on the mat because the mat was warm."
STEP = 8
MAX_TOKENS = 256
MODEL = """\
ids = {ids}
n, place = len(ids), dict(device="{device}", dtype={dtype})
model = RandomProjections({seed}, {d_model}, num_heads={num_heads}, head_dim={head_dim})
shape = ModelShape(model.d_model, model.num_heads, model.head_dim, length=n)
encoding = randomise(CATALOGUE["{encoding}"].build(shape), seed={seed}).to(**place)
positions = torch.arange(n, device="{device}")

"""
"""How the programs of decodings begin."""
Projected = tuple[Tensor, Tensor, Tensor]
"""Queries, keys and values, not rotated, (1, heads, length, head_dim)."""


def step_of_text(key: str, label: str, count: int, *, help: str) -> int:
    """How many of the tokens have been decoded; each step is a run of its own."""
    if count > MAX_TOKENS:
        st.warning(
            _(
                "The text has {tokens:,} tokens; the first {most} are decoded here.",
                tokens=count,
                most=MAX_TOKENS,
            )
        )
    if count == 1:
        st.caption(_("The text has one token, so there is one step."))
        return 1
    most = min(count, MAX_TOKENS)
    step: int = controls.slider(key, label, min(STEP, most), 1, most, help=help)
    return step


@dataclass(frozen=True, kw_only=True)
class TextSettings:
    """Settings of every decoding of a typed text."""

    first: ClassVar = ("text",)

    text: str = controls.entry(
        controls.text,
        say("Text"),
        SENTENCE,
        max_chars=4000,
        help=say("The model reads this text one token at a time."),
    )
    decoding_step: int = controls.entry(
        step_of_text,
        say("Step t"),
        lambda s: len(live.TOKENIZERS[s.tokens](s.text).ids),
        help=say("Tokens decoded so far. Step t computes one query, one key and one value."),
        above=True,
        waits=True,
    )
    encoding: str = text_controls.encoding("rope")
    rotate_on_write: bool = controls.entry(
        controls.toggle,
        say("Rotate keys on write"),
        True,
        help=say(
            "On: each key is rotated once, before it is cached, as in transformers, vLLM and "
            "llama.cpp. Off: keys are cached as they are, and all of them are rotated at every "
            "step."
        ),
    )
    tokens: str = text_controls.tokens()
    num_heads: int = text_controls.num_heads(say("num_heads; 32 in Llama-2-7B."))
    head: int = text_controls.head(under=MORE)
    head_dim: int = text_controls.head_dim()
    seed: int = text_controls.seed()
    device: torch.device = device.device()

    @cached_property
    def first_tokens(self) -> Tokens:
        """Those that are decoded."""
        every = live.TOKENIZERS[self.tokens](self.text)
        return Tokens(every.texts[:MAX_TOKENS], every.ids[:MAX_TOKENS])

    @property
    def length(self) -> int:
        return len(self.first_tokens.ids)

    @property
    def title(self) -> str:
        return CATALOGUE[self.encoding].title

    @property
    def memory(self) -> int:
        """Bytes at the peak: the weights, the head's keys of every step, thrice, and one pass."""
        step = self.decoding_step
        width = self.num_heads * self.head_dim
        return 3 * width**2 * 4 + step**2 * (3 * self.head_dim // 2 + 4 * self.num_heads) * 8

    @property
    def frame(self) -> Window:
        """The row of the last step."""
        return (self.decoding_step - 1, self.decoding_step), (0, self.decoding_step)

    @property
    def program(self) -> dict[str, Any]:
        """Settings of an attention of random numbers, for a program."""
        sizes = screen.only(self, "num_heads", "head_dim", "seed", "head")
        return {"ids": self.first_tokens.ids, "steps": self.decoding_step} | sizes

    @property
    def code_fields(self) -> dict[str, Any]:
        """The same for a program against posenc."""
        names = ("num_heads", "head_dim", "seed", "head", "encoding", "rotate_on_write")
        return screen.only(self, *names) | {
            "ids": self.first_tokens.ids,
            "step": self.decoding_step,
            "device": self.device.type,
            "dtype": device.working_dtype(self.device),
            "d_model": self.num_heads * self.head_dim,
        }

    def make_encoding(self) -> PositionalEncoding:
        """The chosen encoding, its learned tables filled with seeded random numbers."""
        shape = ModelShape(
            self.num_heads * self.head_dim, self.num_heads, self.head_dim, self.length
        )
        encoding = randomise(CATALOGUE[self.encoding].build(shape), self.seed)
        return encoding.to(self.device, device.working_dtype(self.device))

    @torch.no_grad()
    def project(self, encoding: PositionalEncoding) -> Projected:
        """Queries, keys and values of all tokens."""
        width = self.num_heads * self.head_dim
        model = RandomProjections(self.seed, width, self.num_heads, self.head_dim)
        x = model.embed(self.first_tokens.ids)
        x = x.to(self.device, device.working_dtype(self.device))
        return model.project(encoding.embed(x, torch.arange(self.length, device=x.device)))

    @torch.no_grad()
    def whole_pass(self, encoding: PositionalEncoding, qkv: Projected) -> Tensor:
        """The output of the last step where all tokens are read at once."""
        q, k, v = (part[:, :, : self.decoding_step] for part in qkv)
        return attend(q, k, v, encoding, mask="causal")[:, :, -1:]


@dataclass(frozen=True)
class Decoded:
    """Results of the steps, for one head; NaN where a key is dropped or not there yet."""

    weights: Tensor
    """Float64 (length, length), row t from step t + 1."""
    scores: Tensor
    """Scores before the softmax, the same shape."""
    distances: Tensor
    """Between query and key as the encoding is told them, the same shape."""
    output: Tensor
    """Output of the last step, (1, heads, 1, head_dim)."""
    taken: list[tuple[Trace, list[int], list[int]]]
    """Every step: the shown head's stages, the tokens in the cache, where keys were rotated."""
    vectors: tuple[str, str]
    """LaTeX of a query and a key after place 2."""

    def steps(self, row: int, col: int, stage: str = "weights") -> tuple[Step, ...]:
        """How the weight, or another stage, of a query and a key came about."""
        symbol = rf"\alpha_{{{row},{col}}}"
        if col > row or row >= len(self.taken):
            later = masked(symbol) if col > row else no_value(symbol, "this step comes later")
            return (later,)
        trace, kept, _at = self.taken[row]
        if col not in kept:
            return (no_value(symbol, "this key has been dropped"),)
        at = kept.index(col)
        return attention_steps(trace, stage, 0, at, first=row, key=col, vectors=self.vectors)


def attention(
    s: TextSettings,
    weights: Tensor,
    explain: Callable[[int, int], tuple[Step, ...]],
    *,
    key: int,
    **more: Any,
) -> screen.MatrixFigure:
    """A row for each step; followed is the newest one's score of this key.

    `more` is what the figure says.
    """
    newest = s.decoding_step - 1
    return screen.MatrixFigure(
        key="attention",
        quantity=live.quantity(
            weights, s.first_tokens, say("attention"), signed=False, explain=explain
        ),
        cell=(newest, min(key, newest)),
        table=say("attention"),
        height=430,
        frame=s.frame,
        **more,
    )


def of_head(stages: Trace, head: int) -> Trace:
    """A step's stages for one head; the keys of all heads and steps would be a gigabyte."""
    kept = slice(head, head + 1)
    tensors = {
        name: one[:, kept].clone() for name, one in vars(stages).items() if torch.is_tensor(one)
    }
    return replace(stages, **tensors)  # type: ignore[arg-type]


@torch.no_grad()
def rotates_keys(encoding: PositionalEncoding, qkv: Projected) -> bool:
    """Whether the encoding changes keys at place 2; Transformer-XL changes queries alone there."""
    q, k, _v = qkv
    after_the_first = torch.arange(1, k.shape[-2] + 1, device=k.device)  # RoPE leaves position 0
    return not torch.equal(encoding.rotate(q, k, after_the_first, after_the_first)[1], k)


@torch.no_grad()
def decode(s: TextSettings, cache: KVCache | WindowCache, qkv: Projected) -> Decoded:
    """Run the steps one by one through a cache."""
    shape = (s.length, s.length)
    weights, scores, distances = (torch.full(shape, torch.nan).double() for _ in range(3))
    rotates = rotates_keys(cache.encoding, qkv)
    taken = []
    for t in range(s.decoding_step):
        q, k, v = (part[:, :, t : t + 1] for part in qkv)
        if isinstance(cache, KVCache):
            trace = cache.traced_step(q, k, v, torch.tensor([t], device=k.device))
            kept = positions = at = torch.arange(t + 1)
        else:
            trace = cache.step(q, k, v)
            kept, positions = cache.kept, cache.positions
            at = cache.rotated_at if rotates else positions
        weights[t, kept] = trace.weights[0, s.head, 0].to("cpu", torch.float64)
        scores[t, kept] = trace.logits[0, s.head, 0].to("cpu", torch.float64)
        distances[t, kept] = (positions[-1] - at).double()
        taken.append((of_head(trace, s.head), kept.tolist(), at.tolist()))
    vectors = after_place_two(cache.encoding)
    return Decoded(weights, scores, distances, trace.output, taken, vectors)


def largest(difference: Tensor) -> str:
    """The largest entry without its sign."""
    return number(difference.abs().max().item(), ".2g")
