"""ALiBi followed: the slope of a head, and its share of flat attention at one distance."""

import torch

from posenc.alibi import alibi_flat_weights, alibi_slopes
from posenc.steps import Step, number


def alibi_slope_steps(num_heads: int, head: int, bias_max: float = 8.0) -> tuple[Step, ...]:
    """Which power of two the slope of a head is: see `alibi_slopes`."""
    below = 2 ** (num_heads.bit_length() - 1)
    extra = head >= below
    count, place = (2 * below, 2 * (head - below)) if extra else (below, head)
    slope, most = alibi_slopes(num_heads, bias_max)[head].item(), number(bias_max)
    symbol, numbers = f"m_{{{head}}}", f"2^{{-{most}({place} + 1)/{count}}}"
    if below == num_heads:
        return (Step(symbol, f"2^{{-{most}(h+1)/n}}", numbers, slope),)
    name, rule = r"\text{the power of two below }n", r"\text{every second slope of }2c"
    position = Step("h'", f"2(h - c),\\;{rule}", f"2({head} - {below})", place)
    before = (Step("c", name, "", below), *((position,) if extra else ()))
    formula = f"2^{{-{most}(h'+1)/2c}}" if extra else f"2^{{-{most}(h+1)/c}}"
    return (*before, Step(symbol, formula, numbers, slope))


def alibi_flat_weight_steps(slope: float, distance: int, length: int) -> tuple[Step, ...]:
    """Power of the bias, sum of all powers, and the share: see `alibi_flat_weights`."""
    slopes = torch.tensor([slope], dtype=torch.float64)
    first, share = alibi_flat_weights(slopes, torch.tensor([0, distance]), length)[0].tolist()
    m, sum_of_powers = number(slope), 1 / first
    power = torch.exp(-slopes * distance).item()
    return (
        Step(r"e^{-m\delta}", "", rf"e^{{-{m} \cdot {distance}}}", power),
        Step(
            "Z",
            r"\sum_{\delta=0}^{L-1} e^{-m\delta} = \frac{1 - e^{-mL}}{1 - e^{-m}}",
            rf"\frac{{1 - \exp(-{m} \cdot {length})}}{{1 - \exp(-{m})}}",
            sum_of_powers,
        ),
        Step(
            rf"\alpha(\delta = {distance})",
            r"e^{-m\delta} / Z",
            f"{number(power)} / {number(sum_of_powers)}",
            share,
        ),
    )
