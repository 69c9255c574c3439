"""Every encoding by name: what the screens list, draw, compare and build."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

from posenc.alibi import picture as alibi
from posenc.alibi.formula import ALiBi
from posenc.checks import check_int
from posenc.cope.formula import CoPE
from posenc.fire.formula import FIRE
from posenc.fire.picture import FIREBias
from posenc.kerple import picture as kerple
from posenc.kerple.formula import Kerple
from posenc.learned.formula import Learned
from posenc.places import NoPE, PositionalEncoding
from posenc.quantity.matrix import Quantity
from posenc.rope.formula import RoPE
from posenc.sandwich import picture as sandwich
from posenc.sandwich.formula import Sandwich
from posenc.shaw.formula import Shaw
from posenc.sinusoidal.formula import Sinusoidal
from posenc.t5 import picture as t5
from posenc.t5.formula import T5Bias
from posenc.transformer_xl.formula import TransformerXL
from posenc.words import say
from posenc.xpos.formula import XPos

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


@dataclass(frozen=True, kw_only=True)
class Entry:
    """The catalogue's entry for one encoding."""

    id: str
    """Key in `CATALOGUE` and in addresses."""
    title: str
    """As readers see it."""
    year: int
    paper: str
    """Authors, year, arXiv number."""
    places: tuple[Place, ...]
    """Where position enters; none for no encoding."""
    trained: str = say("none")
    """Trained parameters of one layer, in words."""
    cost: str
    """Cost that it adds to an attention over L tokens, in words."""
    used_by: tuple[str, ...] = ()
    """Well-known models."""
    shift_invariant: bool = True
    """A common shift of all positions, however far, leaves the attention as it is."""
    causal_only: bool = False
    """Defined only where a query sees no later key."""
    kind: type[PositionalEncoding]
    """Its class."""
    build: Callable[[ModelShape], PositionalEncoding]
    """Make it for a model of this shape, with its published start."""
    bias_picture: Callable[[Any, int, int], Quantity] | None = None
    """From an encoding of this kind, a head and a length to the bias of that head, whose cells are
    followed; None where it adds none, or one that reads the tokens too."""


NO_FUSED_KERNEL = say("O(L²) memory; no fused kernel known here")
# torch 2.13's scaled_dot_product_attention takes a bias as a matrix; a function of the distance
# can be given to FlexAttention as score_mod, and ALiBi's slopes to FlashAttention.
BIAS_OF_DISTANCE = say(
    "O(heads · L²) bias with PyTorch's SDPA; no matrix with FlexAttention's score_mod"
)
BIAS_OF_SLOPES = say(
    "O(heads · L²) bias with PyTorch's SDPA; no matrix with FlashAttention's slopes or "
    "FlexAttention's score_mod"
)
BIAS_OF_QUERY = say("O(heads · L²) bias, which reads the query; fused kernel with a bias")
INPUT_ONLY = say("one addition per token; attention unchanged")
ROTATION = say("one rotation per query and key; fused kernel")

