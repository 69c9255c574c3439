"""Several encodings on the same text: what the side-by-side screen compares."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import torch
from torch import Tensor

from posenc import (
    CATALOGUE,
    NTK,
    Linear,
    ModelShape,
    PositionalEncoding,
    RoPE,
    Scaling,
    YaRN,
    attend,
    attention_entropy,
    mean_by_distance,
    randomise,
)
from ui import live
from ui.device import working_dtype

SCALED = ("RoPE, linear", "RoPE, NTK-aware", "RoPE, YaRN")
TITLES = (*(entry.title for entry in CATALOGUE.values()), *SCALED)
LETTERS = "ABCD"


@dataclass(frozen=True)
class Contender:
    """One encoding with its settings."""

    title: str
    entry: str
    """Name in the catalogue."""
    build: Callable[[ModelShape], PositionalEncoding]
    code: str
    """What builds it in a snippet, where `shape` is the model's."""
    dash: str
    marker: str


@dataclass(frozen=True)
class Compared:
    """What one contender does to one head, on the CPU."""

    name: str
    """Letter and title."""
    contender: Contender
    stage: Tensor
    """The chosen stage (length, length), NaN where the mask forbids attention."""
    scores: Tensor
    """Mean logit at each distance to a past key (length,)."""
    attention: Tensor
    """Mean attention at each distance (length,)."""
    entropy: Tensor
    """Of each query's attention, nats (length,)."""


def contender(title: str, factor: float, trained: int) -> Contender:
    """One of `TITLES`; factor and trained length are those of the scalings."""
    scalings: dict[str, Scaling] = {
        "RoPE, linear": Linear(factor),
        "RoPE, NTK-aware": NTK(factor),
        "RoPE, YaRN": YaRN(factor, trained),
    }
    if title in scalings:
        scaling, place = scalings[title], SCALED.index(title)
        return Contender(
            title,
            "rope",
            lambda shape: RoPE(shape.head_dim, scaling=scaling),
            f"RoPE(shape.head_dim, scaling={scaling!r})",
            ("dash", "dot", "dashdot")[place],
            ("square", "diamond", "x")[place],
        )
    name, entry = next((n, e) for n, e in CATALOGUE.items() if e.title == title)
    code = f'CATALOGUE["{name}"].build(shape)'
    return Contender(title, name, entry.build, code, entry.dash, entry.marker)


def compare(
    settings: live.Settings, contenders: Sequence[Contender], stage: str, head: int
) -> list[Compared]:
    """Run one after the other, keeping of each what the pictures need.

    Raises:
        ValueError: If a size does not suit an encoding, or memory forbids the length.
    """
    compared = []
    for letter, one in zip(LETTERS, contenders, strict=False):
        its = replace(settings, encoding=one.entry)
        live.check_length(its)
        result = live.run_encoding(its, one.build(live.shape(its)))
        weights = result.trace.weights[0, head]
        compared.append(
            Compared(
                f"{letter} {one.title}",
                one,
                live.stage(result, stage, head).cpu(),
                mean_by_distance(result.trace.logits[0, head]).cpu(),
                mean_by_distance(weights).cpu(),
                attention_entropy(weights).cpu(),
            )
        )
    return compared


def attention_of(
    settings: live.Settings, one: Contender
) -> tuple[Callable[[], Tensor], PositionalEncoding]:
    """What a model would run, from embeddings with positions to the output, and the encoding."""
    device, dtype = settings.device, working_dtype(settings.device)
    model = live.projections(settings)
    encoding = randomise(one.build(live.shape(settings)), settings.seed).to(device, dtype)
    x = model.embed(settings.tokens.ids).to(device, dtype)
    positions = torch.arange(settings.length, device=device)
    q, k, v = model.project(encoding.embed(x, positions))

    @torch.no_grad()
    def work() -> Tensor:
        encoding.embed(x, positions)
        return attend(q, k, v, encoding, mask="causal" if settings.causal else None)

    return work, encoding
