"""The drawing of an attention layer with the four places where position can enter."""

from collections.abc import Collection

from plots.figure import Figure, Part
from plots.style import NEUTRAL, base_layout
from plots.words import _

QUIET = "rgba(128, 128, 128, 0.14)"

# Boxes: centre x, centre y, width. Their texts are those of `_texts`.
STEPS = {
    "embeddings": (5.0, 10.2, 5.2),
    "query": (1.7, 7.2, 3.0),
    "key": (5.0, 7.2, 3.0),
    "value": (8.3, 7.2, 3.0),
    "scores": (3.35, 4.2, 4.6),
    "softmax": (3.35, 1.2, 4.6),
    "output": (5.0, -1.8, 5.2),
}
PLACES = {
    "embed": (5.0, 8.7, 5.2),
    "rotate": (3.35, 5.7, 6.3),
    "bias": (3.35, 2.7, 4.6),
    "mix": (5.0, -0.3, 5.2),
}
ARROWS = [
    (5.0, 9.8, 5.0, 9.15),
    (3.4, 8.25, 1.9, 7.65),
    (5.0, 8.25, 5.0, 7.65),
    (6.6, 8.25, 8.1, 7.65),
    (1.7, 6.75, 1.7, 6.15),
    (5.0, 6.75, 5.0, 6.15),
    (3.35, 5.25, 3.35, 4.65),
    (3.35, 3.75, 3.35, 3.15),
    (3.35, 2.25, 3.35, 1.65),
    (3.35, 0.75, 4.2, 0.15),
    (8.3, 6.75, 6.6, 0.15),
    (5.0, -0.75, 5.0, -1.35),
]


def four_places(active: Collection[str], color: str, title: str) -> Figure:
    """An attention layer, read from top to bottom, with places lit up.

    Args:
        active: Which of "embed", "rotate", "bias" and "mix" to light up.
        color: CSS colour of the lit places, as #rrggbb.
        title: What is lit.

    Returns:
        A figure of shapes alone.

    Raises:
        ValueError: If a place is not one of the four.
    """
    unknown = sorted(set(active) - set(PLACES))
    if unknown:
        raise ValueError(f"active must hold {', '.join(PLACES)}, got {', '.join(unknown)}.")
    # An empty trace keeps the axes; everything else is a shape.
    empty = {"type": "scatter", "x": [0, 10], "y": [-2.4, 10.8], "mode": "none"}
    texts = _texts()
    clear = "rgba(0,0,0,0)"
    boxes = [_box(texts[name], *box, QUIET, clear, 0) for name, box in STEPS.items()]
    for name, box in PLACES.items():
        lit = name in active
        boxes.append(_box(texts[name], *box, color if lit else clear, color, 2, lit=lit))
    hidden = {"visible": False, "fixedrange": True}
    layout = base_layout(title)
    layout |= {
        "xaxis": hidden | {"range": [0, 10]},
        "yaxis": hidden | {"range": [-2.5, 10.8]},
        "margin": layout["margin"] | {"l": 4, "r": 4, "b": 4},
    }
    figure = Figure([empty | {"hoverinfo": "skip", "showlegend": False}], layout)
    return figure.add(shapes=boxes, annotations=[_arrow(*ends) for ends in ARROWS])


def _texts() -> dict[str, str]:
    """Texts in the boxes."""
    return {
        "embeddings": _("token embeddings x"),
        "query": _("query  q = x W<sub>Q</sub>"),
        "key": _("key  k = x W<sub>K</sub>"),
        "value": _("value  v = x W<sub>V</sub>"),
        "scores": _("scores  q · k / √d,  mask"),
        "softmax": _("softmax over the keys"),
        "output": _("output = Σ weight · v"),
        "embed": _("1  + position"),
        "rotate": _("2  rotate q and k by position"),
        "bias": _("3  + bias of the distance"),
        "mix": _("4  + position in the values"),
    }


def _readable_on(fill: str) -> str:
    """White or black, whichever stands out more on a colour (contrast as in WCAG 2)."""
    linear = [
        c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4
        for c in (int(fill[at : at + 2], 16) / 255 for at in (1, 3, 5))
    ]
    luminance = 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
    return "#ffffff" if 1.05 / (luminance + 0.05) >= (luminance + 0.05) / 0.05 else "#000000"


def _box(
    text: str,
    x: float,
    y: float,
    width: float,
    fill: str,
    edge: str,
    edge_width: float,
    *,
    lit: bool = False,
) -> Part:
    font = {"size": 13} | ({"color": _readable_on(fill)} if lit else {})
    return {
        "type": "rect",
        "x0": x - width / 2,
        "x1": x + width / 2,
        "y0": y - 0.42,
        "y1": y + 0.42,
        "line": {"color": edge, "width": edge_width, "dash": "solid" if lit else "dot"},
        "fillcolor": fill,
        "label": {"text": text, "font": font},
    }


def _arrow(x0: float, y0: float, x1: float, y1: float) -> Part:
    return {
        "x": x1,
        "y": y1,
        "ax": x0,
        "ay": y0,
        "xref": "x",
        "yref": "y",
        "axref": "x",
        "ayref": "y",
        "showarrow": True,
        "arrowhead": 2,
        "arrowsize": 1,
        "arrowwidth": 1.2,
        "arrowcolor": NEUTRAL,
        "text": "",
    }
