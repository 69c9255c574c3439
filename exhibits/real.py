"""Numbers of the real model that lessons name, computed from what was measured."""

from collections.abc import Callable, Mapping
from functools import partial

import numpy as np

from models.measuring.loss import BLOCK
from models.results.induction import heads
from models.results.keys import keys, share_and_interval
from models.results.losses import Bits, Difference, bits
from models.results.tables import PLAIN, SLIDE, Way, has_factor, lengths, load, usual_length


def _real(
    one: str, other: str = "", *, behind: bool = True, last: bool = False, factor: float = 4.0
) -> float:
    """Bits per token of the real model in its long texts; less another way."""
    measured = load()
    trained = measured.about.trained
    length = usual_length(measured.losses)
    pair = [Way(name, factor if has_factor(name) else 1.0) for name in (one, other) if name]
    found = bits(measured, length, pair)
    low, high = (length - BLOCK, length) if last else (trained, length) if behind else (0, trained)
    here = [found.between(its, low, high).mean() for its in pair]
    return float(here[0] - here[1]) if other else float(here[0])


def _longest(method: str) -> float:
    """Bits per token less the sliding window, in the last trained length of the longest texts."""
    measured = load()
    length = lengths(measured.losses)[-1]
    its = Way(method, 4.0 if has_factor(method) else 1.0)
    found = bits(measured, length, [its, SLIDE])
    return float(found.gain(its, SLIDE, length - measured.about.trained, length).mean)


def _short(method: str) -> float:
    """Bits per token that a method by 4 costs the shortest texts."""
    measured = load()
    length = lengths(measured.losses)[0]
    its = Way(method, 4.0)
    return float(bits(measured, length, [its, PLAIN]).gain(its, PLAIN, 0, length).mean)


def _gain(one: str, other: str, behind: bool = True) -> Difference:
    """One way less another in each long text, beyond the trained length or up to it; by 4."""
    measured = load()
    trained = measured.about.trained
    length = usual_length(measured.losses)
    mine, its = (Way(name, 4.0 if has_factor(name) else 1.0) for name in (one, other))
    low, high = (trained, length) if behind else (0, trained)
    return bits(measured, length, [mine, its]).gain(mine, its, low, high)


def _low(one: str, other: str, behind: bool) -> float:
    """Difference of the text with the smallest one."""
    return float(_gain(one, other, behind).low)


def _high(one: str, other: str, behind: bool) -> float:
    """Difference of the text with the largest one."""
    return float(_gain(one, other, behind).high)


def _texts(one: str, other: str) -> int:
    """Texts that were read both ways."""
    return len(_gain(one, other).values)


def _wider() -> Bits:
    """As trained and YaRN with factor 4, on all texts, as far as all of them were read."""
    losses = load().losses
    length = next(n for n in lengths(losses) if n > load().about.trained)
    return bits(load(), length, [PLAIN, Way("yarn", 4.0)], cut=True)


def _wider_inside() -> Difference:
    """Extra cost of YaRN up to the trained length."""
    return _wider().gain(Way("yarn", 4.0), PLAIN, 0, load().about.trained)


def _wider_end() -> Difference:
    """Savings of YaRN in the last thousand tokens that all texts were read to."""
    found = _wider()
    first = int(found.first[-1])
    return found.gain(PLAIN, Way("yarn", 4.0), first, first + 1)


def _longest_rest() -> float:
    """YaRN less the window at the end of the longest text, without its verbatim repeat."""
    measured = load()
    length = lengths(measured.losses)[-1]
    its = Way("yarn", 4.0)
    found = bits(measured, length, [its, SLIDE])
    counts = (found.first >= length - measured.about.trained) & ~np.isin(found.first, REPEATED)
    return float(found.less(its, SLIDE).values[0, counts].mean())


def _found(method: str, length: int, asked: bool = False) -> int:
    """Keys found at a length, or asked for; with factor 4."""
    its = Way(method, 4.0 if has_factor(method) else 1.0)
    one = keys(load(), [its])[its]
    at = one.lengths.index(length)
    return int((one.asked if asked else one.right)[:, at].sum())


