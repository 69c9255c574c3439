"""Some of an encoding's heads: what one device of a tensor-parallel layer holds."""

import torch
from torch import Tensor

from posenc.checks import check_int
from posenc.places import BiasOfLengths, PositionalEncoding, ScoreMod, check_encoding


class HeadSlice(BiasOfLengths):
    """The bias of the heads start … stop - 1 of an encoding that was made for more.

    The slopes of ALiBi depend on how many heads there are in all, so that `ALiBi(4)` is not half
    of `ALiBi(8)`. Parameters stay whole on every device; their gradients have to be added up.

    Args:
        encoding: An encoding whose heads have biases of their own, which do not read queries:
            `ALiBi`, `T5Bias`, `Kerple`, `Sandwich`, `FIRE`.
        start: First head, at least 0.
        stop: First head that is not here any more, above start.

    Raises:
        ValueError: If the encoding has no heads of its own or its bias reads queries, or there are
            no such heads.

    Source: Shoeybi et al. 2019, section 3 (heads over devices), arXiv:1909.08053.
    """

    def __init__(self, encoding: PositionalEncoding, start: int, stop: int) -> None:
        super().__init__()
        self.encoding = check_encoding(encoding)
        heads = getattr(encoding, "num_heads", None)
        if heads is None or encoding.scale is not None or encoding.reads_scores:
            kind = type(encoding).__name__
            raise ValueError(
                f"encoding must have a bias of its own for each head that reads no query, and "
                f"{kind} has none: give it to every device as it is."
            )
        self.start = check_int("start", start, 0, maximum=heads - 1)
        self.stop = check_int("stop", stop, start + 1, maximum=heads)
        self.num_heads = stop - start

    def bias(
        self, q: Tensor, scores: Tensor, q_positions: Tensor, k_positions: Tensor
    ) -> Tensor | None:
        """Return (num_heads, q_len, k_len), or (batch, num_heads, q_len, k_len)."""
        bias = self.encoding.bias(q, scores, q_positions, k_positions)
        return None if bias is None else bias[..., self.start : self.stop, :, :]

    def _bias_of_last(self, q: Tensor, scores: Tensor, causal: bool = False) -> Tensor | None:
        """Return (num_heads, q_len, k_len), as quick as that of all heads."""
        bias = self.encoding._bias_of_last(q, scores, causal)
        return None if bias is None else bias[..., self.start : self.stop, :, :]

    def _view_of_last(self, q: Tensor, scores: Tensor, causal: bool = False) -> Tensor | None:
        """Return a view of (num_heads, q_len, k_len), where that of all heads is one."""
        view = self.encoding._view_of_last(q, scores, causal)
        return None if view is None else view[..., self.start : self.stop, :, :]

    def score_mod(
        self, q_len: int, k_len: int, device: torch.device | str = "cpu"
    ) -> ScoreMod | None:
        """That of all heads, asked for these: see `PositionalEncoding.score_mod`."""
        whole = self.encoding.score_mod(q_len, k_len, device)
        if whole is None:
            return None

        def biased(
            score: Tensor, batch: Tensor, head: Tensor, query: Tensor, key: Tensor
        ) -> Tensor:
            return whole(score, batch, head + self.start, query, key)

        return biased
