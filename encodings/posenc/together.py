"""Several encodings in one attention: RoPE with a bias of T5's, say, or with ALiBi."""

from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor, nn

from posenc.places import PositionalEncoding, ScoreMod, check_encoding


class Together(PositionalEncoding):
    """Encodings that act one after another at each place; their biases are added.

    A bias that reads queries (`Shaw`, `CoPE`) reads them as the rotations have left them.

    Args:
        encodings: At least one. One that reads back in `bias` what it did in `rotate`
            (`TransformerXL`) stands behind all that rotate.

    Raises:
        ValueError: If there is none, one of them is no encoding, they were made for other heads,
            widths or scales, or one that rotates stands behind `TransformerXL`.

    Source: x-transformers, x_transformers.py, Attention: rotary positions and a bias of distance in
    one layer.
    """

    def __init__(self, *encodings: PositionalEncoding) -> None:
        super().__init__()
        if not encodings:
            raise ValueError("encodings must hold at least one encoding, got none.")
        self.encodings = nn.ModuleList(check_encoding(one) for one in encodings)
        self.num_heads: int | None = _common("num_heads", encodings)
        self.head_dim: int | None = _common("head_dim", encodings)
        self.scale: float | None = _common("scale", encodings)
        self.reads_scores = any(one.reads_scores for one in encodings)
        both = [one for one in encodings if _acts(one, "rotate") and _acts(one, "bias")]
        rotating = [one for one in encodings if _acts(one, "rotate")]
        if both and rotating[-1] is not both[0]:
            raise ValueError(
                f"encodings must have {type(both[0]).__name__} behind all that rotate, got "
                f"{type(rotating[-1]).__name__} behind it."
            )

    @property
    def rotates_by_length(self) -> bool:
        """Whether one of them depends on the length of the text."""
        return any(one.rotates_by_length for one in self._each())

    def embed(self, x: Tensor, positions: Tensor) -> Tensor:
        """Return the token embeddings with all positions added, (batch, seq, d_model)."""
        for one in self._each():
            x = one.embed(x, positions)
        return x

    def rotate(
        self, q: Tensor, k: Tensor, q_positions: Tensor, k_positions: Tensor
    ) -> tuple[Tensor, Tensor]:
        """Return queries and keys rotated by one encoding after another, same shapes."""
        for one in self._each():
            q, k = one.rotate(q, k, q_positions, k_positions)
        return q, k

    def bias(
        self, q: Tensor, scores: Tensor, q_positions: Tensor, k_positions: Tensor
    ) -> Tensor | None:
        """Return the sum of the biases, broadcastable to the scores; None if there is none."""
        return _sum([one.bias(q, scores, q_positions, k_positions) for one in self._each()])

    def _bias_of_last(self, q: Tensor, scores: Tensor, causal: bool = False) -> Tensor | None:
        """Return the sum of the biases, each as quick as it is alone."""
        return _sum([one._bias_of_last(q, scores, causal) for one in self._each()])

    def score_mod(
        self, q_len: int, k_len: int, device: torch.device | str = "cpu"
    ) -> ScoreMod | None:
        """One bias after another: see `PositionalEncoding.score_mod`."""
        each = [one.score_mod(q_len, k_len, device) for one in self._each()]
        biases = [one for one in each if one is not None]
        if not biases:
            return None

        def biased(score: Tensor, *place: Tensor) -> Tensor:
            for bias in biases:
                score = bias(score, *place)
            return score

        return biased

    def mix(
        self, weights: Tensor, v: Tensor, q_positions: Tensor, k_positions: Tensor
    ) -> Tensor | None:
        """Return the sum of what is added to the values; None if there is nothing."""
        return _sum([one.mix(weights, v, q_positions, k_positions) for one in self._each()])

    def _each(self) -> list[PositionalEncoding]:
        return [check_encoding(one) for one in self.encodings]


def _common(name: str, encodings: Sequence[PositionalEncoding]) -> Any:
    """The value that all have who have one."""
    values = {type(one).__name__: getattr(one, name, None) for one in encodings}
    own = {kind: value for kind, value in values.items() if value is not None}
    if len({*own.values()}) > 1:
        made = ", ".join(f"{kind} for {value:g}" for kind, value in own.items())
        raise ValueError(f"encodings must be made for one {name}, got {made}.")
    return next(iter(own.values()), None)


def _acts(encoding: PositionalEncoding, place: str) -> bool:
    return getattr(type(encoding), place) is not getattr(PositionalEncoding, place)


def _sum(parts: Sequence[Tensor | None]) -> Tensor | None:
    total: Tensor | None = None
    for part in parts:
        if part is not None:
            total = part if total is None else total + part
    return total
