"""The key/value cache: decode token by token, with the same numbers as the full pass."""

from typing import Literal, overload

import torch
from torch import Tensor

from posenc.attention.formula import attend
from posenc.attention.masks import Mask, causal_mask, padding_mask
from posenc.attention.trace import Trace
from posenc.checks import check_bool, check_positions
from posenc.places import PositionalEncoding, check_encoding


class KVCache:
    """Keys, values and positions of the tokens seen so far, under one encoding.

    Args:
        encoding: The encoding of the attention that is decoded.
        rotate_on_write: True keeps keys as they are after rotation (what most runtimes do: each
            key is rotated once); False keeps them unrotated and rotates all of them at every step
            (what makes a later change of base harmless).
    """

    def __init__(self, encoding: PositionalEncoding, *, rotate_on_write: bool = True) -> None:
        self.encoding = check_encoding(encoding)
        self.rotate_on_write = check_bool("rotate_on_write", rotate_on_write)
        self.keys: Tensor | None = None
        self.values: Tensor | None = None
        self.positions: Tensor | None = None
        self.attention_mask: Tensor | None = None

    @overload
    def step(
        self,
        q: Tensor,
        k: Tensor,
        v: Tensor,
        positions: Tensor,
        attention_mask: Tensor | None = None,
        *,
        trace: Literal[False] = False,
    ) -> Tensor: ...
    @overload
    def step(
        self,
        q: Tensor,
        k: Tensor,
        v: Tensor,
        positions: Tensor,
        attention_mask: Tensor | None = None,
        *,
        trace: Literal[True],
    ) -> Trace: ...
    def step(
        self,
        q: Tensor,
        k: Tensor,
        v: Tensor,
        positions: Tensor,
        attention_mask: Tensor | None = None,
        *,
        trace: bool = False,
    ) -> Tensor | Trace:
        """Append the new tokens and attend from them to everything cached.

        Args:
            q: Queries of the new tokens (batch, heads, new, head_dim), not rotated.
            k: Their keys (batch, kv_heads, new, head_dim), not rotated; kv_heads divides heads.
            v: Their values (batch, kv_heads, new, value_dim).
            positions: Their positions, integers (new,) or (batch, new), the same kind at each step.
            attention_mask: A tokenizer's mask of the new tokens (batch, new), zero for padding;
                default all real.
            trace: Keep every stage.

        Returns:
            (batch, heads, new, value_dim), equal to these rows of the full causal pass, or the
            `Trace` that ends in it. Its `content` is the score without rotation only where keys
            are rotated on reading.

        Raises:
            ValueError: If shapes do not fit together; the cache is then as it was.
        """
        if check_positions("positions", positions).shape[-1] != k.shape[-2]:
            raise ValueError(
                f"positions must hold {k.shape[-2]} positions, got {positions.shape[-1]}."
            )
        if self.positions is not None and positions.dim() != self.positions.dim():
            raise ValueError(
                f"positions must have {self.positions.dim()} dimensions like those in the cache, "
                f"got shape {tuple(positions.shape)}."
            )
        if self.rotate_on_write:
            q, k = self.encoding.rotate(q, k, positions, positions)
        keys, values = _append(self.keys, k, -2), _append(self.values, v, -2)
        all_positions = _append(self.positions, positions, -1)
        real = self._real_tokens(k, attention_mask)
        mask: Mask = "causal"
        if real is not None:
            mask = causal_mask(q.shape[-2], keys.shape[-2], q.device) & padding_mask(real)
        result: Tensor | Trace = attend(
            q,
            keys,
            values,
            self.encoding,
            mask=mask,
            q_positions=positions,
            k_positions=all_positions,
            rotated=self.rotate_on_write,
            trace=trace,
        )
        self.keys = keys
        self.values = values
        self.positions = all_positions
        self.attention_mask = real
        return result

    def _real_tokens(self, k: Tensor, attention_mask: Tensor | None) -> Tensor | None:
        """Which of the cached and new tokens are no padding; None if nothing ever was padding."""
        if attention_mask is None and self.attention_mask is None:
            return None
        new = _all_real(k) if attention_mask is None else attention_mask.bool()
        if new.shape != (k.shape[0], k.shape[-2]):
            raise ValueError(
                f"attention_mask must have shape {(k.shape[0], k.shape[-2])}, got "
                f"{tuple(new.shape)}."
            )
        old = self.attention_mask
        if old is None and self.keys is not None:
            old = _all_real(self.keys)
        return _append(old, new, -1)


def _all_real(keys: Tensor) -> Tensor:
    return torch.ones(keys.shape[0], keys.shape[-2], dtype=torch.bool, device=keys.device)


def _append(old: Tensor | None, new: Tensor, dim: int) -> Tensor:
    return new if old is None else torch.cat((old, new), dim=dim)
