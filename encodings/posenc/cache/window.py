"""A cache that forgets: it keeps the first tokens and a window of the last ones."""

from typing import Literal

import torch
from torch import Tensor

from posenc.attention.formula import attend
from posenc.attention.trace import Trace
from posenc.cache.kv import check_keys_stay_rotated, refuse_export
from posenc.checks import check_bool, check_choice, check_int
from posenc.places import PositionalEncoding, check_encoding

Numbering = Literal["text", "cache"]
NUMBERINGS = ("text", "cache")


class WindowCache:
    """Keys and values of the first tokens and of the last `window`, decoded one by one.

    Args:
        encoding: The encoding of the attention that is decoded.
        window: Last tokens that are kept, the new one among them, at least 1.
        sink_tokens: First tokens that are kept besides, at least 0.
        numbering: "text" leaves every token its position in the text; "cache" numbers the kept
            tokens anew at every step, from 0 without a gap.
        rotate_on_write: True keeps keys as they are after rotation, under the position that they
            had when they came; False keeps them unrotated and rotates all of them at every step.
            Under "text" both give the same numbers; under "cache" only False is right, because a
            kept key moves to another place whenever one before it is dropped.

    Raises:
        ValueError: If an argument is out of range, or keys may not be kept rotated (`KVCache`).

    Source: StreamingLLM, Xiao et al. 2023, section 3.2, arXiv:2309.17453: positions within the
    cache, and keys cached before rotation. The window alone: Beltagy et al. 2020, section 3.1,
    arXiv:2004.05150.
    """

    def __init__(
        self,
        encoding: PositionalEncoding,
        window: int,
        sink_tokens: int = 0,
        *,
        numbering: Numbering = "cache",
        rotate_on_write: bool = False,
    ) -> None:
        self.encoding = check_encoding(encoding)
        self.window = check_int("window", window, 1)
        self.sink_tokens = check_int("sink_tokens", sink_tokens, 0)
        self.numbering = check_choice("numbering", numbering, NUMBERINGS)
        self.rotate_on_write = check_bool("rotate_on_write", rotate_on_write)
        if rotate_on_write:
            check_keys_stay_rotated(encoding)
        self.seen = 0
        """Tokens decoded so far."""
        self.keys: Tensor | None = None
        self.values: Tensor | None = None
        self.kept = torch.arange(0)
        """Which tokens of the text are in the cache, int64 (kept,)."""
        self.rotated_at = torch.arange(0)
        """Position under which each of their keys was rotated in the last step, (kept,)."""

    @property
    def positions(self) -> Tensor:
        """Position of each kept token now, int64 (kept,)."""
        return self.kept if self.numbering == "text" else torch.arange(len(self.kept))

    def step(self, q: Tensor, k: Tensor, v: Tensor) -> Trace:
        """Append one token, drop what leaves the window, and attend to what is left.

        Args:
            q: Query of the new token (batch, heads, 1, head_dim), not rotated.
            k: Its key, same shape, not rotated.
            v: Its value (batch, heads, 1, value_dim).

        Returns:
            The attention over the kept tokens, in the order of `kept`, with every stage.

        Raises:
            ValueError: If there is not exactly one new token.
        """
        refuse_export()
        if k.shape[-2] != 1:
            raise ValueError(f"A window cache takes one token at a time, got {k.shape[-2]}.")
        kept = torch.cat((self.kept, torch.tensor([self.seen])))
        stay = (kept < self.sink_tokens) | (kept > self.seen - self.window)
        self.kept = kept[stay]
        self.seen += 1
        positions = self.positions.to(k.device)
        if self.rotate_on_write:
            q, k = self.encoding.rotate(q, k, positions[-1:], positions[-1:])
        self.keys = k if self.keys is None else torch.cat((self.keys, k), -2)[..., stay, :]
        self.values = v if self.values is None else torch.cat((self.values, v), -2)[..., stay, :]
        if self.rotate_on_write:
            self.rotated_at = torch.cat((self.rotated_at, self.positions[-1:]))[stay]
        else:
            self.rotated_at = self.positions
        return attend(
            q,
            self.keys,
            self.values,
            self.encoding,
            q_positions=positions[-1:],
            k_positions=positions,
            rotated=self.rotate_on_write,
            trace=True,
        )
