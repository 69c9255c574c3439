"""Biases that depend on distance alone: one value per head and distance, spread over all pairs."""

import torch
from torch import Tensor

from posenc.checks import check_int
from posenc.places import BiasOfLengths, ScoreMod, relative_position


class DistanceBias(BiasOfLengths):
    """Place 3 for biases that depend on the distance j - i alone: each head has a curve.

    A bias of one's own is a subclass with `curve`:

    >>> class Near(DistanceBias):
    ...     def curve(self, relative_position, dtype):
    ...         return torch.exp(-relative_position.abs().to(dtype))[None]  # all heads
    >>> q, k, v = torch.randn(3, 1, 8, 10, 64)
    >>> out = attend(q, k, v, Near(), mask="causal")
    >>> Near()(10).shape
    torch.Size([1, 10, 10])
    """

    def curve(self, relative_position: Tensor, dtype: torch.dtype) -> Tensor:
        """Bias of every head at these distances.

        Args:
            relative_position: j - i, integers (n,), on the device of the module.
            dtype: Of the result; distances are counted in float32 or better.

        Returns:
            (heads, n).
        """
        raise NotImplementedError

    def bias(self, q: Tensor, scores: Tensor, q_positions: Tensor, k_positions: Tensor) -> Tensor:
        """Return (heads, q_len, k_len), or (batch, heads, q_len, k_len) if positions have rows.

        The curve is evaluated for each pair: to find the distances that many pairs share the host
        would have to read positions, which stops a GPU and cannot be traced.
        """
        relative = relative_position(q_positions.to(q.device), k_positions.to(q.device))
        bias = self.curve(relative.flatten(), q.dtype).unflatten(-1, relative.shape)
        return bias if relative.dim() == 2 else bias[:, :, 0].movedim(0, 1)

    def _bias_of_last(self, q: Tensor, scores: Tensor, causal: bool = False) -> Tensor | None:
        """Return (heads, q_len, k_len), the curve evaluated once for each distance."""
        q_len, k_len = scores.shape[-2:]
        if q_len == 0:
            return super()._bias_of_last(q, scores, causal)
        if torch.compiler.is_compiling():  # windows would fix the length
            values = self._values(q, scores, causal)
            keys = torch.arange(k_len, device=q.device)
            return values[:, relative_position(keys[k_len - q_len :], keys) + (k_len - 1)]
        return self._windows(q, scores, causal).flip(-2).contiguous()

    def _view_of_last(self, q: Tensor, scores: Tensor, causal: bool = False) -> Tensor | None:
        """Return (heads, q_len, k_len), all rows windows of one curve."""
        return self._windows(q, scores, causal) if scores.shape[-2] else None

    def _windows(self, q: Tensor, scores: Tensor, causal: bool) -> Tensor:
        """Window s is the row of the query s before last."""
        return self._values(q, scores, causal).contiguous().unfold(-1, scores.shape[-1], 1)

    def _values(self, q: Tensor, scores: Tensor, causal: bool) -> Tensor:
        """The curve from the first key and the last query to the last key and the first query."""
        q_len, k_len = scores.shape[-2:]
        relative = torch.arange(1 - k_len, q_len, device=q.device)
        values = self.curve(relative, q.dtype)
        return values.masked_fill(relative > 0, -torch.inf) if causal else values

    def score_mod(
        self, q_len: int, k_len: int, device: torch.device | str = "cpu"
    ) -> ScoreMod | None:
        """The curve, looked up at each pair: see `PositionalEncoding.score_mod`."""
        check_int("k_len", k_len, 1)
        check_int("q_len", q_len, 1, maximum=k_len)
        values = self.curve(torch.arange(1 - k_len, q_len, device=device), torch.float32)

        def biased(
            score: Tensor, batch: Tensor, head: Tensor, query: Tensor, key: Tensor
        ) -> Tensor:
            return score + values[head, key - query + (q_len - 1)]

        return biased


def distinct(distance: Tensor) -> tuple[Tensor, Tensor]:
    """Integers among which are all of `distance`, rising, (n,); and where each is among them."""
    if distance.numel():
        low = int(distance.min())
        high = int(distance.max())
        if high - low < distance.numel():  # a table of the whole range is no larger: no sorting
            return torch.arange(low, high + 1, device=distance.device), distance - low
    return torch.unique(distance, return_inverse=True)


def per_head(values: Tensor, relative_position: Tensor) -> Tensor:
    """Shape one value per head so that it meets every relative position.

    Args:
        values: (heads,).
        relative_position: (distances,), (q_len, k_len) or (batch, 1, q_len, k_len).

    Returns:
        (heads, 1) or (heads, 1, 1): its product with relative_position is (heads, distances),
        (heads, q_len, k_len) or (batch, heads, q_len, k_len).
    """
    return values.reshape(-1, *[1] * min(relative_position.dim(), 2))


def past_distance(relative_position: Tensor, symmetric: bool = False) -> Tensor:
    """Distance i - j of a past key; a future key counts as distance 0, or |i - j| if symmetric.

    Args:
        relative_position: j - i, integers of any shape; the past is negative.
        symmetric: Count the future like the past.

    Returns:
        Integers of the same shape, at least 0.
    """
    return relative_position.abs() if symmetric else -relative_position.clamp(max=0)
