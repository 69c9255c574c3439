"""One way of reading a text with rotary positions, and what it does to the logits.

Frequencies, the factors on the scores and the distances that are seen: whatever a method for long
texts changes is one of these. What follows from them is here in closed form, for distances δ,
integers (n,), from the last query of a text of `length` tokens; a head has `width` channels,
rotated or not.
"""

from dataclasses import dataclass

import torch
from torch import Tensor

from posenc.checks import check_int
from posenc.rope.pairs import Layout, rotated_channels, split_pairs
from posenc.scaling.coverage import AngleCoverage, angle_coverage
from posenc.scaling.remap.distances import Remapping


@dataclass(frozen=True)
class Reading:
    """How queries and keys are compared.

    Args:
        inv_freq: θ, (pairs,), radians per position.
        attention_factor: A, on cos and sin; the rotated part of a score takes its square.
        softmax_multiplier: m, on the softmax scale 1/sqrt(width).
        remapping: Which distances RoPE is shown; None for the true ones.
    """

    inv_freq: Tensor
    attention_factor: float = 1.0
    softmax_multiplier: float = 1.0
    remapping: Remapping | None = None

    @property
    def gain(self) -> float:
        """A²·m: what multiplies the logits of the rotated channels."""
        return self.attention_factor**2 * self.softmax_multiplier

    def seen_distances(self, distances: Tensor, length: int) -> Tensor:
        """Distances that RoPE is shown between the last token of a text and those before it.

        Args:
            distances: δ, integers (n,), from 0 to length - 1.
            length: Tokens in the text.

        Returns:
            float64 (n,): δ itself without remapping.
        """
        if self.remapping is None:
            return distances.to(torch.float64)
        last = torch.tensor([length - 1])
        return self.remapping.distance(last, length - 1 - distances)[0]

    def angles(self, distances: Tensor, length: int) -> Tensor:
        """Angle of every pair at every distance δ, radians, float64 (n, pairs)."""
        return self.seen_distances(distances, length)[:, None] * self.inv_freq

    def coverage(self, trained: Tensor, trained_length: int, length: int) -> AngleCoverage:
        """Angles that a text of `length` tokens asks for, against those seen in training.

        Args:
            trained: θ of the trained model, (pairs,).
            trained_length: L₀, at least 2.
            length: Tokens in the text, at least 2.

        Returns:
            The `AngleCoverage`; a remapping's largest distance is rounded up.
        """
        return angle_coverage(trained, trained_length, self.scaling_length(length), self.inv_freq)

    def scaling_length(self, length: int) -> int:
        """Tokens of a text whose true distances reach as far as those that this one is shown.

        Args:
            length: Tokens in the text, at least 2.

        Returns:
            `length` itself without remapping; a remapping's largest distance is rounded up.
        """
        check_int("length", length, 2)
        if self.remapping is None:
            return length
        return max(int(-(-self.remapping.reach(length) // 1)) + 1, 2)


def mean_cosine(reading: Reading, distances: Tensor, length: int) -> Tensor:
    """Mean over the pairs of cos δ'θ_i: how alike a token looks to one δ tokens before it.

    Returns:
        float64 (n,), 1 at δ = 0.
    """
    return reading.angles(distances, length).cos().mean(dim=-1)


def decay_bound(reading: Reading, distances: Tensor, length: int) -> Tensor:
    """`rope_decay_bound` at the distances that this reading shows; its gain is left out.

    Returns:
        float64 (n,); (pairs + 1) / 2 at δ = 0.

    Source: Su et al. 2021, section 3.4.3, arXiv:2104.09864.
    """
    angles = reading.angles(distances, length)
    return torch.polar(torch.ones_like(angles), angles).cumsum(dim=-1).abs().mean(dim=-1)


def logit_draws(
    reading: Reading,
    query: Tensor,
    key: Tensor,
    distances: Tensor,
    length: int,
    *,
    width: int,
    layout: Layout = "half",
) -> Tensor:
    """Logits of the rotated channels for many draws of q and k, A²·m·(R q)·(R k) / sqrt(width).

    Args:
        reading: How they are compared.
        query: q, (draws, channels); those past the pairs are not rotated and left out.
        key: k, (draws, channels).
        distances: δ, integers (n,).
        length: Tokens in the text; the query is the last.
        width: Channels of the head, rotated or not.
        layout: Which channels form a pair, "interleaved" or "half".

    Returns:
        float64 (draws, n).

    Raises:
        ValueError: If queries or keys are narrower than the pairs.
    """
    turning = rotated_channels(query, len(reading.inv_freq))
    q, k = (
        torch.complex(*split_pairs(vectors[..., :turning].to(torch.float64), layout))
        for vectors in (query, key)
    )
    product = q * k.conj()
    angles = reading.angles(distances, length)
    turned = product.real @ angles.cos().mT - product.imag @ angles.sin().mT
    return turned * (reading.gain * width**-0.5)


def logit_change(
    before: Reading, after: Reading, distances: Tensor, length: int, *, width: int
) -> Tensor:
    """How far the logits move from one reading to another, for a random query and key.

    The root mean square of the difference over independent standard normal q and k, whose logits
    have the standard deviation 1 without factors. Two logits that have nothing to do with each
    other differ by sqrt(2).

    Args:
        before: The reading that training has shown.
        after: The reading compared with it, with as many pairs.
        distances: δ, integers (n,).
        length: Tokens in the text; the query is the last.
        width: Channels of the head; those past the pairs are not rotated and see m alone.

    Returns:
        float64 (n,).

    Raises:
        ValueError: If the pairs do not agree or do not fit in the width.
    """
    if before.inv_freq.shape != after.inv_freq.shape:
        raise ValueError(
            f"before and after must have as many pairs, got {len(before.inv_freq)} and "
            f"{len(after.inv_freq)}."
        )
    angles = after.angles(distances, length) - before.angles(distances, length)
    passed = check_int("width", width, 2 * len(before.inv_freq)) - 2 * len(before.inv_freq)
    stretch = (after.softmax_multiplier - before.softmax_multiplier) ** 2
    # |g'·exp(iα') - g·exp(iα)|² with nothing that cancels where both agree.
    turned = (after.gain - before.gain) ** 2 + 4 * after.gain * before.gain * (
        (angles / 2).sin() ** 2
    )
    return ((2 * turned.sum(dim=-1) + passed * stretch) / width).sqrt()


def neighbour_change(reading: Reading, distances: Tensor, length: int, *, width: int) -> Tensor:
    """How far the logit moves from distance δ to δ + 1, for a random query and key.

    Like `logit_change`: the root mean square over independent standard normal q and k. Zero means
    that the two tokens cannot be told apart by position.

    Returns:
        float64 (n,).
    """
    step = reading.seen_distances(distances + 1, length) - reading.seen_distances(distances, length)
    half = step[:, None] * reading.inv_freq / 2
    return reading.gain * (8 * (half.sin() ** 2).sum(dim=-1) / width).sqrt()


def rms_change(
    before: Reading, after: Reading, distances: Tensor, length: int, *, width: int
) -> float:
    """How far the logits of a text move from one reading to another: over its distances.

    Returns:
        The root mean square of `logit_change`.
    """
    return float(logit_change(before, after, distances, length, width=width).square().mean().sqrt())
