"""Forget gates, sticks and memories of one text: their numbers, and how each came about."""

import math

import torch
from torch import Tensor

from posenc.fox import fox_bias
from posenc.quantity.lines import dot_step, masked
from posenc.quantity.step import SHOWN_TERMS, Step, factor, number, total


def arrivals(log_gates: Tensor, query: int) -> Tensor:
    """The product of the gates between each key up to the query and it, (query + 1,)."""
    return fox_bias(log_gates[: query + 1], 1)[0].exp()


def gates_from_logs(log_gates: Tensor) -> Tensor:
    """Gates f from their logarithms."""
    return log_gates.exp()


def equal_logits(share: float, length: int) -> Tensor:
    """Scores with σ(z) = share for every pair, float64 (length, length)."""
    return torch.tensor(share, dtype=torch.float64).logit().expand(length, length)


def gate_steps(
    log_gates: Tensor, token: int, reads: tuple[Tensor, Tensor, float] | None = None
) -> tuple[Step, ...]:
    """The gate of one token: given, or from its embedding.

    Args:
        log_gates: ln f, (tokens,).
        token: Its place.
        reads: w and x of the token, (d_model,) both, and b; None where the gate is given.
    """
    symbol = f"f_{{{token}}}"
    value = log_gates[token].exp().item()
    if reads is None:
        return (Step(symbol, "", "", value),)
    weight, embedded, bias = reads
    product = dot_step(rf"w \cdot x_{{{token}}}", weight, embedded, "w", "x")
    numbers = rf"\sigma({number(product.value)} + {factor(bias)})"
    return product, Step(symbol, rf"\sigma(w \cdot x_{{{token}}} + b)", numbers, value)


def bias_steps(log_gates: Tensor, query: int, key: int) -> tuple[Step, ...]:
    """From the gates on the way to their product and the sum of their logarithms."""
    pair = f"{{{query},{key}}}"
    if key > query:
        return (masked(f"D_{pair}"),)
    logs = log_gates[key + 1 : query + 1]
    if not len(logs):
        nothing = r"\text{no gate lies between}"
        return Step(r"\text{arrives}", nothing, "", 1.0), Step(f"D_{pair}", r"\ln 1", "", 0.0)
    terms = [number(gate) for gate in logs[:SHOWN_TERMS].exp().tolist()]
    product = r" \cdot ".join(terms) + (r" \cdots" if len(logs) > SHOWN_TERMS else "")
    added = total([rf"\ln {term}" for term in terms], len(logs))
    return (
        Step(r"\text{arrives}", r"f_{j+1} \cdots f_i", product, logs.sum().exp().item()),
        Step(f"D_{pair}", r"\ln f_{j+1} + \dots + \ln f_i", added, logs.sum().item()),
    )


def weight_steps(logits: Tensor, query: int, key: int) -> tuple[Step, ...]:
    """The share of a key, what nearer keys have left, and their product."""
    pair = f"{{{query},{key}}}"
    if key >= query:
        return (masked(f"A_{pair}", r"j \geq i"),)
    shares = logits[query, key:query].sigmoid()
    share, nearer = shares[0].item(), shares[1:]
    left = (1 - nearer).prod().item()
    terms = [f"(1 - {number(one)})" for one in nearer.flip(0)[:SHOWN_TERMS].tolist()]
    product = r" \cdot ".join(terms) + (r" \cdots" if len(nearer) > SHOWN_TERMS else "")
    score = number(logits[query, key].item())
    return (
        Step(rf"\sigma(z_{pair})", "", rf"\sigma({score})", share),
        Step(
            r"\text{left}",
            r"\textstyle\prod_{t=j+1}^{i-1} (1 - \sigma(z_{it}))",
            product,
            left,
        ),
        Step(
            f"A_{pair}",
            rf"\sigma(z_{pair}) \cdot \text{{left}}",
            rf"{number(share)} \cdot {number(left)}",
            share * left,
        ),
    )


def remainder_steps(
    keys: Tensor, remainders: Tensor, log_gates: Tensor, beta: float, query: int, key: int
) -> tuple[Step, ...]:
    """Steps from the remainder a token before, by what the query's key takes out, to this one.

    Args:
        keys: Of length 1, (tokens, key_dim).
        remainders: u of `gated_delta_influence`, (tokens, tokens, key_dim).
        log_gates: ln f, (tokens,).
        beta: β of all tokens.
        query: Token i, the last that was read.
        key: Token j, whose remainder it is.
    """
    symbol = rf"\lVert u_{{{query},{key}}} \rVert"
    if key > query:
        return (masked(symbol),)
    if key == query:
        return (Step(symbol, r"\beta", "", beta),)
    before = remainders[query - 1, key]
    gate = log_gates[query].exp().item()
    size = Step(rf"\lVert u_{{{query - 1},{key}}} \rVert", "", "", before.norm().item())
    along = dot_step("c", keys[query], before, "k", "u")
    b = number(beta)
    left = Step(
        "r",
        r"\lVert u \rVert^2 - \beta (2 - \beta)\, c^2",
        rf"({number(size.value)})^2 - {b} (2 - {b})\, ({number(along.value)})^2",
        size.value**2 - beta * (2 - beta) * along.value**2,
    )
    faded = gate * math.sqrt(max(left.value, 0.0))
    numbers = rf"{number(gate)} \sqrt{{{number(left.value)}}}"
    return size, along, left, Step(symbol, r"f_i \sqrt{r}", numbers, faded)
