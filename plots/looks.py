"""How everything looks that is drawn on more than one screen: colour, dash and marker, by id."""

from dataclasses import dataclass

from plots.style import NEUTRAL, OKABE_ITO

BLUE, RED, GREEN, PINK, SKY, ORANGE, OLIVE = OKABE_ITO
GREY = "#949494"
# For what Okabe and Ito's seven are not enough for; the first two are Tol's.
PURPLE = "#AA4499"
ROSE = "#CC6677"
LEAF = "#5FA052"
BROWN = "#8C564B"
MAGENTA = "#E0559F"
CYAN = "#00A3A3"
VIOLET = "#8D7BF0"

ON_DARK = {BLUE: "#2489D0", PURPLE: "#BB62BB", BROWN: "#AD7A63"}
"""Colours on dark paper in the place of those that are too faint there: below 4.5 to 1."""


@dataclass(frozen=True)
class Look:
    """How one thing is drawn, the same on every screen."""

    color: str
    dash: str = "solid"
    marker: str = "circle"


ENCODINGS = {
    "nope": Look(GREY, "dot", "circle-open"),
    "learned": Look(ORANGE, "solid", "square"),
    "sinusoidal": Look(SKY, "solid", "diamond"),
    "shaw": Look(GREEN, "solid", "triangle-up"),
    "transformer_xl": Look(SKY, "dash", "diamond-open"),
    "t5": Look(PINK, "solid", "cross"),
    "alibi": Look(RED, "solid", "triangle-down"),
    "kerple": Look(RED, "dash", "triangle-down-open"),
    "sandwich": Look(ORANGE, "dash", "square-open"),
    "fire": Look(PINK, "dash", "x"),
    "rope": Look(BLUE, "solid", "circle"),
    "xpos": Look(BLUE, "dash", "circle-open"),
    "cope": Look(GREEN, "dash", "star"),
}
"""Encodings: no two share colour and dash, or colour and marker."""

METHODS = {
    "declared": Look(BROWN, "solid", "hourglass"),
    "none": Look(BLUE, "solid", "circle"),
    "linear": Look(RED, "dash", "square"),
    "ntk": Look(GREEN, "dashdot", "diamond"),
    "ntk_base": Look(SKY, "longdash", "diamond-tall"),
    "ntk_fixed": Look(SKY, "dot", "diamond-wide"),
    "ntk_mixed": Look(GREEN, "dot", "diamond-x"),
    # Dynamic NTK at one length is the alpha form, and has its colour.
    "ntk_alpha": Look(PINK, "longdashdot", "triangle-down"),
    "dynamic_ntk": Look(PINK, "dot", "triangle-up"),
    "ntk_by_parts": Look(ORANGE, "dash", "x"),
    "yarn_paper": Look(PURPLE, "dash", "star-square"),
    "yarn": Look(PURPLE, "solid", "star"),
    "yarn_no_temperature": Look(PURPLE, "dot", "star-diamond"),
    "longrope_short": Look(ROSE, "dot", "bowtie"),
    "longrope_long": Look(ROSE, "solid", "hash"),
    "llama3": Look(OLIVE, "dashdot", "cross"),
    "proportional": Look(LEAF, "dash", "pentagon"),
    "self_extend": Look(MAGENTA, "dashdot", "hexagram"),
    "rerope": Look(CYAN, "dash", "octagon"),
    "leaky_rerope": Look(CYAN, "dot", "triangle-left"),
    "dual_chunk": Look(VIOLET, "longdash", "triangle-right"),
}
"""Methods to read further: no two share colour and dash, or a marker."""

READINGS = {
    "interpolate": Look(ORANGE, "dot", "square-x"),
    "window": Look(SKY, "longdash", "hexagon"),
    "slide": Look(NEUTRAL, "dash", ""),
}
"""Looks of the lab's baselines: a stretched table, a window mask, a sliding window."""

HABITS = {
    "previous": Look(SKY, "solid", "triangle-left"),
    "first": Look(GREY, "solid", "circle"),
    "itself": Look(RED, "solid", "diamond"),
    "copy": Look(GREEN, "solid", "square"),
    "after_copy": Look(PINK, "solid", "star"),
    "even": Look(ORANGE, "solid", "cross"),
}
"""Looks of a head's habits: no two share a colour or a marker."""

KNOWN = {
    "ran": Look(GREEN, "solid", "circle"),
    "read": Look(BLUE, "solid", "circle-open"),
    "ignored": Look(RED, "solid", "x"),
    "refused": Look(NEUTRAL, "solid", "square"),
    "not tried": Look(NEUTRAL, "solid", "line-ew-open"),
}
"""How well it is known what an engine makes of a setting: no two share a marker."""

LOOKS = ENCODINGS | METHODS | READINGS
UNKNOWN = Look(NEUTRAL, "dot", "circle-x")
"""For what has no look of its own."""


def look(name: str) -> Look:
    """The look of an encoding or a method by its id; grey where it has none."""
    return LOOKS.get(name, UNKNOWN)
