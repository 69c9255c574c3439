"""T5 followed: the bucket of one pair."""

import math

import torch

from posenc.quantity.step import Step, number
from posenc.t5.formula import bucket_sizes, t5_bucket


def t5_bucket_steps(
    row: int, col: int, bidirectional: bool, num_buckets: int = 32, max_distance: int = 128
) -> tuple[Step, ...]:
    """Distance, its bucket (exact or logarithmic) and the side of it: see `t5_bucket`."""
    per_side, exact = bucket_sizes(bidirectional, num_buckets, max_distance)
    relative_position = torch.tensor(col - row)
    bucket = t5_bucket(relative_position, bidirectional, num_buckets, max_distance).item()
    x = Step("x", "j - i", f"{number(col)} - {number(row)}", col - row)
    bars = rf"|{number(x.value)}|"
    distance = Step("D", "|x|", bars, abs(col - row))
    if not bidirectional:
        past = rf"\max(0, -({number(x.value)}))"
        distance = Step("D", r"\max(0, -x)", past, max(0, row - col))
    offset = per_side if bidirectional and col > row else 0
    side = f" + {per_side}" if offset else ""
    symbol = rf"\beta_{{{row},{col}}}"
    formula = "D" + side
    if distance.value < exact:
        return x, distance, Step(symbol, formula, f"{number(distance.value)}{side}", bucket)
    ratio = math.log(distance.value / exact) / math.log(max_distance / exact)
    share = Step(
        "y",
        r"\frac{\ln(D/m)}{\ln(D_{\max}/m)} (n - m)",
        rf"\frac{{\ln({number(distance.value)}/{exact})}}"
        rf"{{\ln({number(max_distance)}/{exact})}} ({per_side} - {exact})",
        ratio * (per_side - exact),
    )
    formula = rf"\min(m + \lfloor y \rfloor,\; n - 1){side}"
    numbers = rf"\min({exact} + \lfloor {number(share.value)} \rfloor,\; {per_side - 1}){side}"
    return x, distance, share, Step(symbol, formula, numbers, bucket)