def _interval(end: int) -> float:
    """Low (0) or high (1) end of the 95% interval of what YaRN finds in the longest text."""
    longest = KEYS_AT["32k"]
    return float(
        share_and_interval(_found("yarn", longest), _found("yarn", longest, True))[1 + end]
    )


def _heads(habit: str, method: str) -> int:
    return heads(load(), Way(method, 4.0 if has_factor(method) else 1.0), habit)


RANGES: Mapping[str, tuple[str, str, bool]] = {
    "yarn_saves": ("none", "yarn", True),
    "ntk_saves": ("none", "ntk", True),
    "yarn_window": ("yarn", "slide", True),
    "ntk_window": ("ntk", "slide", True),
    "sharp_saves": ("yarn_no_temperature", "yarn", True),
    "linear_inside": ("linear", "none", False),
}
"""Two ways, and whether it is beyond the trained length."""
FOUND = {
    "2k": ("yarn", "ntk_by_parts", "yarn_no_temperature", "yarn_paper"),
    "8k": ("none", "yarn", "linear", "ntk_by_parts", "yarn_no_temperature", "yarn_paper"),
    "16k": ("none", "yarn", "ntk"),
    "32k": ("yarn", "ntk"),
}
KEYS_AT = {"2k": 2048, "8k": 8192, "16k": 16384, "32k": 32768}
REPEATED = (25_600, 26_624, 27_648)
"""Blocks of the longest text that repeat, word for word, what stood more than L tokens before."""
REAL: Mapping[str, Callable[[], float]] = {
    "real_trained": lambda: load().about.trained,
    "real_shortest": lambda: lengths(load().losses)[0],
    "real_inside": partial(_real, "none", behind=False),
    "real_behind": partial(_real, "none"),
    "real_last": partial(_real, "none", last=True),
    "real_window_last": partial(_real, "slide", last=True),
    "real_last_ratio": lambda: _real("none", last=True) / _real("none", behind=False),
    "real_yarn_saves": partial(_real, "none", "yarn"),
    "real_yarn_window": partial(_real, "yarn", "slide"),
    "real_yarn_inside": partial(_real, "yarn", "none", behind=False),
    "real_yarn_by_2": partial(_real, "yarn", "slide", factor=2.0),
    "real_ntk_saves": partial(_real, "none", "ntk"),
    "real_ntk_window": partial(_real, "ntk", "slide"),
    "real_longest": lambda: lengths(load().losses)[-1],
    **{f"real_longest_{name}": partial(_longest, name) for name in ("none", "yarn", "ntk")},
    "real_linear_inside": partial(_real, "linear", "none", behind=False),
    **{f"real_short_{name}": partial(_short, name) for name in ("yarn", "ntk", "linear")},
    "real_texts": partial(_texts, "none", "slide"),
    **{f"real_{name}_low": partial(_low, *ways) for name, ways in RANGES.items()},
    **{f"real_{name}_high": partial(_high, *ways) for name, ways in RANGES.items()},
    "real_sharp_saves": partial(_real, "yarn_no_temperature", "yarn"),
    "real_sharp_texts": partial(_texts, "yarn_no_temperature", "yarn"),
    "real_wider_texts": lambda: len(_wider().texts),
    "real_wider_end": lambda: int(_wider().first[-1]),
    "real_wider_inside_low": lambda: float(_wider_inside().low),
    "real_wider_inside_high": lambda: float(_wider_inside().high),
    "real_wider_end_low": lambda: float(_wider_end().low),
    "real_wider_end_high": lambda: float(_wider_end().high),
    "real_longest_yarn_rest": _longest_rest,
    **{
        f"real_{size}_{name}": partial(_found, name, KEYS_AT[size])
        for size, names in FOUND.items()
        for name in names
    },
    **{f"real_{size}_asked": partial(_found, "none", n, True) for size, n in KEYS_AT.items()},
    "real_32k_yarn_low": partial(_interval, 0),
    "real_32k_yarn_high": partial(_interval, 1),
    "real_heads": lambda: load().about.layers * load().about.heads,
    **{
        f"real_copying_{name}": partial(_heads, "after_copy", name)
        for name in ("none", "yarn", "ntk", "llama3", "linear")
    },
    **{f"real_previous_{name}": partial(_heads, "previous", name) for name in ("none", "linear")},
}
"""Name to what computes it."""
