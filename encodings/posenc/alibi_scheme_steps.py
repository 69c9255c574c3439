"""Other lists of ALiBi slopes followed, with the numbers of one head."""

from posenc.alibi_schemes import SLOPE_SCHEMES
from posenc.alibi_steps import alibi_slope_steps
from posenc.steps import Step


def slope_scheme_steps(scheme: str, num_heads: int, head: int) -> tuple[Step, ...]:
    """Which power of two the slope of a head is in one of `SLOPE_SCHEMES`.

    Args:
        scheme: Its name.
        num_heads: n.
        head: h, from 0.

    Raises:
        KeyError: If there is no such scheme.
    """
    slope, symbol = SLOPE_SCHEMES[scheme](num_heads)[head].item(), f"m_{{{head}}}"
    above = 2 ** (num_heads - 1).bit_length()
    if scheme == "authors' code" or (scheme == "MPT" and above == num_heads):
        return alibi_slope_steps(num_heads, head)
    if scheme == "MPT":
        between = head >= above // 2
        place = 2 * (head - above // 2) if between else 2 * head + 1
        formula, numbers = ("2(h - c/2)", f"2({head} - {above}/2)") if between else (
            "2h + 1", f"2({head}) + 1"
        )  # fmt: skip
        return (
            Step("c", r"\text{the power of two above }n", "", above),
            Step("h'", formula, numbers, place),
            Step(symbol, "2^{-8(h'+1)/c}", f"2^{{-8({place} + 1)/{above}}}", slope),
        )
    if scheme == "one series":
        return (Step(symbol, "2^{-8(h+1)/n}", f"2^{{-8({head} + 1)/{num_heads}}}", slope),)
    return (Step(symbol, r"2^{-8h/n}", rf"2^{{-8 \cdot {head}/{num_heads}}}", slope),)