_ENTRIES = (
    Entry(
        id="nope",
        title="NoPE",
        year=2022,
        paper="Haviv et al. 2022, arXiv:2203.16634",
        places=(),
        cost=say("none"),
        used_by=(
            say("Llama 4 (every 4th layer)"),
            say("SmolLM3 (every 4th layer)"),
            say("Command A (every 4th layer)"),
            say("EXAONE 4 32B (every 4th layer)"),
            say("Granite 4 H (its attention layers)"),
        ),
        kind=NoPE,
        build=lambda shape: NoPE(),
    ),
    Entry(
        id="learned",
        title=say("Learned"),
        year=2017,
        paper="Gehring et al. 2017, arXiv:1705.03122",
        places=("embed",),
        trained=say("length × d_model, once per model"),
        cost=INPUT_ONLY,
        used_by=("BERT", "GPT-2", "OPT", "ViT"),
        shift_invariant=False,
        kind=Learned,
        build=lambda shape: Learned(shape.length, shape.d_model),
    ),
    Entry(
        id="sinusoidal",
        title=say("Sinusoidal"),
        year=2017,
        paper="Vaswani et al. 2017, arXiv:1706.03762",
        places=("embed",),
        cost=INPUT_ONLY,
        used_by=(say("the first Transformer"), say("Whisper (its encoder)")),
        shift_invariant=False,
        kind=Sinusoidal,
        build=lambda shape: Sinusoidal(shape.d_model),
    ),
    Entry(
        id="shaw",
        title="Shaw",
        year=2018,
        paper="Shaw et al. 2018, arXiv:1803.02155",
        places=("bias", "mix"),
        trained=say("2 · (2k + 1) · head_dim for distances up to k"),
        cost=say("O(L · k) products, O(L²) memory; no fused kernel known here takes its values"),
        used_by=(say("Music Transformer (keys only)"),),
        kind=Shaw,
        build=lambda shape: Shaw(shape.head_dim, max_distance=16),
    ),
    Entry(
        id="transformer_xl",
        title="Transformer-XL",
        year=2019,
        paper="Dai et al. 2019, arXiv:1901.02860",
        places=("bias",),  # `rotate` adds u to every query, and u carries no position
        trained=say("2 · head_dim + head_dim · d_model per head"),
        cost=BIAS_OF_QUERY,
        used_by=("Transformer-XL", "XLNet"),
        kind=TransformerXL,
        build=lambda shape: TransformerXL(
            shape.num_heads, shape.head_dim, shape.d_model + shape.d_model % 2
        ),
    ),
    Entry(
        id="t5",
        title=say("T5 bias"),
        year=2019,
        paper="Raffel et al. 2019, arXiv:1910.10683",
        places=("bias",),
        trained=say("num_buckets per head, shared by all layers (UMT5: in every layer)"),
        cost=BIAS_OF_DISTANCE,
        used_by=("T5", "mT5", "UMT5", "LongT5", "WavLM"),
        kind=T5Bias,
        build=lambda shape: T5Bias(shape.num_heads),
        bias_picture=t5.bias_of,
    ),
    Entry(
        id="alibi",
        title="ALiBi",
        year=2021,
        paper="Press et al. 2021, arXiv:2108.12409",
        places=("bias",),
        cost=BIAS_OF_SLOPES,
        used_by=("BLOOM", "MPT", "Baichuan2-13B"),
        # Under a causal mask the same as the causal form, and defined without one.
        kind=ALiBi,
        build=lambda shape: ALiBi(shape.num_heads, symmetric=True),
        bias_picture=alibi.bias_of,
    ),
    Entry(
        id="kerple",
        title="Kerple",
        year=2022,
        paper="Chi et al. 2022, arXiv:2205.09921",
        places=("bias",),
        trained=say("2 per head, shared by all layers"),
        cost=BIAS_OF_DISTANCE,
        kind=Kerple,
        build=lambda shape: Kerple(shape.num_heads, symmetric=True),
        bias_picture=kerple.bias_of,
    ),
    Entry(
        id="sandwich",
        title="Sandwich",
        year=2022,
        paper="Chi et al. 2022, arXiv:2212.10356",
        places=("bias",),
        cost=BIAS_OF_DISTANCE,
        kind=Sandwich,
        build=lambda shape: Sandwich(shape.num_heads),
        bias_picture=sandwich.bias_of,
    ),
    Entry(
        id="fire",
        title="FIRE",
        year=2023,
        paper="Li et al. 2023, arXiv:2310.04418",
        places=("bias",),
        trained=say("a network 1 → 32 → heads and 2 scalars"),
        cost=say("O(heads · L²) bias from a small network; fused kernel with a bias"),
        shift_invariant=False,
        causal_only=True,
        kind=FIRE,
        build=lambda shape: FIRE(shape.num_heads),
        bias_picture=FIREBias,
    ),
    Entry(
        id="rope",
        title="RoPE",
        year=2021,
        paper="Su et al. 2021, arXiv:2104.09864",
        places=("rotate",),
        cost=ROTATION,
        used_by=("Llama", "Mistral", "Qwen", "Gemma", "DeepSeek", "Phi-3", "GPT-NeoX", "gpt-oss"),
        kind=RoPE,
        build=lambda shape: RoPE(shape.head_dim),
    ),
    Entry(
        id="xpos",
        title="xPos",
        year=2022,
        paper="Sun et al. 2022, arXiv:2212.10554",
        places=("rotate",),
        cost=ROTATION,
        used_by=(say("RetNet (with its own decay)"),),
        causal_only=True,
        kind=XPos,
        build=lambda shape: XPos(shape.head_dim, centre=shape.length // 2),
    ),
    Entry(
        id="cope",
        title="CoPE",
        year=2024,
        paper="Golovneva et al. 2024, arXiv:2405.18719",
        places=("bias",),
        trained=say("head_dim × max_positions"),
        cost=NO_FUSED_KERNEL,
        causal_only=True,
        kind=CoPE,
        build=lambda shape: CoPE(shape.head_dim, shape.length + 1),
    ),
)

CATALOGUE: dict[str, Entry] = {entry.id: entry for entry in _ENTRIES}
