"""Value of a step's LaTeX: just enough of it to check the lines of a calculation."""

import math
import re
from collections.abc import Iterable, Sequence

import pytest
from torch import Tensor

from posenc.quantity.step import Step

NAMES = {
    name: getattr(math, function)
    for name, function in {"cos": "cos", "sin": "sin", "ln": "log", "sqrt": "sqrt"}.items()
} | {
    "min": min,
    "max": max,
    "exp": math.exp,
    "floor": math.floor,
    "ceil": math.ceil,
    "relu": lambda x: max(x, 0.0),
    "clip": lambda x, low, high: min(max(x, low), high),
    "sigma": lambda x: 1 / (1 + math.exp(-x)) if x > -700 else 0.0,
    "inf": math.inf,
    "pi": math.pi,
}
RULES = [
    (r"\\(?:cdot|times)", "*"),
    (r"\\;\([^()]*\\text\{ terms\}\)", ""),
    (r"\\quad.*", ""),
    (r"\\text\{(\w+)\}", r"\1"),
    (r"\{,\}", ""),
    (r"\\lfloor([^\\]*)\\rfloor", r"floor(\1)"),
    (r"\\lceil([^\\]*)\\rceil", r"ceil(\1)"),
    (r"\\sigma", "sigma"),
    (r"\|([^|]*)\|", r"abs(\1)"),
    (r"\[([^\[\]]*)\]_\+", r"relu(\1)"),
    (r"\\bmod", "%"),
    (r"\\infty", "inf"),
    (r"\\pi", "*pi"),
    (r"\\[,;]", " "),
    (r"\\(cos|sin|ln|min|max|exp|sqrt)", r" \1"),
    (r"10\^\{(-?\d+)\}", r"10**(\1)"),
    (r"e\^\{([^{}]*)\}", r"exp(\1)"),
    (r"\^\{([^{}]*)\}", r"**(\1)"),
    (r"\\frac\{([^{}]*)\}\{([^{}]*)\}", r"((\1)/(\2))"),
    (r"\^(\d)", r"**\1"),
    (r"sqrt\{([^{}]*)\}", r"sqrt(\1)"),
    (r"(?<=[\d)]) *(?=\(|cos|sin|ln|relu|floor|abs)", "*"),  # a product without its sign
]


def evaluate(latex: str) -> float:
    """The number that a line of a calculation comes to."""
    text = latex
    for pattern, replacement in RULES:
        text = re.sub(pattern, replacement, text)
    return float(eval(text, {"__builtins__": {"abs": abs}}, NAMES))


def check_lines(steps: Iterable[Step], rel: float = 2e-4) -> None:
    """Each line with its numbers comes to its value: they have 6 digits, angles 4 decimals."""
    for step in steps:
        if step.substituted and r"\dots" not in step.substituted:
            assert evaluate(step.substituted) == pytest.approx(step.value, rel=rel, abs=2e-4)


def check_steps(steps: Sequence[Step], drawn: float | Tensor) -> None:
    """The last step is the value drawn, and each line comes to its value."""
    assert steps[-1].value == float(drawn)
    check_lines(steps)
