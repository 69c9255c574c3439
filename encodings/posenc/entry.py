"""The catalogue's entry for an encoding, and the shape of the model that it is built for."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from posenc.checks import check_int
from posenc.places import PositionalEncoding

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
    trained: str
    """Trained parameters of one layer, in words."""
    cost: str
    """Cost that it adds to an attention over L tokens, in words."""
    used_by: tuple[str, ...]
    """Well-known models."""
    shift_invariant: bool
    """A common shift of all positions, however far, leaves the attention as it is."""
    causal_only: bool
    """Defined only where a query sees no later key."""
    build: Callable[[ModelShape], PositionalEncoding]
    """Make it for a model of this shape, with its published start."""
