"""Keys that lie in a cache under other frequencies than those of the query that meets them now.

A scaling that depends on the length of the text (dynamic NTK, LongRoPE) changes its frequencies
while a text grows. A key that was rotated before it was cached keeps those of its own time.
"""

import torch
from torch import Tensor

from posenc.checks import check_int
from posenc.places import PositionalEncoding
from posenc.rope.formula import rope_inv_freq
from posenc.rope.scaling import Scaling


def rotate_when_written(
    encoding: PositionalEncoding, q: Tensor, k: Tensor, prompt: int = 1
) -> tuple[Tensor, Tensor]:
    """Rotate each token when it comes, for the text that ends in it, and never again.

    That is how a runtime keeps rotated keys. Where frequencies change with the length of the text
    it is wrong, and `KVCache` refuses it.

    Args:
        encoding: The encoding that rotates.
        q: Queries of the tokens 0, 1, …, (batch, heads, seq, head_dim).
        k: Their keys, (batch, kv_heads, seq, head_dim).
        prompt: First tokens that are rotated at once, at least 1.

    Returns:
        Queries and keys, of the same shapes.

    Raises:
        ValueError: If prompt is below 1.
    """
    check_int("prompt", prompt, 1)
    positions = torch.arange(q.shape[-2], device=q.device)
    parts = [slice(prompt), *(slice(t, t + 1) for t in range(prompt, len(positions)))]
    rotated = [
        encoding.rotate(q[..., new, :], k[..., new, :], positions[new], positions[new])
        for new in parts
    ]
    queries, keys = zip(*rotated, strict=True)
    return torch.cat(queries, dim=-2), torch.cat(keys, dim=-2)


def written_inv_freq(
    positions: Tensor, prompt: int, head_dim: int, base: float, scaling: Scaling
) -> Tensor:
    """The frequencies under which each key was rotated when it was cached.

    The prompt is read in one pass and rotated for its own length; every later token is rotated
    for the length that ends in it.

    Args:
        positions: Of the keys, integers (n,), at least 0.
        prompt: Tokens in the prompt, at least 1.
        head_dim: Rotated channels d, even.
        base: Base of the frequencies.
        scaling: What changes them with the length.

    Returns:
        Radians per position, float64 (n, head_dim / 2).

    Raises:
        ValueError: If an argument is out of range.
    """
    check_int("prompt", prompt, 1)
    lengths, of_key = (positions + 1).clamp(min=prompt).unique(return_inverse=True)
    rows = [rope_inv_freq(head_dim, base, scaling, length)[0] for length in lengths.tolist()]
    return torch.stack(rows)[of_key]


def stale_phase(positions: Tensor, written: Tensor, now: Tensor) -> Tensor:
    """How much too far the cached keys are rotated: n·(θ'_i - θ_i).

    The score of query m then has the angle m·θ - n·θ' where (m - n)·θ belongs. From about π on
    nothing is left of what the pair said.

    Args:
        positions: n, of the keys, integers (n,).
        written: θ', (n, pairs) or (pairs,) for all keys, radians per position.
        now: θ, (pairs,).

    Returns:
        Radians, float64 (n, pairs).
    """
    return positions.to(torch.float64)[:, None] * (written - now).to(torch.float64)


def stale_score_error(phase: Tensor, head_dim: int | None = None) -> Tensor:
    """Root mean square error of a score whose key is rotated too far by `phase`.

    For queries and keys of independent standard normal numbers the right score has the root mean
    square 1 (after 1/sqrt(head_dim)), and its error sqrt(8/d · Σ_i sin²(φ_i / 2)): 0 where the key
    is right, sqrt(2) where its angles are noise, 2 where every pair points the opposite way.

    Args:
        phase: φ, radians (..., pairs).
        head_dim: Channels d of the head; default 2 · pairs, all of them rotated.

    Returns:
        In units of the score's own root mean square, float64 (...).
    """
    channels = 2 * phase.shape[-1] if head_dim is None else head_dim
    squares = torch.sin(phase.to(torch.float64) / 2) ** 2
    return (8 / channels * squares.sum(dim=-1)).sqrt()
