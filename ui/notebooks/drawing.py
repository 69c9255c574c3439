"""A figure as lines of matplotlib, and its numbers as lines of Python."""

import re
from base64 import b64encode
from typing import Any

import numpy as np
import orjson

from plots.figure import Figure, Part
from ui.words import translate

MOST_WRITTEN = 6000
"""Numbers of an array that a notebook writes out; longer ones are packed."""
IMPORTS = "from base64 import b64decode\n\nfrom numpy import array, frombuffer, inf, nan"
SIZE = (9, 5)


def drawing(figure: Figure) -> str:
    """A cell that draws what a notebook has computed.

    Args:
        figure: Of heatmaps, curves or bars; its first trace says which.

    Returns:
        Python. It takes `values`, `row_edges` and `column_edges` of one matrix, a list `values`
        of several, or a list `curves` of places and heights.
    """
    heatmaps = [trace for trace in figure.data if trace["type"] == "heatmap"]
    if len(heatmaps) > 1:
        lines = _panels(figure, heatmaps)
    elif heatmaps:
        lines = _matrix(figure, heatmaps[0])
    else:
        lines = _curves(figure)
    return "\n".join(["import matplotlib.pyplot as plt", "", *lines, "plt.show()"])


def numbers(figure: Figure) -> list[str] | None:
    """A cell with the numbers that a figure draws, by the names that `drawing` takes.

    None where there are none: in a drawing, which has neither a heatmap nor axes.
    """
    heatmaps, curves = heatmaps_of(figure), curves_of(figure)
    if len(heatmaps) > 1:
        matrices = ",\n    ".join(_list(trace["z"]) for trace in heatmaps)
        return [f"{IMPORTS}\n\nvalues = [\n    {matrices},\n]"]
    if heatmaps:
        (trace,) = heatmaps
        z = np.asarray(trace["z"])
        written = [*map(_list, z)] if z.size <= MOST_WRITTEN else [f"*{packed(z)}"]
        rows = ",\n    ".join(written)
        edges = [
            f"{name} = {_edges(trace, axis, size)}"
            for name, axis, size in zip(
                ("row_edges", "column_edges"), "yx", np.shape(trace["z"]), strict=True
            )
        ]
        lines = [IMPORTS, "", f"values = array([\n    {rows},\n])", *edges]
        return ["\n".join(lines)]
    if not curves:
        return None
    pairs = ",\n    ".join(f"({_list(trace['x'])},\n     {_list(trace['y'])})" for trace in curves)
    return [f"{IMPORTS}\n\ncurves = [  # places and heights\n    {pairs},\n]"]


def has_numbers(figure: Figure) -> bool:
    """Whether `numbers` has any."""
    return bool(heatmaps_of(figure) or curves_of(figure))


def heatmaps_of(figure: Figure) -> list[Part]:
    """The matrices of a figure."""
    return [trace for trace in figure.data if trace["type"] == "heatmap"]


def curves_of(figure: Figure) -> list[Part]:
    """Curves and bars of a figure with axes."""
    is_drawing = figure.layout.get("xaxis", {}).get("visible") is False
    return [] if is_drawing else _drawn_curves(figure)


def packed(array: np.ndarray) -> str:
    """Numbers as an expression of `b64decode` and `frombuffer`: all their digits in few letters."""
    little = array.astype(array.dtype.newbyteorder("<"))
    text = b64encode(little.tobytes()).decode()
    kind = little.dtype.str
    return f'frombuffer(b64decode("{text}"), "{kind}").reshape({array.shape}).astype(float)'


def _list(array: Any) -> str:
    """Numbers as Python writes them, in as few digits as bring them back."""
    plain = np.ascontiguousarray(array)
    if plain.dtype.kind not in "fiu":
        return repr([str(one) for one in plain.tolist()])
    if plain.size > MOST_WRITTEN:
        return packed(plain)
    text = orjson.dumps(plain, option=orjson.OPT_SERIALIZE_NUMPY).decode()
    return text.replace("null", "nan").replace(",", ", ")


def _edges(trace: Part, axis: str, cells: int) -> str:
    if axis in trace:
        return _list(np.asarray(trace[axis]) + 0.5)
    start, step = trace.get(f"{axis}0", 0), trace.get(f"d{axis}", 1)
    return f"[{start - step / 2 + 0.5} + {step} * n for n in range({cells + 1})]"


def _drawn_curves(figure: Figure) -> list[Part]:
    """Traces that are curves or bars; neither marks nor what lies around a curve."""
    return [
        trace
        for trace in figure.data
        if trace["type"] in ("scatter", "bar") and trace.get("hoverinfo") != "skip"
    ]


def plain(text: Any) -> str:
    """A text of a figure without its line breaks."""
    return " ".join(re.sub(r"<.*?>", " ", translate(text)).split()) if text else ""


def _titles(layout: Part, x: str = "xaxis") -> list[tuple[str, str]]:
    """Functions of matplotlib and what they write."""
    titles = [("title", layout.get("title", {}).get("text"))]
    titles += [("xlabel", layout.get(x, {}).get("title", {}).get("text"))]
    titles += [("ylabel", layout.get("yaxis", {}).get("title", {}).get("text"))]
    return [(name, plain(text)) for name, text in titles if text]


