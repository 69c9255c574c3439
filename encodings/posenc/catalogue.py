"""Every encoding by name: what the screens list, draw, compare and build."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import numpy as np
import torch

from posenc.alibi import ALiBi
from posenc.base import PositionalEncoding
from posenc.checks import check_int, check_number
from posenc.cope import CoPE
from posenc.learned import Learned
from posenc.nope import NoPE
from posenc.rope import RoPE
from posenc.shaw import Shaw
from posenc.sinusoidal import Sinusoidal
from posenc.t5 import T5Bias
from posenc.transformer_xl import TransformerXL
from posenc.xpos import XPos

Place = Literal["embed", "rotate", "bias", "mix"]


@dataclass(frozen=True)
class ModelShape:
    """The sizes that an encoding may need to know.

    Args:
        d_model: Width of the token embeddings.
        num_heads: Heads of a layer.
        head_dim: Width of a head.
        length: Longest text; the number of rows of a learned table.

    Raises:
        ValueError: If one of them is not an integer of at least 1.
    """

    d_model: int
    num_heads: int
    head_dim: int
    length: int

    def __post_init__(self) -> None:
        """Check the sizes."""
        for name in ("d_model", "num_heads", "head_dim", "length"):
            check_int(name, getattr(self, name), 1)


@dataclass(frozen=True)
class Entry:
    """What is known of one encoding."""

    name: str
    """Key in `CATALOGUE` and in addresses."""
    title: str
    year: int
    paper: str
    """Authors, year, arXiv number."""
    places: tuple[Place, ...]
    """Where position enters; none for no encoding."""
    trained: str
    """Trained parameters of one layer, in words."""
    cost: str
    """What it adds to an attention over L tokens, in words."""
    used_by: tuple[str, ...]
    """Well-known models."""
    shift_invariant: bool
    """A common shift of all positions leaves the attention as it is."""
    causal_only: bool
    """Defined only where a query sees no later key."""
    color: str
    """Okabe-Ito; with `dash` and `marker` different from every other entry."""
    dash: str
    marker: str
    page: str
    """Path of its screen in the app's address."""
    build: Callable[[ModelShape], PositionalEncoding]
    """Make it for a model of this shape, with its published start."""


BLUE, SKY, GREEN = "#0072B2", "#56B4E9", "#009E73"
ORANGE, RED, PINK, GREY = "#E69F00", "#D55E00", "#CC79A7", "#999999"
NO_FUSED_KERNEL = "O(L²) memory, no fused kernel"
FUSED_BIAS = "O(heads · L²) bias, fused kernel with a bias"
INPUT_ONLY = "one addition per token; attention unchanged"
ROTATION = "one rotation per query and key; fused kernel"

