"""A typed text decoded token by token, with seeded random projections."""

from dataclasses import dataclass, replace
from typing import Any

import torch
from torch import Tensor

from posenc import CATALOGUE, DynamicNTK, KVCache, ModelShape, PositionalEncoding, RoPE, Step, Trace
from posenc.attention.steps.pairs import attention_steps
from posenc.quantity.lines import masked
from posenc.quantity.step import nothing
from posenc.random_model import RandomProjections, randomise
from ui.controls.device import working_dtype
from ui.text.tokens import Tokens
from ui.words import number


@dataclass(frozen=True)
class DecodingSettings:
    """Everything that the decoding depends on, by the names of the controls."""

    tokens: Tokens
    step: int
    """Tokens decoded so far, at least 1."""
    encoding: str
    """Name in the catalogue."""
    rotate_on_write: bool
    num_heads: int
    head: int
    head_dim: int
    seed: int
    device: torch.device
    base: float = 10000.0
    """With the next two: of the dynamic scaling, where there is one."""
    factor: float = 2.0
    original_length: int = 4

    @property
    def length(self) -> int:
        """Number of tokens."""
        return len(self.tokens.ids)

    @property
    def dtype(self) -> torch.dtype:
        """In which the device computes."""
        return working_dtype(self.device)


@dataclass(frozen=True)
class Decoded:
    """What the steps computed, for one head."""

    cache: KVCache
    weights: Tensor
    """Float64 (length, length), row t from step t + 1; NaN where nothing was computed."""
    scores: Tensor
    """The scaled scores, same shape."""
    output: Tensor
    """Of the last step, (1, heads, 1, head_dim)."""
    stages: list[Trace]
    """Of every step, one query each, and of the shown head alone."""

    def steps(self, row: int, col: int, stage: str = "weights") -> tuple[Step, ...]:
        """How the weight, or another stage, of a query and a key came about."""
        if col > row or row >= len(self.stages):
            symbol = rf"\alpha_{{{row},{col}}}"
            later = masked(symbol) if col > row else nothing(symbol, "this step comes later")
            return (later,)
        return attention_steps(self.stages[row], stage, 0, col, first=row)


def memory_needed(settings: DecodingSettings) -> int:
    """Bytes at the peak: the shown head's keys of every step, thrice, and one pass of all heads."""
    return settings.step**2 * (3 * settings.head_dim // 2 + 4 * settings.num_heads) * 8


def of_head(stages: Trace, head: int) -> Trace:
    """What a step computed for one head; the keys of all heads and steps would be a gigabyte."""
    tensors = {name: one[:, [head]] for name, one in vars(stages).items() if torch.is_tensor(one)}
    return replace(stages, **tensors)  # type: ignore[arg-type]


def notebook(settings: DecodingSettings) -> dict[str, Any]:
    """What an attention of random numbers is made of, for a notebook."""
    sizes = {name: getattr(settings, name) for name in ("num_heads", "head_dim", "seed", "head")}
    return {"ids": settings.tokens.ids, "steps": settings.step} | sizes


def encoding_of(settings: DecodingSettings) -> PositionalEncoding:
    """The chosen encoding, its learned tables filled with seeded random numbers."""
    heads, head_dim = settings.num_heads, settings.head_dim
    shape = ModelShape(heads * head_dim, heads, head_dim, settings.length)
    encoding = randomise(CATALOGUE[settings.encoding].build(shape), settings.seed)
    return encoding.to(settings.device, settings.dtype)


def rope_of_the_length(settings: DecodingSettings) -> RoPE:
    """RoPE whose base grows with the text, past the trained length."""
    scaling = DynamicNTK(settings.factor, settings.original_length)
    return RoPE(settings.head_dim, settings.base, scaling=scaling)


@torch.no_grad()
def project(
    settings: DecodingSettings, encoding: PositionalEncoding
) -> tuple[Tensor, Tensor, Tensor]:
    """Queries, keys and values of all tokens, not rotated, (1, heads, length, head_dim)."""
    heads, head_dim = settings.num_heads, settings.head_dim
    model = RandomProjections(settings.seed, heads * head_dim, heads, head_dim)
    x = model.embed(settings.tokens.ids).to(settings.device, settings.dtype)
    return model.project(encoding.embed(x, torch.arange(settings.length, device=x.device)))


@torch.no_grad()
def rotates_keys(encoding: PositionalEncoding, qkv: tuple[Tensor, Tensor, Tensor]) -> bool:
    """Whether the encoding changes keys at place 2; Transformer-XL changes queries alone there."""
    q, k, _ = qkv
    after_the_first = torch.arange(1, k.shape[-2] + 1, device=k.device)  # RoPE leaves position 0
    return not torch.equal(encoding.rotate(q, k, after_the_first, after_the_first)[1], k)


@torch.no_grad()
def decode(
    settings: DecodingSettings,
    encoding: PositionalEncoding,
    qkv: tuple[Tensor, Tensor, Tensor],
    *,
    rotate_on_write: bool,
) -> Decoded:
    """Run the steps one by one through a cache."""
    q, k, v = qkv
    cache = KVCache(encoding, rotate_on_write=rotate_on_write)
    shape = (settings.length, settings.length)
    weights, scores = (torch.full(shape, torch.nan, dtype=torch.float64) for _ in range(2))
    taken: list[Trace] = []
    for t in range(settings.step):
        new = slice(t, t + 1)
        position = torch.tensor([t], device=k.device)
        stages = cache.step(q[:, :, new], k[:, :, new], v[:, :, new], position, trace=True)
        weights[t, : t + 1] = stages.weights[0, settings.head, 0]
        scores[t, : t + 1] = stages.scaled[0, settings.head, 0]
        taken.append(of_head(stages, settings.head))
    return Decoded(cache, weights, scores, stages.output, taken)


def largest(difference: Tensor) -> str:
    """The largest entry without its sign."""
    return number(difference.abs().max().item(), ".2g")
