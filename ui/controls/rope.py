"""What the screens on rotary positions ask for: the head, and the query and key to turn."""

from collections.abc import Sequence
from dataclasses import dataclass

import streamlit as st
import torch
from torch import Tensor

from posenc import RoPE
from posenc.words import say
from ui import controls
from ui.notebooks import Code
from ui.words import _

KINDS = {"typed": say("typed"), "ones": say("ones"), "random": say("random")}


@dataclass(frozen=True)
class Head:
    """What the controls say about an attention head."""

    head_dim: int
    rotary_dim: int
    base: float

    def rope(self, layout: str) -> RoPE:
        """The encoding of this head.

        Raises:
            ValueError: If head_dim or rotary_dim is odd, or rotary_dim exceeds head_dim.
        """
        rotary_dim = self.rotary_dim or None
        return RoPE(self.head_dim, self.base, layout=layout, rotary_dim=rotary_dim)  # type: ignore[arg-type]


def head(head_dim: int, base: float = 10000.0) -> Head:
    """Draw the controls of a head; `head_dim` and `base` are the defaults."""
    return Head(
        controls.number(
            "head_dim",
            _("Head width d"),
            head_dim,
            2,
            512,
            step=2,
            help=_("d in the formula, even; 128 in Llama."),
        ),
        controls.number(
            "rotary_dim",
            _("Rotated channels"),
            0,
            0,
            512,
            step=2,
            help=_(
                "Only the first ones are rotated, and they are d in the formula; 0 rotates the "
                "whole head. 24 of 96 in GPT-NeoX-20B."
            ),
        ),
        controls.number(
            "base",
            _("Base b"),
            base,
            1.5,
            1e9,
            step=1000.0,
            help=_("b in θ_i = b^(−2i/d); 10000 in Llama 2, 500000 in Llama 3."),
        ),
    )


@dataclass(frozen=True)
class QueryKey:
    """What the controls say about query and key."""

    kind: str
    query: tuple[float, ...]
    key: tuple[float, ...]
    seed: int

    def make(self, head_dim: int) -> Tensor:
        """Query and key, float64 (2, head_dim); few typed numbers are repeated.

        Raises:
            ValueError: If more than head_dim numbers are typed.
        """
        if self.kind == "ones":
            return torch.ones(2, head_dim, dtype=torch.float64)
        if self.kind == "random":
            generator = torch.Generator().manual_seed(self.seed)
            return torch.randn(2, head_dim, generator=generator, dtype=torch.float64)
        for name, numbers in (("query", self.query), ("key", self.key)):
            if len(numbers) > head_dim:
                raise ValueError(
                    say(
                        "{name} must hold at most head_dim = {most} numbers, got {count}.",
                        name=name,
                        most=head_dim,
                        count=len(numbers),
                    )
                )
        typed = [torch.tensor(v, dtype=torch.float64) for v in (self.query, self.key)]
        return torch.stack([v.repeat(head_dim)[:head_dim] for v in typed])

    def as_numpy(self, head_dim: int) -> Code:
        """An expression of numpy and torch that makes both, for a notebook."""
        return Code(_as_numpy(self.kind, self.query, self.key, self.seed, head_dim))

    def code(self, head_dim: int) -> str:
        """Python that makes `query` and `key` just so."""
        if self.kind == "ones":
            return f"query, key = torch.ones(2, {head_dim}, dtype=torch.float64)\n"
        if self.kind == "random":
            return (
                f"generator = torch.Generator().manual_seed({self.seed})\n"
                f"query, key = torch.randn(2, {head_dim}, generator=generator, "
                "dtype=torch.float64)\n"
            )
        make = "torch.tensor({}, dtype=torch.float64).repeat({})[:{}]"
        return "".join(
            f"{name} = {make.format(list(numbers), head_dim, head_dim)}\n"
            for name, numbers in (("query", self.query), ("key", self.key))
        )


def _as_numpy(
    kind: str, query: Sequence[float], key: Sequence[float], seed: int, width: int
) -> str:
    if kind == "ones":
        return f"np.ones((2, {width}))"
    if kind == "random":
        generator = f"torch.Generator().manual_seed({seed})"
        return f"torch.randn(2, {width}, generator={generator}, dtype=torch.float64).numpy()"
    return f"np.stack([np.resize({list(query)}, {width}), np.resize({list(key)}, {width})])"


def query_and_key(kind: str) -> QueryKey:
    """Draw the controls; `kind` is the default."""
    chosen = controls.choice(
        "vectors",
        _("q and k"),
        KINDS,
        kind,
        help=_("q and k in the formula. Random: independent standard normal numbers."),
    )
    repeated = _("Commas between the numbers; they are repeated until the head is full.")
    query = controls.vector("query", _("Query q"), "1, 2, 3, 4", help=repeated)
    key = controls.vector("key", _("Key k"), "4, 3, 2, 1", help=repeated)
    seed = controls.number(
        "seed",
        _("Seed"),
        0,
        0,
        2**31 - 1,
        help=_("Of the random q and k; one seed, one picture."),
    )
    if chosen != "typed":
        st.caption(_("The typed numbers are used when *typed* is chosen."))
    return QueryKey(chosen, query, key, seed)