_ENTRIES = (
    Entry(
        name="nope",
        title="NoPE",
        year=2022,
        paper="Haviv et al. 2022, arXiv:2203.16634",
        places=(),
        trained="none",
        cost="none",
        used_by=("Llama 4 (every 4th layer)", "SmolLM3 (every 4th layer)"),
        shift_invariant=True,
        causal_only=False,
        color=GREY,
        dash="dot",
        marker="circle-open",
        page="why_position",
        build=lambda shape: NoPE(),
    ),
    Entry(
        name="learned",
        title="Learned",
        year=2018,
        paper="Devlin et al. 2018, arXiv:1810.04805",
        places=("embed",),
        trained="length × d_model, once per model",
        cost=INPUT_ONLY,
        used_by=("BERT", "GPT-2", "OPT", "ViT"),
        shift_invariant=False,
        causal_only=False,
        color=ORANGE,
        dash="solid",
        marker="square",
        page="absolute",
        build=lambda shape: Learned(shape.length, shape.d_model),
    ),
    Entry(
        name="sinusoidal",
        title="Sinusoidal",
        year=2017,
        paper="Vaswani et al. 2017, arXiv:1706.03762",
        places=("embed",),
        trained="none",
        cost=INPUT_ONLY,
        used_by=("the first Transformer",),
        shift_invariant=False,
        causal_only=False,
        color=SKY,
        dash="solid",
        marker="diamond",
        page="absolute",
        build=lambda shape: Sinusoidal(shape.d_model),
    ),
    Entry(
        name="shaw",
        title="Shaw",
        year=2018,
        paper="Shaw et al. 2018, arXiv:1803.02155",
        places=("bias", "mix"),
        trained="2 · (2k + 1) · head_dim for distances up to k",
        cost="O(L · k) products, O(L²) memory, no fused kernel",
        used_by=("Music Transformer (keys only)",),
        shift_invariant=True,
        causal_only=False,
        color=GREEN,
        dash="solid",
        marker="triangle-up",
        page="relative",
        build=lambda shape: Shaw(shape.head_dim, max_distance=16),
    ),
    Entry(
        name="transformer_xl",
        title="Transformer-XL",
        year=2019,
        paper="Dai et al. 2019, arXiv:1901.02860",
        places=("rotate", "bias"),
        trained="2 · head_dim + head_dim · d_model per head",
        cost=FUSED_BIAS,
        used_by=("Transformer-XL",),
        shift_invariant=True,
        causal_only=False,
        color=SKY,
        dash="dash",
        marker="diamond-open",
        page="relative",
        build=lambda shape: TransformerXL(
            shape.num_heads, shape.head_dim, shape.d_model + shape.d_model % 2
        ),
    ),
    Entry(
        name="t5",
        title="T5 bias",
        year=2019,
        paper="Raffel et al. 2019, arXiv:1910.10683",
        places=("bias",),
        trained="num_buckets per head, shared by all layers",
        cost=FUSED_BIAS,
        used_by=("T5", "mT5", "UMT5", "LongT5", "WavLM"),
        shift_invariant=True,
        causal_only=False,
        color=PINK,
        dash="solid",
        marker="cross",
        page="relative",
        build=lambda shape: T5Bias(shape.num_heads),
    ),
    Entry(
        name="alibi",
        title="ALiBi",
        year=2021,
        paper="Press et al. 2021, arXiv:2108.12409",
        places=("bias",),
        trained="none",
        cost=FUSED_BIAS,
        used_by=("BLOOM", "MPT"),
        shift_invariant=True,
        causal_only=False,
        color=RED,
        dash="solid",
        marker="triangle-down",
        page="alibi",
        # Under a causal mask the same as the causal form, and defined without one.
        build=lambda shape: ALiBi(shape.num_heads, symmetric=True),
    ),
    Entry(
        name="rope",
        title="RoPE",
        year=2021,
        paper="Su et al. 2021, arXiv:2104.09864",
        places=("rotate",),
        trained="none",
        cost=ROTATION,
        used_by=("Llama", "Mistral", "Qwen", "Gemma", "DeepSeek", "Phi-3", "GPT-NeoX", "gpt-oss"),
        shift_invariant=True,
        causal_only=False,
        color=BLUE,
        dash="solid",
        marker="circle",
        page="rope",
        build=lambda shape: RoPE(shape.head_dim),
    ),
    Entry(
        name="xpos",
        title="xPos",
        year=2022,
        paper="Sun et al. 2022, arXiv:2212.10554",
        places=("rotate",),
        trained="none",
        cost=ROTATION,
        used_by=("RetNet (with its own decay)",),
        shift_invariant=True,
        causal_only=True,
        color=BLUE,
        dash="dash",
        marker="circle-open",
        page="rope",
        build=lambda shape: XPos(shape.head_dim, centre=shape.length // 2),
    ),
    Entry(
        name="cope",
        title="CoPE",
        year=2024,
        paper="Golovneva et al. 2024, arXiv:2405.18719",
        places=("bias",),
        trained="head_dim × max_positions",
        cost=NO_FUSED_KERNEL,
        used_by=(),
        shift_invariant=True,
        causal_only=True,
        color=GREEN,
        dash="dash",
        marker="star",
        page="cope",
        build=lambda shape: CoPE(shape.head_dim, shape.length + 1),
    ),
)

CATALOGUE: dict[str, Entry] = {entry.name: entry for entry in _ENTRIES}


def randomise(encoding: PositionalEncoding, seed: int, std: float = 1.0) -> PositionalEncoding:
    """Fill the learned tables of an encoding with seeded random numbers, in place.

    Tables that start at zero, as published, add nothing before training: a demonstration without
    training fills them. Parameters of one dimension or none (slopes, decay rates) keep their start.

    Args:
        encoding: Any encoding.
        seed: 0 to 2³² - 1. Numbers come from numpy's PCG64, the same on every machine.
        std: Standard deviation, at least 0.

    Returns:
        The encoding.

    Raises:
        ValueError: If seed or std is out of range.
    """
    generator = np.random.default_rng(check_int("seed", seed, 0, maximum=2**32 - 1))
    check_number("std", std, 0)
    with torch.no_grad():
        for parameter in encoding.parameters():
            if parameter.dim() >= 2:
                table = generator.standard_normal(tuple(parameter.shape)) * std
                parameter.copy_(torch.from_numpy(table))
    return encoding
