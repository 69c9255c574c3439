"""Where a number comes from: an output, the weights and values that it is the sum of, q and k."""

from typing import Any

from torch import Tensor

from pages.why_position.settings import MAX_WORDS, Settings
from plots.figure import Figure
from plots.heatmap import heatmap
from posenc.words import say
from ui import controls, screen
from ui.charts.moving import reported
from ui.charts.points import Coordinate, Point, PointField
from ui.text import live
from ui.words import _, translate

KEY = "origin"
POINT = "origin_of"
WORDS = {
    "q": "Q",
    "k": "K",
    "weights": say("weights"),
    "v": "V",
    "output": say("output"),
    "grid": say("Output: a row for each word, a column for each dimension"),
    "cell": say("{word}, dimension {col}: {value}"),
    "sum": say("The output of {word} in dimension {col}: weights times values"),
    "weight": say("The weight of {key} for {word}: its share of e to the power of the scores"),
    "score": say("The score of {word} and {key}: query times key, {rest}"),
    "scaled": say("divided by √{width}"),
    "biased": say("divided by √{width}, and what the encoding adds"),
    "more": say("{count} more: {rest}"),
    "added": say("the encoding adds {rest}"),
    "term": say("weight {weight} of {key} times its value {value}"),
    "product": say("channel {channel}: query {query} times key {value}"),
    "hidden": say("The mask hides {key} from {word}: its weight is 0."),
    "sentence": say(
        "The output of {word} in dimension {col} is {value}, a sum over {count} words. {key} adds "
        "{part} to it: the weight {weight} times the value {v}."
    ),
}
"""Interface words of the browser side, by its names for them."""


def hear() -> None:
    """Copy what the picture has reported into the control, before it is drawn."""
    report = reported(KEY)
    found = [report.get(name) for name in ("row", "col", "key")]
    if all(isinstance(one, int) and 0 <= one < MAX_WORDS for one in found):
        controls.put(POINT, ", ".join(map(str, found)))


def figure(s: Settings) -> screen.MovingFigure:
    """The matrices of one attention, a number of the output followed through them."""
    words = len(s.words)
    coordinates = (
        Coordinate(_("word"), range(words)),
        Coordinate(_("dimension"), range(s.head_dim)),
        Coordinate(_("key"), range(words)),
    )
    first = (words - 1, 0, 0)

    def settings(number: Point) -> dict[str, Any]:
        row, col, key = number
        return {**s.program, "word": row, "dimension": col, "key": key}

    return screen.MovingFigure(
        key=KEY,
        alt=_("An output of attention, and every number that it is made of"),
        words=WORDS,
        data=lambda number: {
            "at": dict(zip(("row", "col", "key"), number, strict=True)),
            "words": s.words,
            **numbers(s.typed),
        },
        still=lambda _number: still(s.typed),
        settings=settings if s.encoding == "nope" else None,
        height=190 + 26 * words,
        field=PointField(POINT, say("number"), coordinates, first, {}, width=240),
    )


def still(typed: live.Result) -> Figure:
    """The five matrices beside one another."""
    trace = typed.trace
    matrices = {
        "q": trace.q,
        "k": trace.k,
        "weights": trace.weights,
        "v": typed.rows.v,
        "output": trace.output,
    }
    count = len(matrices)
    traces = []
    axes = {}
    for at, (name, values) in enumerate(matrices.items()):
        title = translate(WORDS[name])
        one = heatmap(
            values[0, 0].numpy(),
            title=_("Queries, keys, weights, values, and the output that they make"),
            x_title=title,
            y_title=_("word"),
            signed=name != "weights",
        )
        ends = [(at + 0.1) / count, (at + 1) / count]
        number = str(at + 1) if at else ""
        traces.append(
            one.data[0]
            | {"name": title, "showscale": False, "xaxis": f"x{number}", "yaxis": f"y{number}"}
        )
        axes[f"xaxis{number}"] = one.layout["xaxis"] | {"domain": ends, "anchor": f"y{number}"}
        axes[f"yaxis{number}"] = one.layout["yaxis"] | {"anchor": f"x{number}"}
    return Figure(traces, one.layout | axes)


def numbers(typed: live.Result) -> dict[str, Any]:
    """Every stage of the attention, as rows of numbers; what the mask hides is None."""
    trace = typed.trace
    stages = {
        "q": trace.q,
        "k": trace.k,
        "v": typed.rows.v,
        "dot": trace.dot,
        "bias": trace.bias,
        "logits": trace.logits,
        "weights": trace.weights,
        "mixed": trace.mixed,
        "output": trace.output,
    }
    return {name: _rows(values[0, 0]) for name, values in stages.items()}


def _rows(values: Tensor) -> list[list[float | None]]:
    return [[one if abs(one) != float("inf") else None for one in row] for row in values.tolist()]
