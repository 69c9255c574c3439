"""The key/value cache: decode token by token, with the same numbers as the full pass."""

from functools import reduce
from typing import Any, NamedTuple, Unpack

import torch
from torch import Tensor

from posenc.attention.formula import Softmax, attend, check_mask, check_shapes, check_softmax
from posenc.attention.masks import Mask, causal_mask, padding_mask, window_pairs
from posenc.attention.trace import Trace
from posenc.cache.buffer import Buffer
from posenc.checks import can_look, check_bool, check_int, check_integers, check_places, shown
from posenc.places import PositionalEncoding, check_encoding, check_sizes


def check_keys_stay_rotated(encoding: PositionalEncoding) -> None:
    """Raise a ValueError if a rotated key is wrong as soon as the text is longer."""
    if encoding.rotates_by_length:
        raise ValueError(
            f"rotate_on_write must be False for this {type(encoding).__name__}, whose frequencies "
            "change with the length of the text: keys that are kept rotated would have old ones. "
            "Give the encoding its length, or rotate on reading."
        )


def refuse_export() -> None:
    """Raise a RuntimeError where an exporter looks: what a cache holds would stay as it is now."""
    if torch.compiler.is_exporting():
        raise RuntimeError(
            "A cache is no part of an exported program, which would attend to the tokens that are "
            "held now, whatever is cached later. Export posenc.attend with keys, values and "
            "positions as inputs, and keep them outside."
        )


class Held(NamedTuple):
    """Everything that new tokens may attend to, they themselves last: views of the cache."""

    keys: Tensor
    """(batch, kv_heads, held, head_dim), rotated where the cache rotates on writing."""
    values: Tensor
    """(batch, kv_heads, held, value_dim)."""
    positions: Tensor
    """(held,) or (batch, held); the last ones are those of the new tokens."""
    mask: Mask
    """Which queries may attend to which keys, as `attend` takes it: None, "causal", or bool.

    "causal" stands only where the new tokens are all that is held. Behind others it is a tensor:
    `is_causal` of torch's attention would give the first new token the first key alone.
    """


