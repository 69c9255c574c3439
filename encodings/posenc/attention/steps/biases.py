"""The bias of an encoding followed, where a formula of the two positions gives it."""

import math

from posenc.alibi.formula import ALiBi
from posenc.alibi.picture import ALiBiBias
from posenc.fire.formula import FIRE
from posenc.fire.picture import FIREBias
from posenc.kerple.formula import LARGEST_POWER, SMALLEST, Kerple
from posenc.kerple.picture import KerpleBias
from posenc.places import PositionalEncoding
from posenc.quantity.matrix import Quantity
from posenc.quantity.step import Step
from posenc.sandwich.formula import Sandwich
from posenc.sandwich.picture import SandwichBias
from posenc.t5.formula import T5Bias
from posenc.t5.picture import T5Buckets


def bias_steps(encoding: PositionalEncoding, head: int, query: int, key: int) -> tuple[Step, ...]:
    """From two positions to the bias of a head.

    Args:
        encoding: Any encoding.
        head: Head h.
        query: Position i, at least 0.
        key: Position j, at least 0.

    Returns:
        Steps in float64; none where the encoding has no bias, where its bias reads the tokens
        too (Shaw, Transformer-XL, CoPE), or where its formula is for past keys and this one is not.
    """
    quantity = _quantity(encoding, head, max(query, key) + 1)
    steps = quantity.steps(query, key) if quantity else ()
    return () if not steps or math.isnan(steps[-1].value) else steps


def _quantity(encoding: PositionalEncoding, head: int, length: int) -> Quantity | None:
    if isinstance(encoding, ALiBi):
        return ALiBiBias(encoding.slopes[head].item(), length, encoding.symmetric)
    if isinstance(encoding, Kerple):
        largest = LARGEST_POWER if encoding.variant == "power" else math.inf
        r1 = encoding.r1[head].clamp(min=SMALLEST).item()
        r2 = encoding.r2[head].clamp(SMALLEST, largest).item()
        return KerpleBias(
            r1=r1, r2=r2, length=length, variant=encoding.variant, symmetric=encoding.symmetric
        )
    if isinstance(encoding, Sandwich):
        return SandwichBias(
            head=head,
            num_heads=encoding.num_heads,
            length=length,
            d_bar=encoding.d_bar,
            base=encoding.base,
        )
    if isinstance(encoding, FIRE):
        return FIREBias(encoding, head, length)
    if isinstance(encoding, T5Bias):
        return T5Buckets(
            length=length,
            bidirectional=encoding.bidirectional,
            num_buckets=encoding.num_buckets,
            max_distance=encoding.max_distance,
            table=encoding.table[:, head].detach(),
        )
    return None
