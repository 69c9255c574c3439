"""Mistakes with a cache: the new tokens are the last ones of the text, not the first."""

from collections.abc import Callable

import torch
from torch import Tensor
from torch.nn.functional import pad, scaled_dot_product_attention

from exhibits.pitfalls.case import Pitfall, normal, seen_share
from posenc.quantity.step import Step, factor, number
from posenc.words import say

NEW = 8
TEXT = 24
SLOPE = 0.25

# New queries q (n, d) against all keys k (m, d) -> weights (n, m). Where the values are the unit
# matrix, the outputs are the weights.


def wrong_causal(q: Tensor, k: Tensor) -> Tensor:
    """Let the function mask: it takes the queries for the first tokens."""
    v = torch.eye(len(k), dtype=k.dtype)
    q, k, v = q[None], k[None], v[None]
    return scaled_dot_product_attention(q, k, v, is_causal=True)[0]  # query 0 is at key 0


def right_causal(q: Tensor, k: Tensor) -> Tensor:
    """Say which keys each query sees: the queries are the last tokens."""
    v = torch.eye(len(k), dtype=k.dtype)
    seen = torch.ones(len(q), len(k), dtype=torch.bool).tril(len(k) - len(q))  # the last at the end
    q, k, v = q[None], k[None], v[None]
    return scaled_dot_product_attention(q, k, v, attn_mask=seen)[0]  # query 0 is at key m - n


Causal = Callable[[Tensor, Tensor], Tensor]


def new_rows_are_the_last_rows(attention: Causal) -> float:
    """Attention of new tokens is that of the last rows of one pass over the whole text."""
    q, k = _tokens()
    return float((attention(q[-NEW:], k) - attention(q, k)[-NEW:]).abs().max())


def without_a_cache_rows_are_right(attention: Causal) -> float:
    """Where every key has its query, a token's attention does not change as the text goes on."""
    q, k = _tokens()
    return float((attention(q, k)[:NEW, :NEW] - attention(q[:NEW], k[:NEW])).abs().max())


def _tokens() -> tuple[Tensor, Tensor]:
    return normal(TEXT, 16), normal(TEXT, 16, seed=1)


def _causal_lines(query: int, key: int) -> tuple[Step, Step]:
    q, k = _tokens()
    scores = (q[-NEW:] @ k.mT / 4)[query]
    keys = torch.arange(TEXT)
    return (
        seen_share(scores, key, keys <= query, r"t \le i"),
        seen_share(scores, key, keys <= query + TEXT - NEW, r"t \le i + m - n"),
    )


IS_CAUSAL = Pitfall(
    say("A causal mask with a cache"),
    wrong=wrong_causal,
    right=right_causal,
    check=new_rows_are_the_last_rows,
    others=(without_a_cache_rows_are_right,),
    draw=lambda attention: attention(_tokens()[0][-NEW:], _tokens()[1]),
    lines=_causal_lines,
    rows=say("new query i"),
    cols=say("key j"),
    value=say("attention"),
)


# ALiBi's bias of one head: slope, tokens in the cache, new tokens -> (new, cached + new)


def wrong_bias(slope: float, cached: int, new: int) -> Tensor:
    """Make the bias for the new tokens alone."""
    queries = torch.arange(new, dtype=torch.float64)  # counted from 0
    keys = torch.arange(cached + new, dtype=torch.float64)
    return -slope * (queries[:, None] - keys).clamp(min=0)


def right_bias(slope: float, cached: int, new: int) -> Tensor:
    """Count the new tokens behind those in the cache."""
    queries = torch.arange(cached, cached + new, dtype=torch.float64)  # counted on
    keys = torch.arange(cached + new, dtype=torch.float64)
    return -slope * (queries[:, None] - keys).clamp(min=0)


Bias = Callable[[float, int, int], Tensor]


def decoded_bias_is_the_last_row(bias: Bias) -> float:
    """The bias of one new token is the last row of the bias of the whole text."""
    return float((bias(SLOPE, TEXT - 1, 1) - bias(SLOPE, 0, TEXT)[-1:]).abs().max())


def own_key_has_no_penalty(bias: Bias) -> float:
    """The bias of a new token on itself is 0."""
    return float(bias(SLOPE, TEXT - 1, 1)[0, -1].abs())


def _steps(bias: Bias) -> Tensor:
    """Row t is the bias of step t, which decodes token t; NaN where there is no key yet."""
    rows = [bias(SLOPE, t, 1)[0] for t in range(TEXT)]
    return torch.stack([pad(row, (0, TEXT - len(row)), value=torch.nan) for row in rows])


def _bias_lines(step: int, key: int) -> tuple[Step, Step]:
    slope = number(SLOPE)
    past = max(step - key, 0)
    return (
        Step("", r"-m \max(0, 0 - j)", rf"-{slope} \cdot \max(0, 0 - {factor(key)})", -0.0),
        Step(
            "",
            r"-m \max(0, i - j)",
            rf"-{slope} \cdot \max(0, {step} - {factor(key)})",
            -SLOPE * past,
        ),
    )


NEW_TOKEN = Pitfall(
    say("ALiBi for the new token alone"),
    wrong=wrong_bias,
    right=right_bias,
    check=decoded_bias_is_the_last_row,
    others=(own_key_has_no_penalty,),
    draw=_steps,
    lines=_bias_lines,
    rows=say("step i"),
    cols=say("key j"),
    value=say("bias"),
)
