"""Controls of the screens on rotary positions: the head, and the query and key to turn."""

from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor

from posenc import RoPE
from posenc.words import say
from ui.controls import choice, entry, number, vector
from ui.notebooks import Code

KINDS = {"typed": say("typed"), "ones": say("ones"), "random": say("random")}
QUERY_AND_KEY = say("Query and key")


def head_dim(default: int, least: int = 2) -> Any:
    """Width of a head."""
    help = say("d in the formula, even; 128 in Llama 2.")
    return entry(number, say("Head width d"), default, least, 512, even=True, help=help)


def base(default: float, under: str = "") -> Any:
    """Base of the frequencies."""
    help = say("b in θ_i = b^(−2i/d); 10000 in Llama 2, 500000 in Llama 3.")
    return entry(number, say("Base b"), default, 1.5, 1e9, step=1000.0, help=help, under=under)


def vectors(default: str) -> Any:
    """Where query and key come from."""
    help = say("q and k in the formula. Random: independent standard normal numbers.")
    return entry(choice, say("q and k"), KINDS, default, help=help, under=QUERY_AND_KEY)


def typed(label: str, default: str) -> Any:
    """A query or a key."""
    help = say(
        "Used when *typed* is chosen. Commas between the numbers; they are repeated until the head "
        "is full, and those that it has no room for are left out."
    )
    return entry(vector, label, default, room, help=help, under=QUERY_AND_KEY)


def room(before: Any) -> int:
    """The numbers that a head takes."""
    width: int = before.head_dim
    return width


@dataclass(frozen=True, kw_only=True)
class Head:
    """An attention head."""

    head_dim: int = head_dim(128)
    rotary_dim: int = entry(
        number,
        say("Rotated channels (0 means all)"),
        0,
        0,
        lambda before: before.head_dim,
        even=True,
        help=say(
            "Only the first ones are rotated, and they are d in the formula. 24 of 96 in "
            "GPT-NeoX-20B."
        ),
    )
    base: float = base(10000.0)

    def make_rope(self, layout: str) -> RoPE:
        """The encoding of this head."""
        rotary_dim = self.rotary_dim or None
        return RoPE(self.head_dim, self.base, layout=layout, rotary_dim=rotary_dim)  # type: ignore[arg-type]


@dataclass(frozen=True, kw_only=True)
class QueryKey:
    """A query and a key."""

    vectors: str = vectors("ones")
    query: tuple[float, ...] = typed(say("Query q"), "1, 2, 3, 4")
    key: tuple[float, ...] = typed(say("Key k"), "4, 3, 2, 1")
    seed: int = entry(
        number,
        say("Seed"),
        0,
        0,
        2**31 - 1,
        help=say("Of the random q and k; one seed, one picture."),
        when=lambda before: before.vectors == "random",
        under=QUERY_AND_KEY,
    )

    def make_vectors(self, width: int) -> Tensor:
        """Both, float64 (2, width); typed numbers are repeated, or cut off at the width."""
        if self.vectors == "ones":
            return torch.ones(2, width, dtype=torch.float64)
        if self.vectors == "random":
            generator = torch.Generator().manual_seed(self.seed)
            return torch.randn(2, width, generator=generator, dtype=torch.float64)
        typed = [torch.tensor(v, dtype=torch.float64) for v in (self.query, self.key)]
        return torch.stack([v.repeat(width)[:width] for v in typed])

    def vectors_program(self, width: int) -> Code:
        """An expression of numpy and torch that makes both, for a notebook."""
        if self.vectors == "ones":
            return Code(f"np.ones((2, {width}))")
        if self.vectors == "random":
            generator = f"torch.Generator().manual_seed({self.seed})"
            drawn = f"torch.randn(2, {width}, generator={generator}, dtype=torch.float64)"
            return Code(f"{drawn}.numpy()")
        query, key = (f"np.resize({list(v)}, {width})" for v in (self.query, self.key))
        return Code(f"np.stack([{query}, {key}])")