class KVCache:
    """Keys, values and positions of the tokens seen so far, under one encoding.

    They stand in buffers that are written in place: a step copies its own tokens and nothing
    else. Where a gradient goes through a step, the step makes new buffers instead: decode under
    `torch.no_grad()`, or the graph of the whole text is kept.

    >>> rope = RoPE(64)
    >>> q, k, v = torch.randn(3, 1, 8, 10, 64)  # (batch, heads, tokens, head_dim)
    >>> cache = KVCache(rope, capacity=10)
    >>> prompt = cache.step(q[:, :, :9], k[:, :, :9], v[:, :, :9])
    >>> last = cache.step(q[:, :, 9:], k[:, :, 9:], v[:, :, 9:])
    >>> torch.testing.assert_close(last, attend(q, k, v, rope, mask="causal")[:, :, 9:])
    >>> cache
    KVCache(RoPE, capacity=10): 10 tokens, keys 1 x 8 x 10 x 64 in torch.float32 on cpu

    Args:
        encoding: The encoding of the attention that is decoded.
        rotate_on_write: True keeps keys as they are after rotation (what most runtimes do: each
            key is rotated once); False keeps them unrotated and rotates all of them at every step.
            Default: True, but for a `RoPE` whose frequencies change with the length of the text
            (`DynamicNTK`, `LongRoPE` without `length=`): there it is False, and True is refused.
        capacity: Tokens for which room is made at the first step, at least 1; a step that needs
            more is refused. Default: room that is doubled whenever it is full.
        window: Keys that a query sees, itself among them, at least 1: a sliding window. Older
            tokens are dropped. Default: all.
        sink_tokens: First tokens of the text that every query sees besides, at least 0; they keep
            the positions that they came with. (`posenc.study.WindowCache` numbers the kept tokens
            anew.)

    Raises:
        ValueError: If an argument is out of range, or sink tokens are given without a window.

    Source: the window: Beltagy et al. 2020, section 3.1, arXiv:2004.05150; sinks: Xiao et al.
    2023, section 3.2, arXiv:2309.17453.
    """

    def __init__(
        self,
        encoding: PositionalEncoding,
        *,
        rotate_on_write: bool | None = None,
        capacity: int | None = None,
        window: int | None = None,
        sink_tokens: int = 0,
    ) -> None:
        self.encoding = check_encoding(encoding)
        if rotate_on_write is None:
            rotate_on_write = not encoding.rotates_by_length
        elif check_bool("rotate_on_write", rotate_on_write):
            check_keys_stay_rotated(encoding)
        self.rotate_on_write = rotate_on_write
        self.window = None if window is None else check_int("window", window, 1)
        self.sink_tokens = check_int("sink_tokens", sink_tokens, 0)
        if sink_tokens and window is None:
            raise ValueError(f"sink_tokens must be 0 without a window, got {sink_tokens}.")
        kept = 1 if window is None else window + sink_tokens
        self.capacity = None if capacity is None else check_int("capacity", capacity, kept)
        self.reset()

    def reset(self) -> None:
        """Forget everything: the next text may have another batch, dtype or device."""
        self.length = 0
        """Tokens seen so far, dropped ones and padding among them."""
        self.dropped = 0
        """Tokens that the window has left behind, after the sink tokens."""
        self._counted = True  # positions are 0, 1, …, without a look at them
        self._keys = Buffer(-2, self.capacity)
        self._values = Buffer(-2, self.capacity)
        self._positions = Buffer(-1, self.capacity)
        self._real = Buffer(-1, self.capacity)

    def __repr__(self) -> str:
        """Return the settings, and what is held."""
        own = {name: getattr(self, name) for name in ("capacity", "window", "sink_tokens")}
        settings = [type(self.encoding).__name__, *(f"{n}={x}" for n, x in own.items() if x)]
        if not self.rotate_on_write:
            settings.append("rotate_on_write=False")
        keys = self.keys
        held = ""
        if keys is not None:
            shape = " x ".join(map(str, keys.shape))
            held = f", keys {shape} in {keys.dtype} on {keys.device}"
        return f"KVCache({', '.join(settings)}): {self.length} tokens{held}"

    @property
    def keys(self) -> Tensor | None:
        """Keys that are held, (batch, kv_heads, held, head_dim): a view, good until the next step.

        None before the first step, as the values and positions.
        """
        return self._keys.held

    @property
    def values(self) -> Tensor | None:
        """Values that are held, (batch, kv_heads, held, value_dim): a view."""
        return self._values.held

    @property
    def positions(self) -> Tensor | None:
        """Positions of the tokens that are held, int64 (held,) or (batch, held): a view."""
        return self._positions.held

    @property
    def attention_mask(self) -> Tensor | None:
        """True where a held token is no padding, bool (batch, held); None if none ever was."""
        return self._real.held

    def step(
        self,
        q: Tensor,
        k: Tensor,
        v: Tensor,
        positions: Tensor | None = None,
        attention_mask: Tensor | None = None,
        *,
        rotated: bool = False,
        mask: Mask = "causal",
        **softmax: Unpack[Softmax],
    ) -> Tensor:
        """Append the new tokens and attend from them to everything cached.

        Args:
            q: Queries of the new tokens (batch, heads, new, head_dim), not rotated.
            k: Their keys (batch, kv_heads, new, head_dim), not rotated; kv_heads divides heads.
            v: Their values (batch, kv_heads, new, value_dim).
            positions: Their positions as `attend` takes them, (new,) or (batch, new), the same kind
                at each step. Default: they are counted on from the last one that is held, from 0
                at first; with an `attention_mask` from the first step on, real tokens alone count.
            attention_mask: A tokenizer's mask of the new tokens (batch, new), zero for padding;
                default all real.
            rotated: True if q and k have been rotated already (`rotate_pairs` with a table that
                all layers share), which takes a cache that keeps rotated keys.
            mask: Which new tokens may attend to which of all that are held, they themselves
                last: "causal", None, or bool as for `attend` (a tree of drafts, a prefix that sees
                all of itself). Padding and what is outside the window are hidden besides.
            softmax: `scale`, `softcap` and `sinks` as for `attend`.

        Returns:
            (batch, heads, new, value_dim), equal to these rows of the full causal pass.

        Raises:
            ValueError: If shapes do not fit together, or there is no room; the cache is then as it
                was.
            RuntimeError: In `torch.export`, whose program would not know what is cached later.
        """
        arguments = self._step(q, k, v, positions, attention_mask, rotated, mask, softmax)
        output: Tensor = attend(**arguments)
        self._accept(k.shape[-2], arguments["k_positions"] is None)
        return output

    def traced_step(
        self,
        q: Tensor,
        k: Tensor,
        v: Tensor,
        positions: Tensor | None = None,
        attention_mask: Tensor | None = None,
        *,
        mask: Mask = "causal",
        **softmax: Unpack[Softmax],
    ) -> Trace:
        """Do the same as `step`, and keep every stage.

        Its `content` is the score without rotation only where keys are rotated on reading.
        """
        arguments = self._step(q, k, v, positions, attention_mask, False, mask, softmax)
        stages: Trace = attend(**arguments, trace=True)
        self._accept(k.shape[-2], arguments["k_positions"] is None)
        return stages

    def append(
        self,
        k: Tensor,
        v: Tensor,
        positions: Tensor | None = None,
        attention_mask: Tensor | None = None,
        *,
        rotated: bool = False,
    ) -> Held:
        """Append the new tokens and return what is held, for an attention other than `attend`.

        >>> rope, cache = RoPE(64), KVCache(RoPE(64))
        >>> q, k, v = torch.randn(3, 1, 8, 10, 64)
        >>> full = attend(q, k, v, rope, mask="causal")
        >>> def torchs_own(q, keys, values, mask):
        ...     causal = isinstance(mask, str)
        ...     seen = {"is_causal": True} if causal else {"attn_mask": mask}
        ...     return torch.nn.functional.scaled_dot_product_attention(q, keys, values, **seen)
        >>> keys, values, positions, mask = cache.append(k[:, :, :6], v[:, :, :6])  # rotated
        >>> out = torchs_own(rope(q[:, :, :6], positions), keys, values, mask)
        >>> torch.testing.assert_close(out, full[:, :, :6])
        >>> keys, values, positions, mask = cache.append(k[:, :, 6:], v[:, :, 6:])
        >>> out = torchs_own(rope(q[:, :, 6:], positions[-4:]), keys, values, mask)
        >>> torch.testing.assert_close(out, full[:, :, 6:])

        Args:
            k: As for `step`.
            v: As for `step`.
            positions: As for `step`.
            attention_mask: As for `step`.
            rotated: As for `step`.

        Returns:
            Keys, values and positions of all tokens that are held, and the mask from the new ones
            to them: views, good until the next call.

        Raises:
            ValueError: As `step`.
            RuntimeError: As `step`.
        """
        refuse_export()
        check_shapes(k, k, v)
        check_sizes(self.encoding, None, k.shape[-1])
        at, real = self._checked(k, v, positions, attention_mask, rotated)
        if self.rotate_on_write and not rotated:
            heads = getattr(self.encoding, "num_heads", None) or k.shape[1]
            none = k.new_empty(k.shape[0], heads, 0, k.shape[-1])
            k = self.encoding.rotate(none, k, at[..., :0], at)[1]
        self._write(k, v, at, real)
        new = k.shape[-2]
        keys = self._keys.with_new
        mask = self._mask(new, real is not None, k.device, "causal")
        if isinstance(mask, str) and keys.shape[-2] > new:
            mask = causal_mask(new, keys.shape[-2], k.device)
        held = Held(keys, self._values.with_new, self._positions.with_new, mask)
        self._accept(new, self._plain(at, positions))
        return held

    def crop(self, length: int | Tensor) -> None:
        """Forget the last tokens: those of a draft that was rejected (speculative decoding).

        >>> q, k, v = torch.randn(3, 2, 8, 14, 64)  # two rows: ten tokens, a draft of four
        >>> cache = KVCache(RoPE(64))
        >>> prompt = cache.step(q[:, :, :10], k[:, :, :10], v[:, :, :10])
        >>> before = cache.length  # at each round: it counts the padding of a shorter row
        >>> draft = cache.step(q[:, :, 10:], k[:, :, 10:], v[:, :, 10:])
        >>> cache.crop(before + torch.tensor([3, 1]))  # accepted of each row
        >>> cache.length, cache.attention_mask.sum(-1).tolist()
        (13, [13, 11])

        Args:
            length: Tokens that stay, of the `length` seen so far; or integers (batch,), one number
                for each row. Rows that keep fewer than others are moved to end where the others
                end, and begin with padding, which is no more than the longest row needs (and is
                then what `length` counts, but for a window); positions then have a row for each.

        Raises:
            ValueError: If a length is out of range, a window has dropped tokens that the next
                query would see, or rows differ in a cache with sink tokens.
        """
        if not isinstance(length, Tensor):
            self._crop(length)
            return
        keys = self.keys
        rows = 0 if keys is None else len(keys)
        lengths = check_integers("length", length)
        if keys is None or lengths.shape != (rows,):
            raise ValueError(
                f"length must hold one number for each of the {rows} rows, got shape "
                f"{tuple(lengths.shape)}."
            )
        longest = int(lengths.max())
        shortest = int(lengths.min())
        self._check_crop(shortest)
        if self.sink_tokens and shortest != longest:
            raise ValueError("length must be one number in a cache with sink tokens, got several.")
        self._crop(longest)
        if shortest != longest:
            self._end_together((longest - lengths).to(keys.device))

    def reorder(self, rows: Tensor) -> None:
        """Take these rows of the batch, some perhaps more than once: the beams that go on.

        Args:
            rows: Rows that are kept, in their new order, integers (new batch,).

        Raises:
            ValueError: If rows are not integers of one axis, or the batch has no such row.
        """
        rows = check_integers("rows", rows)
        keys = self.keys
        batch = 0 if keys is None else len(keys)
        wrong = rows.dim() != 1 or (can_look(rows) and bool(((rows < 0) | (rows >= batch)).any()))
        if keys is None or wrong:
            raise ValueError(
                f"rows must be integers from 0 to {batch - 1} of shape (new batch,), got "
                f"{shown(rows.tolist())}."
            )
        for buffer in self._buffers:
            held = buffer.held
            if held is None or held.dim() == 1:
                continue
            axis = -2 if buffer is self._positions else 0
            if held.shape[axis] == batch:  # positions may have one row for all
                buffer.replace(held.index_select(axis, rows.to(held.device)))

    @property
    def _buffers(self) -> tuple[Buffer, ...]:
        return self._keys, self._values, self._positions, self._real

    def _step(
        self,
        q: Tensor,
        k: Tensor,
        v: Tensor,
        given: Tensor | None,
        attention_mask: Tensor | None,
        rotated: bool,
        mask: Mask,
        softmax: Softmax,
    ) -> dict[str, Any]:
        """Write the new tokens behind those that are held; returns what `attend` is given."""
        refuse_export()
        check_shapes(q, k, v)
        check_sizes(self.encoding, q.shape[1], q.shape[-1])
        check_softmax(self.encoding, q, **softmax)
        new = k.shape[-2]
        if q.shape[-2] != new:
            raise ValueError(f"q and k must hold the same tokens, got {q.shape[-2]} and {new}.")
        check_mask(mask, (*q.shape[:-1], self._held_after(new)), q.device)
        positions, real = self._checked(k, v, given, attention_mask, rotated)
        if self.rotate_on_write and not rotated:
            q, k = self.encoding.rotate(q, k, positions, positions)
        self._write(k, v, positions, real, trained=q.requires_grad)
        # Where they are 0, 1, … `attend` counts them itself: it then reads no number of them.
        plain = self._plain(positions, given)
        return {
            "q": q,
            "k": self._keys.with_new,
            "v": self._values.with_new,
            "encoding": self.encoding,
            "mask": self._mask(new, real is not None, q.device, mask),
            "q_positions": None if plain else positions,
            "k_positions": None if plain else self._positions.with_new,
            "rotated": self.rotate_on_write,
            **softmax,
        }

    def _checked(
        self,
        k: Tensor,
        v: Tensor,
        given: Tensor | None,
        attention_mask: Tensor | None,
        rotated: bool,
    ) -> tuple[Tensor, Tensor | None]:
        """Positions of the new tokens, and which are no padding; raises before it writes."""
        if attention_mask is not None and attention_mask.shape != (k.shape[0], k.shape[-2]):
            raise ValueError(
                f"attention_mask must have shape {(k.shape[0], k.shape[-2])}, got "
                f"{tuple(attention_mask.shape)}."
            )
        if given is None:
            positions = self._counted_on(k, attention_mask)
        else:
            positions = check_places("positions", given, self.encoding.axes)
        self._check(k, v, positions, rotated)
        return positions, self._real_tokens(k, attention_mask)

    def _write(
        self, k: Tensor, v: Tensor, positions: Tensor, real: Tensor | None, trained: bool = False
    ) -> None:
        """Write new tokens, keys as they are to be kept; `_accept` then holds them."""
        self._drop_for(k.shape[-2])
        afresh = torch.is_grad_enabled() and (
            trained or any(x.requires_grad for x in (k, v, *self.encoding.parameters()))
        )
        self._keys.write(k, afresh=afresh)
        self._values.write(v, afresh=afresh)
        kept = self.positions
        if kept is not None and kept.dim() > 1:
            positions = positions.expand(*kept.shape[:-1], -1)
        self._positions.write(positions)
        if real is not None:
            self._real.write(real)

    def _plain(self, positions: Tensor, given: Tensor | None) -> bool:
        """Whether all positions are 0, 1, …, which is known without a look at them."""
        return self._counted and given is None and positions.dim() == 1 and not self.dropped

    def _accept(self, new: int, plain: bool) -> None:
        for buffer in self._buffers:
            buffer.accept()
        self.length += new
        self._counted = plain

    def _counted_on(self, k: Tensor, attention_mask: Tensor | None) -> Tensor:
        """Positions of the new tokens, counted on from the last one that is held."""
        held = self.positions
        ahead = torch.arange(k.shape[-2], device=k.device)
        if attention_mask is not None and (held is None or held.dim() > 1):
            ahead = attention_mask.bool().long().cumsum(dim=-1) - 1
        if held is not None and held.dim() > 1:
            ahead = ahead.expand(*held.shape[:-1], -1)
        if held is None or not held.shape[-1]:
            return ahead.clamp(min=0)
        last = held[..., -1:]
        if held.dim() == 3:  # after a picture the text goes on behind the largest of its axes
            last = last.amax(dim=0)
        return last + 1 + ahead

    def _check(self, k: Tensor, v: Tensor, positions: Tensor, rotated: bool) -> None:
        """Whatever `attend` would refuse is refused before anything is written."""
        new = k.shape[-2]
        if positions.shape[-1] != new:
            raise ValueError(f"positions must hold {new} positions, got {positions.shape[-1]}.")
        if check_bool("rotated", rotated) and not self.rotate_on_write:
            raise ValueError("rotated must be False in a cache that rotates on reading, got True.")
        for name, part, held in (("k", k, self.keys), ("v", v, self.values)):
            if held is not None and (
                part.shape[:2] != held.shape[:2]
                or part.shape[-1] != held.shape[-1]
                or part.dtype != held.dtype
                or part.device != held.device
            ):
                raise ValueError(
                    f"{name} must be like the {len(held)} x {held.shape[1]} x … x "
                    f"{held.shape[-1]} in the cache, {held.dtype} on {held.device}, got "
                    f"{tuple(part.shape)}, {part.dtype} on {part.device}."
                )
        kept = self.positions
        if kept is not None and positions.dim() != kept.dim():
            raise ValueError(
                f"positions must have {kept.dim()} dimensions like those in the cache, "
                f"got shape {tuple(positions.shape)}."
            )
        if kept is not None and positions.dtype != kept.dtype:
            raise ValueError(
                f"positions must be {kept.dtype} like those in the cache, got {positions.dtype}."
            )
        rows = len(k) if kept is None or kept.dim() == 1 else kept.shape[-2]
        if positions.dim() > 1 and positions.shape[-2] not in (1, rows):
            raise ValueError(
                f"positions must have one row, or one for each of the {rows} sequences, got "
                f"{positions.shape[-2]} rows."
            )
        held_after = self._held_after(new)
        if self.capacity is not None and held_after > self.capacity:
            raise ValueError(
                f"The cache has room for {self.capacity} tokens and would hold {held_after}: make "
                "it with a larger capacity."
            )

    def _held_after(self, new: int) -> int:
        """Tokens that are held once so many new ones are."""
        return self.length - self.dropped - self._leaving(new) + new

    def _leaving(self, new: int) -> int:
        """Tokens that no query of the next `new` ones sees any more, besides those dropped."""
        if self.window is None or not new:
            return 0
        first_seen = self.length - self.window + 1
        return max(0, first_seen - self.sink_tokens - self.dropped)

    def _drop_for(self, new: int) -> None:
        leaving = self._leaving(new)
        if leaving:
            for buffer in self._buffers:
                buffer.drop(leaving, self.sink_tokens)
            self.dropped += leaving

    def _mask(self, new: int, padded: bool, device: torch.device, mask: Mask) -> Mask:
        """Which keys that are held the new tokens may attend to, themselves among them."""
        last = self.length + new
        if isinstance(mask, str) and new <= 1:
            mask = None
        hidden: list[Tensor] = []
        if self.window is not None and new > 1 and last > self.window:
            keys = torch.arange(last - self.dropped, device=device)
            keys = torch.where(keys < self.sink_tokens, keys, keys + self.dropped)
            queries = torch.arange(self.length, last, device=device)
            near = window_pairs(queries, keys, self.window) | (keys < self.sink_tokens)
            hidden.append(near)
        if padded:
            hidden.append(padding_mask(self._real.with_new))
        if not hidden:
            return mask
        if isinstance(mask, str):
            hidden.append(causal_mask(new, last - self.dropped, device))
        elif mask is not None:
            hidden.append(mask)
        return reduce(torch.logical_and, hidden)

    def _real_tokens(self, k: Tensor, attention_mask: Tensor | None) -> Tensor | None:
        """Which of the new tokens are no padding; None if nothing ever was padding."""
        if attention_mask is None and self.attention_mask is None:
            return None
        new = _all_real(k) if attention_mask is None else attention_mask.bool()
        # A window counts tokens: padding between them would take their places.
        if attention_mask is not None and self.window is not None:
            elsewhere = self.sink_tokens or self.length
            if elsewhere or bool((new[:, :-1] & ~new[:, 1:]).any()):
                raise ValueError(
                    "attention_mask must be given at the first step, with padding in front alone, "
                    "and without sink tokens where the cache has a window."
                )
        if self.keys is not None and self.attention_mask is None:
            self._real.replace(_all_real(self.keys))
        return new

    def _crop(self, length: int) -> None:
        self._check_crop(length)
        for buffer in self._buffers:
            buffer.crop(self.length - length)
        self.length = length

    def _check_crop(self, length: int) -> None:
        check_int("length", length, 0, maximum=self.length)
        if self.window is not None and self.dropped:
            least = self.sink_tokens + self.dropped + self.window - 1
            if length < least:
                raise ValueError(
                    f"length must be at least {least}, because the window has dropped tokens that "
                    f"a shorter text would see, got {length}."
                )

    def _end_together(self, missing: Tensor) -> None:
        """Move each row by so many slots towards the end; what is then in front is padding."""
        keys, positions = self.keys, self.positions
        assert keys is not None
        assert positions is not None
        if self.attention_mask is None:
            self._real.replace(_all_real(keys))
        if positions.dim() < 3:
            self._positions.replace(positions.expand(len(keys), -1))
        else:
            self._positions.replace(positions.expand(-1, len(keys), -1))
        slots = torch.arange(keys.shape[-2], device=keys.device)
        source = slots - missing[:, None]  # (batch, held)
        for buffer in self._buffers:
            held = buffer.held
            assert held is not None
            index = source.clamp(min=0)
            if held.dim() == 4:
                index = index[:, None, :, None].expand(held.shape)
            elif held.dim() == 3:
                index = index.expand(held.shape)
            buffer.replace(held.gather(buffer.dim, index))
        real = self.attention_mask
        assert real is not None
        real &= source >= 0
        if self.window is None:  # slots that are padding in every row are given back
            empty = int((~real).all(dim=0).long().cumprod(dim=-1).sum())
            for buffer in self._buffers:
                buffer.drop(empty, 0)
            self.length -= empty


def _all_real(keys: Tensor) -> Tensor:
    return torch.ones(keys.shape[0], keys.shape[-2], dtype=torch.bool, device=keys.device)
