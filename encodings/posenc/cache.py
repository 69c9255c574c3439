"""The key/value cache: decode token by token, with the same numbers as the full pass."""

import torch
from torch import Tensor

from posenc.attention import attend
from posenc.base import PositionalEncoding


class KVCache:
    """Keys, values and positions of the tokens seen so far, under one encoding.

    Args:
        encoding: The encoding of the attention that is decoded.
        rotate_on_write: True keeps keys as they are after rotation (what most runtimes do: each
            key is turned once); False keeps them unrotated and turns all of them at every step
            (what makes a later change of base harmless).
    """

    def __init__(self, encoding: PositionalEncoding, *, rotate_on_write: bool = True) -> None:
        self.encoding = encoding
        self.rotate_on_write = rotate_on_write
        self.keys: Tensor | None = None
        self.values: Tensor | None = None
        self.positions: Tensor | None = None

    def step(self, q: Tensor, k: Tensor, v: Tensor, positions: Tensor) -> Tensor:
        """Append the new tokens and attend from them to everything cached.

        Args:
            q: Queries of the new tokens (batch, heads, new, head_dim), not rotated.
            k: Their keys, same shape, not rotated.
            v: Their values (batch, heads, new, value_dim).
            positions: Their positions, integers (new,) or (batch, new).

        Returns:
            (batch, heads, new, value_dim), equal to these rows of the full causal pass.
        """
        if self.rotate_on_write:
            q, k = self.encoding.rotate(q, k, positions, positions)
        self.keys = k if self.keys is None else torch.cat((self.keys, k), dim=-2)
        self.values = v if self.values is None else torch.cat((self.values, v), dim=-2)
        self.positions = (
            positions if self.positions is None else torch.cat((self.positions, positions), dim=-1)
        )
        return attend(
            q,
            self.keys,
            self.values,
            self.encoding,
            mask="causal",
            q_positions=positions,
            k_positions=self.positions,
            rotated=self.rotate_on_write,
        )
