"""Numbers of the real model that lessons name, computed from what was measured."""

from collections.abc import Callable, Mapping
from functools import partial

from models.measuring.loss import BLOCK
from models.results.keys import keys
from models.results.losses import bits
from models.results.tables import PLAIN, SLIDE, Way, has_factor, lengths, load, usual_length


def _real(
    one: str, other: str = "", *, behind: bool = True, last: bool = False, factor: float = 4.0
) -> float:
    """Bits per token of the real model in its long texts; less another way."""
    measured = load()
    trained, length = measured.about.trained, usual_length(measured.losses)
    pair = [Way(name, factor if has_factor(name) else 1.0) for name in (one, other) if name]
    found = bits(measured, length, pair)
    low, high = (length - BLOCK, length) if last else (trained, length) if behind else (0, trained)
    here = [found.between(its, low, high).mean() for its in pair]
    return float(here[0] - here[1]) if other else float(here[0])


def _longest(method: str) -> float:
    """Bits per token less the sliding window, in the last trained length of the longest texts."""
    measured = load()
    length, its = lengths(measured.losses)[-1], Way(method, 4.0 if has_factor(method) else 1.0)
    found = bits(measured, length, [its, SLIDE])
    return float(found.gain(its, SLIDE, length - measured.about.trained, length).mean)


def _short(method: str) -> float:
    """Bits per token that a method by 4 costs the shortest texts."""
    measured = load()
    length, its = lengths(measured.losses)[0], Way(method, 4.0)
    return float(bits(measured, length, [its, PLAIN]).gain(its, PLAIN, 0, length).mean)


def _real_keys(method: str, times: int = 0) -> float:
    """Per cent of the keys found at so many trained lengths, or in texts of up to one; by 4."""
    measured = load()
    its = Way(method, 4.0 if has_factor(method) else 1.0)
    found, trained = keys(measured, [its])[its], measured.about.trained
    here = [n == times * trained if times else n <= trained for n in found.lengths]
    return 100 * float(found.right[:, here].sum() / found.asked[:, here].sum())


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
    "real_parts_window": partial(_real, "ntk_by_parts", "slide"),
    "real_parts_by_2": partial(_real, "ntk_by_parts", "slide", factor=2.0),
    "real_ntk_saves": partial(_real, "none", "ntk"),
    "real_ntk_window": partial(_real, "ntk", "slide"),
    "real_longest": lambda: lengths(load().losses)[-1],
    **{f"real_longest_{name}": partial(_longest, name) for name in ("none", "yarn", "ntk")},
    "real_linear_inside": partial(_real, "linear", "none", behind=False),
    **{f"real_short_{name}": partial(_short, name) for name in ("yarn", "ntk", "linear")},
    **{
        f"real_keys_{name}": partial(_real_keys, name)
        for name in ("none", "yarn", "linear", "ntk_by_parts")
    },
    **{
        f"real_far_{name}": partial(_real_keys, name, times=2)
        for name in ("none", "yarn", "ntk", "ntk_by_parts")
    },
    **{f"real_farther_{name}": partial(_real_keys, name, times=4) for name in ("yarn", "ntk")},
}
"""Name to what computes it."""
