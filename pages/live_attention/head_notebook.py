"""The large picture's notebook: the queries and keys of its head."""

from typing import Any

from posenc import PositionalEncoding
from posenc.attention.masks import causal_pairs
from posenc.attention.rows import AttentionRows

COMPUTED = ("content", "scaled", "masked", "logits", "weights")
MOST = 1 << 18
"""Numbers of queries and keys that a notebook brings along: 1 MB of float32."""


def program(attention: AttentionRows, stage: str, head: int) -> dict[str, Any] | None:
    """Its settings, where queries, keys and the causal mask are all that the stage depends on.

    Elsewhere (a bias, another mask, a bound of the scores, a long text) the notebook brings the
    numbers of the picture.
    """
    has_bias = type(attention.encoding).bias is not PositionalEncoding.bias
    is_plain = attention.softcap is None and attention.pairs in (None, causal_pairs)
    if has_bias or not is_plain or stage not in COMPUTED or 2 * attention.q[0, 0].numel() > MOST:
        return None
    before = attention.content or (attention.q, attention.k)
    q, k = (one[0, head].cpu() for one in (before if stage == "content" else attention.rotated))
    return {
        "q": q.numpy(),
        "k": k.numpy(),
        "scale": q.shape[-1] ** -0.5 if attention.scale is None else float(attention.scale),
        "causal": attention.pairs is causal_pairs,
        "stage": "scaled" if stage == "content" else stage,
    }
