"""The controls of the RoPE screen: the encoding, a query and a key, and their angles."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
import torch
from torch import Tensor

from posenc import RoPE, rope_angles
from posenc.words import say
from ui import controls
from ui.controls import entry, number, powers, rope, toggle, vector
from ui.notebooks import Code

EIGHT = {
    "head_dim": 16,
    "rotary_dim": 0,
    "base": 10000.0,
    "layout": "interleaved",
    "vectors": "typed",
    "typed_angles": False,
    "length": 32,
    "trained": 16,
    "m": 9,
    "n": 4,
}
WORKED = EIGHT | {"head_dim": 4}
MODEL = {"base": 10000.0, "rotary_dim": 0, "vectors": "random", "typed_angles": False}
LLAMA_2 = {"head_dim": 128, "layout": "half", "trained": 4096, "length": 8192, "m": 7000, "n": 1000}
LLAMA_3 = LLAMA_2 | {"base": 500000.0, "trained": 8192, "length": 16384, "m": 14000, "n": 2000}
SHORTER = {"trained": 2048, "length": 4096, "m": 3500, "n": 500}
TYPED = WORKED | {"typed_angles": True, "view": "matrix"}
DEEPSEEK_V4 = {
    "view": "values",
    "head_dim": 512,
    "rotary_dim": 64,
    "base": 10000.0,
    "length": 131072,
    "seed": 0,
}
PRESETS: controls.Presets = {
    "eight": (say("Eight clocks"), EIGHT),
    "worked": (say("Worked example, d = 4"), WORKED),
    "planes": (
        say("Planes at π/6 and π/3"),
        TYPED | {"query_angles": "30, 60", "key_angles": "0, 0"},
    ),
    "half": (
        say("Half layout, 0° 1° and 1° 2°"),
        TYPED | {"layout": "half", "query_angles": "0, 1", "key_angles": "1, 2"},
    ),
    "llama-2": ("Llama-2-7B", MODEL | LLAMA_2),
    "llama-3": ("Llama-3-8B", MODEL | LLAMA_3),
    "gpt-neox": (
        "GPT-NeoX-20B",
        MODEL | SHORTER | {"head_dim": 96, "layout": "half", "rotary_dim": 24},
    ),
    "gpt-j": (
        "GPT-J-6B",
        MODEL | SHORTER | {"head_dim": 256, "layout": "interleaved", "rotary_dim": 64},
    ),
    "deepseek-v4": (say("DeepSeek-V4, a layer with a window"), DEEPSEEK_V4),
}
LAYOUTS = {"interleaved": say("interleaved"), "half": say("half")}
CHANNELS = say("Which channels form a pair: (2i, 2i + 1), or (i, i + d/2) as in most models.")
KEYS = say("n of the key, in Rₙk.")
LENGTHS = 2**27
"""Positions at most."""


def place(label: str, default: int, help: str, under: str = "") -> Any:
    """A position of the query or the key."""
    return entry(number, label, default, 0, LENGTHS, help=help, under=under)


def degrees(label: str, default: str) -> Any:
    """Angles of the query or the key."""
    help = say(
        "Degrees, one number for each pair, repeated until every pair has one; used when the "
        "switch above is on."
    )
    return entry(vector, label, default, pairs, help=help, under=rope.QUERY_AND_KEY)


def pairs(before: Any) -> int:
    """Pairs of channels that are rotated."""
    width: int = before.rotary_dim or before.head_dim
    return width // 2


@dataclass(frozen=True, kw_only=True)
class Encoding(rope.Head):
    """RoPE, and how far it is shown."""

    first: ClassVar = ("head_dim", "base")

    head_dim: int = rope.head_dim(16)
    base: float = rope.base(10000.0)
    length: int = entry(
        powers,
        say("Length"),
        32,
        4,
        LENGTHS,
        help=say("Positions shown; 4096 in Llama 2's training."),
    )

    @cached_property
    def rope(self) -> RoPE:
        """The encoding; its frequencies do not depend on the layout."""
        return self.make_rope("interleaved")

    @property
    def inv_freq(self) -> Tensor:
        """θ, (pairs,)."""
        return self.rope.inv_freq

    @property
    def pairs(self) -> int:
        return len(self.inv_freq)

    @property
    def program(self) -> dict[str, Any]:
        """Settings of the frequencies for a program."""
        return {"rotary_dim": self.rope.rotary_dim, "base": self.base}


@dataclass(frozen=True, kw_only=True)
class Vectors(rope.QueryKey, Encoding):
    """A query and a key to be turned."""

    vectors: str = rope.vectors("typed")

    @cached_property
    def query_and_key(self) -> tuple[Tensor, Tensor]:
        """Float64 (head_dim,) each."""
        query, key = self.make_vectors(self.head_dim)
        return query, key

    @property
    def score_program(self) -> dict[str, Any]:
        """Settings of the scores for a program, besides the layout."""
        vectors: Code = self.vectors_program(self.head_dim)
        return {"vectors": vectors, **self.program}


@dataclass(frozen=True, kw_only=True)
class Places(Vectors):
    """The positions of the query and of the key."""

    m: int = place(say("Position m"), 9, say("m of the query, in Rₘq."))
    n: int = place(say("Position n"), 4, KEYS)


@dataclass(frozen=True, kw_only=True)
class Rotations(Places):
    """The angles there, or typed ones."""

    first: ClassVar = ("head_dim", "m")

    typed_angles: bool = entry(
        toggle,
        say("Type the angles"),
        help=say("Instead of m·θᵢ and n·θᵢ, in degrees."),
        under=rope.QUERY_AND_KEY,
    )
    query_angles: tuple[float, ...] = degrees(say("Angles of the query (°)"), "0, 1")
    key_angles: tuple[float, ...] = degrees(say("Angles of the key (°)"), "1, 2")

    @cached_property
    def angles(self) -> tuple[Tensor, Tensor]:
        """Radians of the query and of the key, (pairs,): m·θ and n·θ, or what is typed."""
        if not self.typed_angles:
            query, key = rope_angles(torch.tensor([self.m, self.n]), self.inv_freq)
            return query, key
        query, key = torch.deg2rad(torch.tensor(self.degrees, dtype=torch.float64))
        return query, key

    @property
    def degrees(self) -> list[list[float]]:
        """Typed angles of the query and of the key, one for each pair."""
        both = (self.query_angles, self.key_angles)
        return [np.resize(angles, self.pairs).tolist() for angles in both]

    @property
    def rotation_program(self) -> dict[str, Any]:
        """Settings of the query's rotation for a program, besides the layout."""
        degrees = self.degrees[0] if self.typed_angles else None
        return {**self.program, "position": self.m, "degrees": degrees}
