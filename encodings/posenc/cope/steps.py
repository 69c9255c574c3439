"""CoPE followed: from gates to a position, from a position to its part of the score."""

import torch
from torch import Tensor

from posenc.cope.formula import CoPE, cope_gates, cope_positions
from posenc.cope.interpolation import cope_interpolation
from posenc.quantity.lines import dot_step, masked
from posenc.quantity.step import SHOWN_TERMS, Step, factor, number, total


def cope_position_steps(
    gate_logits: Tensor, max_positions: int, row: int, col: int
) -> tuple[Step, ...]:
    """The position of one pair: the key's gate, the sum of gates from it to the query, the cap.

    Args:
        gate_logits: What the gates of query `row` read, (k_len,), -inf where the mask forbids.
        max_positions: Number of position embeddings.
        row: Query i.
        col: Key j.
    """
    pair = f"{{{row},{col}}}"
    logit = gate_logits[col].item()
    if logit == -torch.inf and col > row:
        return (masked(f"p_{pair}"),)
    gates = cope_gates(gate_logits)
    counted = cope_positions(gate_logits, len(gate_logits) + 1)[col].item()  # too long to clamp
    terms = [number(gate) for gate in gates[col : col + SHOWN_TERMS].tolist()]
    opened = rf"\sigma({number(logit)})"
    all_gates = r"\textstyle\sum_t g_{it}"
    return (
        Step(f"g_{pair}", r"\sigma(\text{gate logit})", opened, gates[col].item()),
        Step(all_gates, r"g_{ij} + \dots + g_{ii}", total(terms, row + 1 - col), counted),
        Step(
            f"p_{pair}",
            rf"\min({all_gates},\; p_{{\max}})",
            rf"\min({number(counted)},\; {max_positions - 1})",
            cope_positions(gate_logits, max_positions)[col].item(),
        ),
    )


def cope_gate_steps(gate_logits: Tensor, row: int, col: int) -> tuple[Step, ...]:
    """The gate of one pair, the first line of `cope_position_steps`."""
    return cope_position_steps(gate_logits, 2, row, col)[:1]


def counted_steps(row: int, col: int) -> tuple[Step, ...]:
    """The position i - j + 1 of one pair: what CoPE counts when every gate is open."""
    symbol = rf"i - j + 1\;({row},{col})"
    if col > row:
        return (masked(symbol),)
    return (Step(symbol, "", f"{row} - {col} + 1", row - col + 1),)


def cope_whole_steps(cope: CoPE, query: Tensor, place: int, value: float) -> tuple[Step, ...]:
    """The logit of a whole position, the query times its embedding.

    Args:
        cope: The encoding.
        query: q_i, (head_dim,).
        place: Position n, 0 … max_positions - 1.
        value: The logit as it was computed.
    """
    product = dot_step(f"z[{place}]", query, cope.embedding.detach().T[place], "q", "e")
    return (Step(product.symbol, rf"q_i \cdot e[{place}]", product.substituted, value),)


def cope_score_steps(
    cope: CoPE, query: Tensor, score: float, position: Tensor, row: int, col: int
) -> tuple[Step, ...]:
    """From a position to the score: two whole positions, their logits, a line between, the sum.

    Args:
        cope: The encoding, for its embeddings and scales.
        query: q_i, (head_dim,).
        score: s_ij = q_i·k_j · scale of the pair.
        position: p_ij, a tensor of one number.
        row: Query i.
        col: Key j.
    """
    line = cope_interpolation(query[None], position.reshape(1, 1), cope.embedding)
    low, high, weight, z_low, z_high, logit = (
        getattr(line, name).item()
        for name in ("low", "high", "weight", "z_low", "z_high", "logits")
    )
    embeddings = cope.embedding.detach().T
    pair = f"{{{row},{col}}}"
    scale = cope.scale if cope.scale_sum else 1.0
    steps = []
    for whole, z in {low: z_low, high: z_high}.items():
        product = dot_step(f"z[{whole}]", query, embeddings[whole], "q", f"e[{whole}]")
        steps.append(Step(product.symbol, rf"q_i \cdot e[{whole}]", product.substituted, z))
    share = number(weight)
    return (
        Step("w", r"p - \lfloor p \rfloor", f"{number(position.item())} - {low}", weight),
        *steps,
        Step(
            f"c_{pair}",
            r"w\,z[\lceil p \rceil] + (1 - w)\,z[\lfloor p \rfloor]",
            rf"{share} \cdot {factor(z_high)} + (1 - {share}) \cdot {factor(z_low)}",
            logit,
        ),
        Step(
            rf"\text{{score}}_{pair}",
            rf"s_{pair} + c_{pair}" + (r" / \sqrt d" if cope.scale_sum else ""),
            rf"{number(score)} + {factor(logit)} \cdot {number(scale)}",
            score + logit * scale,
        ),
    )
