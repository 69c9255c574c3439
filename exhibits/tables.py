"""RoPE's table of cosines and sines by the formulas of three libraries, against float64.

All three give float32. They differ in what they compute before they round.
"""

from collections.abc import Callable

import torch
from torch import Tensor

from posenc.quantity.step import Step, number, words
from posenc.rope.formula import rope_cos_sin, rope_inv_freq
from posenc.waves import rope_angles


def posenc_angles(positions: Tensor, head_dim: int, base: float) -> Tensor:
    """Frequencies and angles in float64."""
    return rope_angles(positions, rope_inv_freq(head_dim, base)[0])


def transformers_angles(positions: Tensor, head_dim: int, base: float) -> Tensor:
    """Frequencies and angles in float32, a product of two matrices.

    Source: transformers 5.23, models/llama/modeling_llama.py, LlamaRotaryEmbedding.
    """
    exponents = torch.arange(0, head_dim, 2).to(torch.float32) / head_dim
    inv_freq = 1.0 / base**exponents
    return (inv_freq[:, None] @ positions[None].to(torch.float32)).mT


def torchtune_angles(positions: Tensor, head_dim: int, base: float) -> Tensor:
    """Frequencies and angles in float32, an outer product.

    Source: torchtune 0.6.1, modules/position_embeddings.py, RotaryPositionalEmbeddings.
    """
    exponents = torch.arange(0, head_dim, 2)[: head_dim // 2].to(torch.float32) / head_dim
    theta = 1.0 / base**exponents
    return torch.outer(positions.to(torch.float32), theta)


WAYS: dict[str, Callable[[Tensor, int, float], Tensor]] = {
    "posenc": posenc_angles,
    "transformers": transformers_angles,
    "torchtune": torchtune_angles,
}
"""Name of a library to its angles, (seq, head_dim / 2)."""

TORCHTUNE_SUM = 2165.7053
"""Sum of the turned numbers that torchtune's own test expects: seed 0, (4, 2048, 32, 128)."""
FLOAT64_SUM = 2165.5970
"""The same, all of it in float64."""


def cos_sin(way: str, positions: Tensor, head_dim: int, base: float) -> tuple[Tensor, Tensor]:
    """The table of a library, two of float32 (seq, head_dim / 2)."""
    angles = WAYS[way](positions, head_dim, base)
    return angles.cos().to(torch.float32), angles.sin().to(torch.float32)


def table_error(way: str, positions: Tensor, head_dim: int, base: float) -> Tensor:
    """How far the worst number of each position is from float64, float64 (seq,)."""
    return _errors(way, positions, head_dim, base).flatten(1).amax(dim=1)


def _errors(way: str, positions: Tensor, head_dim: int, base: float) -> Tensor:
    """|number - exact| of cosines and of sines, float64 (seq, 2, head_dim / 2)."""
    table = torch.stack(cos_sin(way, positions, head_dim, base), dim=1)
    exact = rope_cos_sin(positions, rope_inv_freq(head_dim, base)[0])
    return (table.double() - torch.stack(exact, dim=1)).abs()


def table_error_steps(way: str, position: int, head_dim: int, base: float) -> tuple[Step, ...]:
    """The worst number of a position: its frequency, its angle, and what came out."""
    at = torch.tensor([position])
    errors = _errors(way, at, head_dim, base)[0]
    wave, pair = divmod(int(errors.argmax()), head_dim // 2)
    name = (r"\cos", r"\sin")[wave]
    theta = float(rope_inv_freq(head_dim, base)[0][pair])
    angle = float(WAYS[way](at, head_dim, base)[0, pair])
    exact = float(posenc_angles(at, head_dim, base)[0, pair])
    computed = float(cos_sin(way, at, head_dim, base)[wave][0, pair])
    right = float(rope_cos_sin(at, rope_inv_freq(head_dim, base)[0])[wave][0, pair])
    return (
        Step("i", words("the pair with the largest error"), "", pair),
        Step(r"p\,\theta_i", "", rf"{number(position)} \cdot {number(theta)}", exact),
        Step(r"\tilde\varphi", words("the angle of {0}", rf"\text{{{way}}}"), "", angle),
        Step(rf"{name}\,p\,\theta_i", words("in float64"), "", right),
        Step(rf"\tilde{{{name}}}", words("in the table"), "", computed),
        Step("e", rf"|\tilde{{{name}}} - {name}\,p\,\theta_i|", "", float(errors.max())),
    )
