"""A text read piece by piece: each piece attends to keys and values that are kept of others."""

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from models.change import Change
from models.measuring.loss import trained_length
from models.opened import Model
from models.running import Running, running
from posenc.attention.formula import attend
from posenc.attention.masks import causal_pairs
from posenc.attention.rows import AttentionRows


@dataclass(frozen=True, eq=False)
class CachedTokens:
    """Keys and values of some tokens, and the places that the keys are turned to.

    Keys are kept before the rotation. What turns them to `places` does what turning stored keys on
    by a difference does: R(b - a) R(a) k = R(b) k.

    Args:
        keys: By layer, (1, heads, length, head_dim).
        values: The same.
        places: Of the keys, int64 (length,).
    """

    keys: tuple[Tensor, ...]
    values: tuple[Tensor, ...]
    places: Tensor

    def at(self, places: Tensor) -> "CachedTokens":
        """The same with its keys turned to other places."""
        return CachedTokens(self.keys, self.values, places)

    def part(self, first: int, end: int) -> "CachedTokens":
        """Some of its tokens."""
        keys, values = (
            tuple(x[..., first:end, :] for x in every) for every in (self.keys, self.values)
        )
        return CachedTokens(keys, values, self.places[first:end])

    def then(self, other: "CachedTokens") -> "CachedTokens":
        """Both, one behind the other."""
        keys, values = (
            tuple(torch.cat(pair, dim=-2) for pair in zip(mine, its, strict=True))
            for mine, its in ((self.keys, other.keys), (self.values, other.values))
        )
        return CachedTokens(keys, values, torch.cat((self.places, other.places)))


@torch.inference_mode()
def read(
    model: Model, ids: Sequence[int], first: int, before: CachedTokens | None = None
) -> tuple[Tensor, CachedTokens]:
    """Read a piece of a text whose first token stands at a place.

    Args:
        model: The model.
        ids: The piece.
        first: Place of its first token.
        before: What it attends to besides itself.

    Returns:
        What the head reads, (length, width), and the keys and values of the piece alone.

    Raises:
        ValueError: If the model does not rotate, or does not attend to all that was read.
    """
    trained_length(model)
    places = torch.arange(first, first + len(ids), device=model.device)
    keys: list[Tensor] = []
    values: list[Tensor] = []

    def attended(index: int, rows: AttentionRows) -> Tensor:
        if rows.pairs is not causal_pairs:
            raise ValueError(f"Layer {index} does not attend to all that was read.")
        keys.append(rows.k)
        values.append(rows.v)
        k, v, at = rows.k, rows.v, places
        if before is not None:
            k = torch.cat((before.keys[index], k), dim=-2)
            v = torch.cat((before.values[index], v), dim=-2)
            at = torch.cat((before.places, places))
        return attend(
            rows.q,
            k,
            v,
            rows.encoding,
            mask="causal",
            q_positions=places,
            k_positions=at,
            scale=rows.scale,
            softcap=rows.softcap,
        )

    layers = range(len(model.layers))
    encodings = tuple(Change().encoding(model.layer(i), i, model.heads) for i in layers)
    with running(Running(encodings, places, attended)):
        tokens = torch.tensor([list(ids)], device=model.device)
        hidden = model.base(tokens, use_cache=False).last_hidden_state[0]
    return hidden, CachedTokens(tuple(keys), tuple(values), places)
