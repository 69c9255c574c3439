"""Interface of the scalings of RoPE's frequencies; the scalings are in posenc/scaling."""

from typing import ClassVar, Protocol, runtime_checkable

from torch import Tensor


class Scaling(Protocol):
    """Interface of a scaling of the frequencies."""

    needs_length: ClassVar[bool]
    """True where the frequencies depend on the length of the text being read."""

    def apply(
        self, inv_freq: Tensor, base: float, length: int | None = None
    ) -> tuple[Tensor, float]:
        """Return the scaled frequencies and the attention factor.

        Args:
            inv_freq: Plain frequencies θ_i = base^(-2i/d), float64 (d/2,), radians per position.
            base: The base they were made with.
            length: Tokens in the text being read; None is "not longer than in training".

        Returns:
            Scaled frequencies, float64 (d/2,), and the factor on cos and sin (the scores change
            by its square).
        """
        ...


@runtime_checkable
class ScalingByLength(Scaling, Protocol):
    """Interface of a scaling whose frequencies depend on the length of the text being read."""

    original_length: int
    """L₀: up to it `apply` gives the frequencies and the factor of short texts."""

    def at_lengths(self, lengths: Tensor, base: float, short: Tensor, long: Tensor) -> Tensor:
        """Return the scaled frequencies of each row of a batch.

        Args:
            lengths: Tokens in each row, int64 (rows,).
            base: The base the frequencies were made with.
            short: Frequencies up to L₀, float64 (d/2,), on the device of the lengths.
            long: Frequencies just past L₀.

        Returns:
            float64 (rows, d/2).
        """
        ...
