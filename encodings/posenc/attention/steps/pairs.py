"""One entry of an attention followed: product, scale, mask, bias, softmax.

Every value but those of the softmax's parts is the trace's own: nothing is computed again.
"""

from collections.abc import Sequence
from dataclasses import replace
from math import isclose

import torch
from torch import Tensor

from posenc.attention.measures import attention_surplus
from posenc.attention.trace import Trace
from posenc.places import PositionalEncoding
from posenc.quantity.lines import dot_step
from posenc.quantity.step import SHOWN_TERMS, Step, factor, no_value, number, total, words
from posenc.transformer_xl.formula import TransformerXL

BEFORE_MASK = ("content", "dot", "scaled")
LOGIT = ("dot", "scaled", "bias", "logits")
CHAINS = {
    "content": ("content",),
    "dot": ("dot",),
    "scaled": ("dot", "scaled"),
    "masked": ("dot", "scaled"),
    "bias": ("bias",),
    "position": ("dot", "scaled", "bias", "content", "position"),
    "logits": LOGIT,
    "weights": LOGIT,
    "surplus": LOGIT,
}
"""Which lines lead to a stage; the last two go on with the softmax."""
SYMBOLS = {
    "masked": "s",
    "bias": "b",
    "position": r"\text{position}",
    "logits": "l",
    "weights": r"\alpha",
    "surplus": r"\ln(\alpha\,n)",
}
"""LaTeX of a stage after the mask."""
PLAIN = ("q_i", "k_j")
"""LaTeX of a query and a key that place 2 leaves as they are."""


def after_place_two(encoding: PositionalEncoding) -> tuple[str, str]:
    """LaTeX of a query and a key as they enter the score: R_i q_i and R_j k_j once rotated."""
    if type(encoding).rotate is PositionalEncoding.rotate:
        return PLAIN
    return ("(q_i + u)", "k_j") if isinstance(encoding, TransformerXL) else ("R_i q_i", "R_j k_j")


def attention_steps(
    trace: Trace,
    stage: str,
    row: int,
    col: int,
    head: int = 0,
    *,
    content: Tensor | None = None,
    first: int = 0,
    key: int | None = None,
    bias: Sequence[Step] = (),
    vectors: tuple[str, str] = PLAIN,
    plain: tuple[Tensor, Tensor] | None = None,
) -> tuple[Step, ...]:
    """The steps to one stage of one pair, in the order of the formula.

    Args:
        trace: One attention with every stage kept; the first of its batch is followed.
        stage: A stage of `Trace` of shape (q_len, k_len), or "position" (scaled + bias - content),
            or "surplus" (the logarithm of weight over even share).
        row: Row of the trace, query i.
        col: Column of the trace, key j.
        head: Head h.
        content: The score without positions, (heads, q_len, k_len), where it is not the trace's
            (positions that are added to the embeddings are in the trace's).
        first: Number of the trace's first query (a step of decoding has one row, query `first`).
        key: Number of the key in the text, where a cache has dropped others; default `col`.
        bias: The steps of `bias_steps` to the pair's bias, whose last value is the trace's.
        vectors: LaTeX of the trace's query and key, see `after_place_two`.
        plain: Query and key before they were rotated, (head_dim,) each: the score then begins
            with their product, and ends in what rotation has changed.

    Returns:
        Steps; those of a masked pair end where the mask comes.

    Raises:
        KeyError: If there is no such stage.
    """
    without = (trace.content[0] if content is None else content)[head, row, col].item()
    chain = CHAINS[stage]
    pair = f"{{{first + row},{col if key is None else key}}}"
    lines = _lines(trace, head, row, col, without, pair, vectors)
    if stage not in BEFORE_MASK and trace.masked[0, head, row, col] == -torch.inf:
        hidden = no_value(f"{SYMBOLS[stage]}_{pair}", "the mask forbids this key")
        return lines["dot"], lines["scaled"], hidden
    if bias:
        lines["bias"] = replace(bias[-1], symbol=f"b_{pair}", value=lines["bias"].value)
    around: dict[str, tuple[Step, ...]] = {name: (line,) for name, line in lines.items()}
    around["bias"] = (*bias[:-1], lines["bias"])
    if plain is not None and chain is LOGIT:
        plain_q, plain_k = plain
        around["dot"] = _rotation_steps(lines["dot"], plain_q, plain_k, pair)
    steps = tuple(step for name in chain for step in around[name])
    if stage not in ("weights", "surplus"):
        return steps
    logits = trace.logits[0, head, row]
    weight = trace.weights[0, head, row, col].item()
    steps += softmax_steps(logits, col, weight, pair)
    if stage == "weights":
        return steps
    seen = int((logits > -torch.inf).sum())
    symbol = rf"\ln(\alpha_{pair}\,n_i)"
    numbers = rf"\ln({number(weight)} \cdot {seen})"
    return (*steps, Step(symbol, "", numbers, attention_surplus(logits)[col].item()))


