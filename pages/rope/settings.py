"""What the RoPE screen is set to: the encoding, a query and a key, and their angles."""

from dataclasses import dataclass
from typing import Any

import streamlit as st
import torch
from torch import Tensor

from posenc import RoPE, rope_angles
from posenc.words import say
from ui import controls
from ui.controls.rope import Head, QueryKey, head, query_and_key
from ui.notebooks import Code
from ui.words import _

LAYOUTS = {"interleaved": say("interleaved"), "half": say("half")}
Angles = tuple[float, ...]


@dataclass(frozen=True)
class RopeSettings:
    """What the controls say, checked."""

    rope: RoPE
    length: int
    query: Tensor
    key: Tensor
    positions: tuple[int, int]
    """m of the query and n of the key, also where angles are typed."""
    query_angles: Tensor
    """Radians, (pairs,): m·θ, or what is typed."""
    key_angles: Tensor
    vectors_code: str
    """Python that makes query and key."""
    vectors: Code
    """An expression of numpy that makes query and key."""
    degrees: Angles | None
    """Angles of the query, where they are typed."""

    @property
    def head(self) -> dict[str, Any]:
        """What the frequencies are made of, for a notebook."""
        return {"rotary_dim": self.rope.rotary_dim, "base": self.rope.base}

    @property
    def scored(self) -> dict[str, Any]:
        """What scores are made of besides the layout, for a notebook."""
        return {"vectors": self.vectors, **self.head}

    @property
    def turned(self) -> dict[str, Any]:
        """What the rotation of the query is made of besides the layout, for a notebook."""
        degrees = None if self.degrees is None else list(self.degrees)
        return {**self.head, "position": self.positions[0], "degrees": degrees}

    @property
    def inv_freq(self) -> Tensor:
        """θ, (pairs,)."""
        return self.rope.inv_freq


@dataclass(frozen=True)
class Controls:
    """What the controls say, as it is."""

    head: Head
    length: int
    layout: str
    vectors: QueryKey
    positions: tuple[int, int]
    typed: tuple[Angles, Angles] | None
    """Degrees, where they are typed."""

    def settings(self) -> RopeSettings:
        """The checked settings.

        Raises:
            ValueError: If a control is out of its range, or vectors and angles do not fit the head.
        """
        rope = self.head.rope(self.layout)
        query, key = self.vectors.make(rope.head_dim)
        if self.typed is None:
            positions = list(self.positions)
            query_angles, key_angles = rope_angles(torch.tensor(positions), rope.inv_freq)
        else:
            pairs = len(rope.inv_freq)
            query_angles = _radians("query_angles", self.typed[0], pairs)
            key_angles = _radians("key_angles", self.typed[1], pairs)
        vectors_code = self.vectors.code(rope.head_dim)
        vectors = query, key, self.positions, query_angles, key_angles
        more = self.vectors.as_numpy(rope.head_dim), None if self.typed is None else self.typed[0]
        return RopeSettings(rope, self.length, *vectors, vectors_code, *more)


def read(*, needs_layout: bool) -> Controls:
    """Draw the controls; the layout steps back where the picture does not depend on it."""
    attention_head = head(16, 1000.0)
    length = controls.powers(
        "length",
        _("Length"),
        32,
        4,
        2**27,
        help=_("Positions shown; 4096 in Llama 2's training."),
    )
    layout_place = st.container()
    more = st.expander(_("Query and key"))
    with layout_place if needs_layout else more:
        layout = controls.choice(
            "layout",
            _("Layout"),
            LAYOUTS,
            help=_("Which channels form a pair: (2i, 2i + 1), or (i, i + d/2) as in most models."),
        )
    with more:
        vectors = query_and_key("typed")
        m = controls.number("m", _("Position m"), 9, 0, 2**27, help=_("m of the query, in Rₘq."))
        n = controls.number("n", _("Position n"), 4, 0, 2**27, help=_("n of the key, in Rₙk."))
        is_typed = controls.toggle(
            "typed_angles", _("Type the angles"), help=_("Instead of m·θᵢ and n·θᵢ, in degrees.")
        )
        each = _("Degrees, one number for each pair; used when the switch above is on.")
        query = controls.vector("query_angles", _("Angles of the query (°)"), "0, 1", help=each)
        key = controls.vector("key_angles", _("Angles of the key (°)"), "1, 2", help=each)
    typed = (query, key) if is_typed else None
    return Controls(attention_head, length, layout, vectors, (m, n), typed)


def _radians(name: str, degrees: Angles, pairs: int) -> Tensor:
    if len(degrees) != pairs:
        raise ValueError(
            say(
                "{name} must hold {pairs} angles, one for each pair; got {count}.",
                name=name,
                pairs=pairs,
                count=len(degrees),
            )
        )
    return torch.deg2rad(torch.tensor(degrees, dtype=torch.float64))
