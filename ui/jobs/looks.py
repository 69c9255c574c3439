"""Names, colours and dashes of the ways to read a lab model, the same wherever they are drawn."""

from lab.model.methods import METHODS, SLIDE
from plots.style import NEUTRAL
from ui.controls.methods import STYLES

NAMES = METHODS | {
    "yarn_no_temperature": "YaRN, no temperature",
    "window": "window mask",
    SLIDE: "sliding window",
}
LOOKS: dict[str, tuple[str | None, str | None]] = {
    "none": STYLES["none"],
    "linear": STYLES["linear"],
    "ntk": STYLES["NTK-aware"],
    "dynamic_ntk": STYLES["dynamic NTK"],
    "ntk_by_parts": STYLES["NTK-by-parts"],
    "yarn": STYLES["YaRN"],
    "yarn_no_temperature": (STYLES["YaRN"][0], "dot"),
    "llama3": STYLES["Llama-3"],
    "window": ("#56B4E9", "longdash"),
    SLIDE: (NEUTRAL, "dash"),
}
"""Colour and dash; other names take the next of the set."""