def _lines(
    trace: Trace,
    head: int,
    row: int,
    col: int,
    content: float,
    pair: str,
    vectors: tuple[str, str],
) -> dict[str, Step]:
    """Every line before the softmax, by the name of its stage."""
    names = ("dot", "scaled", "bias", "logits")
    at = {name: getattr(trace, name)[0, head, row, col].item() for name in names}
    q, k = trace.q[0, head, row], trace.k[0, head, col]
    dot = dot_step(_product(vectors), q, k, *_entries(vectors))
    scaled, numbers = _scaled(trace, _product(vectors), number(at["dot"]))
    without, _ = _scaled(trace, _product(PLAIN), "")
    biased = f"{number(at['scaled'])} + {factor(at['bias'])}"
    return {
        "content": Step(f"c_{pair}", without + r"\;\text{without positions}", "", content),
        "dot": replace(dot, value=at["dot"]),
        "scaled": Step(f"s_{pair}", scaled, numbers, at["scaled"]),
        "bias": Step(f"b_{pair}", words("bias of the encoding"), "", at["bias"]),
        "logits": Step(f"l_{pair}", f"s_{pair} + b_{pair}", biased, at["logits"]),
        "position": Step(
            rf"\text{{position}}_{pair}",
            f"s_{pair} + b_{pair} - c_{pair}",
            f"{biased} - {factor(content)}",
            at["scaled"] + at["bias"] - content,
        ),
    }


def _rotation_steps(dot: Step, q: Tensor, k: Tensor, pair: str) -> tuple[Step, ...]:
    """The product of query and key before rotation, after it, and position's part in it."""
    before = dot_step(_product(PLAIN), q, k, *_entries(PLAIN))
    part = Step(
        rf"\text{{rotation}}_{pair}",
        f"{dot.symbol} - {before.symbol}",
        f"{number(dot.value)} - {factor(before.value)}",
        dot.value - before.value,
    )
    return before, dot, part


def _product(vectors: tuple[str, str]) -> str:
    return r" \cdot ".join(vectors)


def _entries(vectors: tuple[str, str]) -> tuple[str, str]:
    """Letters of their entries: q and k, or (R_i q_i) and (R_j k_j)."""
    if vectors == PLAIN:
        return "q", "k"
    left, right = (f"({name.strip('()')})" for name in vectors)
    return left, right


def _scaled(trace: Trace, product: str, dot: str) -> tuple[str, str]:
    """LaTeX of a scaled score in symbols, and the same with its numbers."""
    width = trace.q.shape[-1]
    if isclose(trace.scale, width**-0.5):
        formula = rf"{product} / \sqrt d"
        numbers = rf"{dot} / \sqrt{{{width}}}"
    else:
        formula = rf"{product} \cdot a"
        numbers = rf"{dot} \cdot {number(trace.scale)}"
    if trace.softcap is None:
        return formula, numbers
    cap = number(trace.softcap)
    return rf"c \tanh\frac{{{formula}}}{{c}}", rf"{cap} \tanh\frac{{{numbers}}}{{{cap}}}"


def output_steps(trace: Trace, v: Tensor, row: int, col: int, head: int = 0) -> tuple[Step, ...]:
    """One entry of the output: the values of all keys, weighted, and what place 4 adds.

    Args:
        trace: One attention with every stage kept; the first of its batch is followed.
        v: Values (batch, heads, k_len, value_dim).
        row: Query i.
        col: Channel c.
        head: Head h.
    """
    weights = trace.weights[0, head, row]
    values = v[0, head, :, col]
    summed = dot_step(r"\alpha_i \cdot v", weights, values, r"\alpha", "v")
    formula = rf"\sum_j \alpha_{{{row},j}}\,v_{{j,{col}}}"
    symbol = f"o_{{{row},{col}}}"
    mixed = trace.mixed[0, head, row, col].item()
    value = trace.output[0, head, row, col].item()
    if not mixed:
        return (Step(symbol, formula, summed.substituted, value),)
    numbers = f"{number(summed.value)} + {factor(mixed)}"
    return (
        Step(r"\alpha_i \cdot v", formula, summed.substituted, summed.value),
        Step(symbol, r"\alpha_i \cdot v + \text{what position adds}", numbers, value),
    )


def softmax_steps(logits: Tensor, col: int, value: float, pair: str) -> tuple[Step, ...]:
    """The softmax of one row at one key: largest logit, numerator, denominator, weight.

    Args:
        logits: What the softmax of the query sees, (k_len,), -inf where the mask forbids.
        col: Key j.
        value: The weight as it was computed.
        pair: LaTeX subscript of query and key, in braces.
    """
    logits = logits.detach().to("cpu", torch.float64)
    largest = logits.max().item()
    powers = (logits - largest).exp()
    seen = logits > -torch.inf
    above = powers[col].item()
    below = powers.sum().item()
    terms = [number(power) for power in powers[seen][:SHOWN_TERMS].tolist()]
    one = number(logits[col].item())
    return (
        Step("M_i", r"\max_t l_{it}", "", largest),
        Step(rf"e^{{l_{pair} - M_i}}", "", rf"e^{{{one} - {factor(largest)}}}", above),
        Step("Z_i", r"\sum_t e^{l_{it} - M_i}", total(terms, int(seen.sum())), below),
        Step(
            rf"\alpha_{pair}",
            rf"e^{{l_{pair} - M_i}} / Z_i",
            f"{number(above)} / {number(below)}",
            value,
        ),
    )