def _colors(trace: Part) -> str:
    low, high = trace["zmin"], trace["zmax"]
    return f'cmap="{"RdBu_r" if low == -high else "viridis"}", vmin={low:.6g}, vmax={high:.6g}'


def _matrix(figure: Figure, trace: Part) -> list[str]:
    layout = figure.layout
    unit = plain(trace.get("colorbar", {}).get("title", {}).get("text"))
    label = f", label={unit!r}" if unit else ""
    lines = [
        f"plt.figure(figsize={SIZE})",
        "x, y = ([edge - 0.5 for edge in edges] for edges in (column_edges, row_edges))",
        f"plt.pcolormesh(x, y, values, {_colors(trace)})",
        f"plt.colorbar({label.removeprefix(', ')})",
    ]
    start, stop = layout["yaxis"].get("range", (1, 0))
    if start > stop:
        lines.append("plt.gca().invert_yaxis()")
    for name, axis in (("xticks", "xaxis"), ("yticks", "yaxis")):
        if "ticktext" in layout[axis]:
            labels = [plain(text) for text in layout[axis]["ticktext"]]
            turned = ", rotation=90" if name == "xticks" else ""
            lines.append(f"plt.{name}({list(layout[axis]['tickvals'])}, {labels}{turned})")
    return lines + [f"plt.{name}({text!r})" for name, text in _titles(layout)]


def _panels(figure: Figure, traces: list[Part]) -> list[str]:
    names = [plain(trace.get("name", "")) for trace in traces]
    title, *axes = _titles(figure.layout, f"xaxis{len(traces)}")
    across = figure.layout.get("meta", {}).get("columns", len(traces))
    down = -(-len(traces) // across)
    size = f"figsize=(11, {3.4 * down:.1f}), squeeze=False, layout='constrained'"
    return [
        f"names = {names}",
        f"figure, axes = plt.subplots({down}, {across}, {size})",
        "for axis, name, matrix in zip(axes.flat, names, values):",
        f"    drawn = axis.imshow(matrix, {_colors(traces[0])})",
        "    axis.set_title(name, fontsize='small')",
        "figure.colorbar(drawn, ax=axes)",
        f"figure.suptitle({title[1]!r})",
        *(f"figure.sup{name}({text!r})" for name, text in axes),
    ]


def _curves(figure: Figure) -> list[str]:
    layout = figure.layout
    traces = _drawn_curves(figure)
    names = [plain(trace.get("name", "")) for trace in traces]
    lines = [f"plt.figure(figsize={SIZE})"]
    colors = [(trace.get("line") or trace.get("marker") or {}).get("color") for trace in traces]
    is_plain = all(isinstance(color, str) and color.startswith("#") for color in colors)
    if traces and traces[0]["type"] == "bar":
        color = f", color={colors[0]!r}" if is_plain else ""
        lines += ["for x, y in curves:", f"    plt.bar(x, y{color})"]
        if "ticktext" in layout["xaxis"]:
            labels = [plain(text) for text in layout["xaxis"]["ticktext"]]
            lines.append(f"plt.xticks({list(layout['xaxis']['tickvals'])}, {labels}, rotation=90)")
    elif len(names) == 1:
        color = f", color={colors[0]!r}" if is_plain else ""
        form = ', "o"' if traces[0].get("mode") == "markers" else ""
        lines += ["for x, y in curves:", f"    plt.plot(x, y{form}{color})"]
    elif is_plain:
        lines += [
            f"names = {names}",
            f"colors = {colors}",
            "for name, color, (x, y) in zip(names, colors, curves):",
            "    plt.plot(x, y, color=color, label=name)",
            "plt.legend()",
        ]
    else:
        lines += [
            f"names = {names}",
            "for name, (x, y) in zip(names, curves):",
            "    plt.plot(x, y, label=name)",
            "plt.legend()",
        ]
    lines += [
        f"plt.fill({_list(band['x'])}, {_list(band['y'])}, alpha=0.2, color={band['fillcolor']!r})"
        for band in figure.data
        if band.get("fill") == "toself" and band["fillcolor"] in colors
    ]
    lines += [line for shape in layout.get("shapes", ()) for line in _shape(shape)]
    for axis in "xy":
        about = layout.get(f"{axis}axis", {})
        if about.get("type") == "log":
            lines.append(f'plt.{axis}scale("log")')
        if "range" in about:
            ends = [10**end if about.get("type") == "log" else end for end in about["range"]]
            lines.append(f"plt.{axis}lim({ends[0]:.6g}, {ends[1]:.6g})")
    return lines + [f"plt.{name}({text!r})" for name, text in _titles(layout)]


def _shape(shape: Part) -> list[str]:
    """A line across the figure, or a shaded stretch, with its words."""
    words = plain(shape.get("label", {}).get("text", ""))
    remark = f"  # {words}" if words else ""
    if "domain" not in str(shape.get("yref", "")) + str(shape.get("xref", "")):
        return []
    axis = "x" if "domain" in str(shape.get("yref", "")) else "y"
    name = {"x": "v", "y": "h"}[axis]
    start, stop = shape[f"{axis}0"], shape[f"{axis}1"]
    if shape["type"] == "line":
        return [f"plt.ax{name}line({start:.8g}, color='grey', linestyle='--'){remark}"]
    return [f"plt.ax{name}span({start:.8g}, {stop:.8g}, color='grey', alpha=0.15){remark}"]
