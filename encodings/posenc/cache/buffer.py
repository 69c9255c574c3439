"""A tensor that grows along one axis and is written in place."""

import torch
from torch import Tensor

LEAST = 64
"""Slots of the smallest buffer that may grow."""


class Buffer:
    """Slots along one axis: some are held, new ones are written behind them.

    Args:
        dim: The axis of the slots, counted from the last: -1, -2, ….
        capacity: Slots that there will ever be; None doubles them whenever they are full.
    """

    def __init__(self, dim: int, capacity: int | None = None) -> None:
        self.dim = dim
        self.capacity = capacity
        self._slots: Tensor | None = None
        self._start = 0
        self._stop = 0
        self._new = 0

    @property
    def held(self) -> Tensor | None:
        """The slots that are held, a view; None before anything was written."""
        return None if self._slots is None else self._part(self._slots, self._start, self._stop)

    @property
    def with_new(self) -> Tensor:
        """The slots that are held, and those written last behind them, a view."""
        assert self._slots is not None
        return self._part(self._slots, self._start, self._stop + self._new)

    def write(self, new: Tensor, *, afresh: bool = False) -> None:
        """Write new slots behind those that are held; `accept` then holds them too.

        Args:
            new: Of the shape of what is held, but for the number of slots.
            afresh: Make a new tensor, which a backward pass through earlier ones needs.
        """
        self._new = new.shape[self.dim]
        slots, held = self._slots, self.held
        if slots is None or held is None:
            self._slots = self._wider(new, 0 if afresh else self._room(0))
            return
        stop = self._stop + self._new
        if not afresh and stop <= slots.shape[self.dim]:
            self._part(slots, self._stop, stop).copy_(new)
            return
        count = held.shape[self.dim]
        both = torch.cat((held, new), dim=self.dim)
        fits = 2 * count + self._new <= slots.shape[self.dim] or self.capacity is not None
        if fits and not afresh:  # most slots were dropped: begin at the first one again
            self._part(slots, 0, count + self._new).copy_(both)
        else:
            self._slots = self._wider(both, 0 if afresh else self._room(count))
        self._start = 0
        self._stop = count

    def accept(self) -> None:
        """Hold what was written last."""
        self._stop += self._new
        self._new = 0

    def drop(self, count: int, after: int) -> None:
        """Drop some slots that follow the first `after` ones."""
        if self._slots is None:
            return
        if after and self._slots.requires_grad:
            first = self._part(self._slots, self._start, self._start + after)
            rest = self._part(self._slots, self._start + after + count, self._stop)
            self.replace(torch.cat((first, rest), dim=self.dim))
            return
        if after:  # the first ones move up, over those that are dropped
            first = self._part(self._slots, self._start, self._start + after).clone()
            self._part(self._slots, self._start + count, self._start + count + after).copy_(first)
        self._start += count

    def crop(self, count: int) -> None:
        """Drop the last slots."""
        if self._slots is not None:
            self._stop -= count

    def replace(self, held: Tensor) -> None:
        """Hold this instead, with room for more behind it."""
        self._start = 0
        self._stop = held.shape[self.dim]
        self._slots = self._wider(held, 0 if held.requires_grad else self._room(self._stop))

    def _room(self, count: int) -> int:
        """Slots of a new tensor, if it is to hold this many."""
        return max(LEAST, 2 * count) if self.capacity is None else self.capacity

    def _wider(self, part: Tensor, room: int) -> Tensor:
        """The part in front of unused slots, `room` in all where it is shorter."""
        spare = room - part.shape[self.dim]
        if spare <= 0:
            return part.clone()
        shape = [*part.shape]
        shape[self.dim] = spare
        return torch.cat((part, part.new_empty(shape)), dim=self.dim)

    def _part(self, slots: Tensor, start: int, stop: int) -> Tensor:
        return slots.narrow(self.dim, start, stop - start)
