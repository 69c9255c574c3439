"""ALiBi followed: a slope, the bias of a pair, its share of flat attention, its window."""

import torch

from posenc.alibi.formula import alibi_bias, alibi_slopes
from posenc.alibi.other_slopes import SLOPE_SCHEMES
from posenc.alibi.window import alibi_flat_weights, alibi_window
from posenc.quantity.lines import distance_step, masked
from posenc.quantity.step import Step, factor, number


def alibi_bias_steps(
    slope: float, row: int, col: int, *, symmetric: bool = False
) -> tuple[Step, ...]:
    """Distance, and the slope times it: see `alibi_bias`."""
    distance = distance_step(row, col, symmetric=symmetric)
    symbol = f"b_{{{row},{col}}}"
    if not symmetric and col > row:
        return distance, masked(symbol)
    slopes = torch.tensor([slope], dtype=torch.float64)
    value = alibi_bias(slopes, torch.tensor(col - row), symmetric, dtype=torch.float64).item()
    numbers = rf"{number(-slope)} \cdot {factor(distance.value)}"
    return distance, Step(symbol, r"-m\,\delta", numbers, value)


def two_sided_steps(slope: float, future_slope: float, row: int, col: int) -> tuple[Step, ...]:
    """Distance, and the slope of its side times it: see `ALiBiTwoSided`."""
    distance = distance_step(row, col)
    symbol = f"b_{{{row},{col}}}"
    delta = factor(distance.value)
    if col > row:
        numbers = rf"{number(future_slope)} \cdot {delta}"
        return distance, Step(symbol, r"m'\,\delta", numbers, future_slope * distance.value)
    numbers = rf"{number(-slope)} \cdot {delta}"
    return distance, Step(symbol, r"-m\,\delta", numbers, slope * (col - row))


def alibi_slope_steps(num_heads: int, head: int, bias_max: float = 8.0) -> tuple[Step, ...]:
    """Which power of two the slope of a head is: see `alibi_slopes`."""
    below = 2 ** (num_heads.bit_length() - 1)
    extra = head >= below
    count, place = (2 * below, 2 * (head - below)) if extra else (below, head)
    slope = alibi_slopes(num_heads, bias_max)[head].item()
    most = number(bias_max)
    symbol = f"m_{{{head}}}"
    numbers = f"2^{{-{most}({place} + 1)/{count}}}"
    if below == num_heads:
        return (Step(symbol, f"2^{{-{most}(h+1)/n}}", numbers, slope),)
    name = r"\text{the power of two below }n"
    rule = r"\text{every second slope of }2c"
    position = Step("h'", f"2(h - c),\\;{rule}", f"2({head} - {below})", place)
    before = (Step("c", name, "", below), *((position,) if extra else ()))
    formula = f"2^{{-{most}(h'+1)/2c}}" if extra else f"2^{{-{most}(h+1)/c}}"
    return (*before, Step(symbol, formula, numbers, slope))


def alibi_flat_weight_steps(slope: float, distance: int, length: int) -> tuple[Step, ...]:
    """Power of the bias, sum of all powers, and the share: see `alibi_flat_weights`."""
    slopes = torch.tensor([slope], dtype=torch.float64)
    first, share = alibi_flat_weights(slopes, torch.tensor([0, distance]), length)[0].tolist()
    m = number(slope)
    sum_of_powers = 1 / first
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


def alibi_window_steps(slope: float, length: int) -> tuple[Step, ...]:
    """The nearest tokens that hold nine tenths of flat attention: see `alibi_window`."""
    m = torch.tensor(slope, dtype=torch.float64)
    closed = (torch.log1p(0.9 * torch.expm1(-m * length)) / -m).item()
    tokens = alibi_window(m[None], length)[0].item()
    numbers = number(slope)
    return (
        Step(
            "w",
            r"-\ln(1 - 0.9\,(1 - e^{-mL})) / m",
            rf"-\ln(1 - 0.9 \cdot (1 - e^{{-{numbers} \cdot {length}}})) / {numbers}",
            closed,
        ),
        Step(r"\text{tokens}", r"\min(\lceil w \rceil, L)", "", tokens),
    )


def alibi_scheme_steps(scheme: str, num_heads: int, head: int) -> tuple[Step, ...]:
    """The slope of a head under one of `SLOPE_SCHEMES`.

    Raises:
        KeyError: If there is no such scheme.
    """
    value = SLOPE_SCHEMES[scheme](num_heads)[head].item()
    symbol = f"m_{{{head}}}"
    if scheme == "authors":
        return alibi_slope_steps(num_heads, head)
    if scheme == "from_zero":
        return (Step(symbol, "2^{-8h/n}", f"2^{{-8 \\cdot {head}/{num_heads}}}", value),)
    above = 2 ** (num_heads - 1).bit_length()
    if scheme == "one_series" or above == num_heads:
        return (Step(symbol, "2^{-8(h+1)/n}", f"2^{{-8({head} + 1)/{num_heads}}}", value),)
    first = above // 2
    place, formula, numbers = (
        (2 * head + 1, "2h + 1", rf"2 \cdot {head} + 1")
        if head < first
        else (2 * (head - first), "2(h - c/2)", f"2({head} - {first})")
    )
    return (
        Step("c", r"\text{the power of two above }n", "", above),
        Step("h'", rf"{formula},\;\text{{every second slope of }}c", numbers, place),
        Step(symbol, "2^{-8(h'+1)/c}", f"2^{{-8({place} + 1)/{above}}}", value),
    )
