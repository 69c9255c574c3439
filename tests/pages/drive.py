"""Open a screen without a browser and read what it draws."""

import json
import re
from collections.abc import Sequence
from typing import Any
from urllib.parse import parse_qs

import numpy as np
from streamlit.testing.v1 import AppTest
from streamlit.util import calc_hash

from plots.clocks import SPACING
from tests.conftest import PATIENCE, ROOT
from ui.charts.component import unpack

COMMAND = "posenc_command"

SCREENS = sorted(path.parent.name for path in (ROOT / "pages").glob("*/screen.py"))


def open_screen(screen: str, **query: str) -> AppTest:
    """The screen with these URL parameters, run once."""
    app = AppTest.from_file(str(ROOT / "navigation.py"), default_timeout=PATIENCE)
    for name, value in query.items():
        app.query_params[name] = value
    return _open(app, screen)


def go_to(app: AppTest, screen: str, **query: str) -> AppTest:
    """Another screen in the same session, by the menu; with parameters, by a link."""
    app.query_params.clear()
    app.query_params.update(query)
    return _open(app, screen)


def _open(app: AppTest, screen: str) -> AppTest:
    # As a link to the screen does: before a first run `switch_page` goes by the file's name alone,
    # which is screen.py everywhere, and a first run of home would take half a second.
    app._page_hash = calc_hash("" if screen == "home" else screen)
    return app.run()


def ids(widget: Any) -> list[str]:
    """Ids of what a control offers; its `options` are the labels."""
    return list(widget.format_func.__self__)


def presets(app: AppTest) -> dict[str, Any]:
    """Id to button of the settings to start from."""
    at = len("preset_")
    return {one.key[at:]: one for one in app.button if (one.key or "").startswith("preset_")}


def preset(app: AppTest) -> str | None:
    """The one that is marked."""
    styles = [one.proto.body for one in app.get("html") if ".st-key-preset_" in one.proto.body]
    (name,) = re.findall(r"\.st-key-preset_(\S*) button", "".join(styles))
    return name if name in presets(app) else None


def address(app: AppTest) -> dict[str, list[str]]:
    """The parameters that the last run wrote into the address."""
    components = [element.proto for element in app.get("bidi_component")]
    one = next(proto for proto in components if proto.component_name == "posenc_address")
    told = json.loads(one.json)
    return parse_qs(told["query"], keep_blank_values=True)


def figures(app: AppTest) -> list[tuple[dict[str, Any], int]]:
    """Header (plotly data and layout, arrays decoded) and payload bytes of every chart.

    The picture of two hands, where it stands, counts as a chart of what each pair adds; that of
    clocks as one of the height of their tips.
    """
    components = [element.proto for element in app.get("bidi_component")]
    payloads = [proto.bytes for proto in components if proto.component_name == "posenc_chart"]
    hands = moving(app, "hands")
    bars = {"data": [{"type": "bar", "y": terms(hands)}]} if hands else {}
    found = [(hands | bars, len(json.dumps(hands)))] if hands else []
    if played := moving(app, "clocks"):
        tips = {"data": [{"type": "scatter", "y": heights(played)}]}
        found.append((played | tips, len(json.dumps(played))))
    return found + [(unpack(payload), len(payload)) for payload in payloads]


def pictures(app: AppTest) -> list[dict[str, Any]]:
    """Headers of the charts, without their sizes."""
    return [header for header, _ in figures(app)]


def by_title(app: AppTest, words: str) -> dict[str, Any]:
    """The first chart with these words in its title."""
    return next(one for one in pictures(app) if words in one["layout"]["title"]["text"])


def curves(figure: dict[str, Any]) -> dict[str, np.ndarray]:
    """The curves by name; the mark of the followed point has none."""
    return {one["name"]: np.asarray(one["y"]) for one in figure["data"] if "name" in one}


def controls(app: AppTest) -> set[str]:
    """Names of the settings that are asked for."""
    kinds = ("number_input", "text_input", "toggle", "selectbox", "select_slider", "button_group")
    return {one.key for kind in kinds for one in app.get(kind) if one.key}


def metrics(app: AppTest) -> dict[str, str]:
    """Readouts by label."""
    return {metric.label: metric.value for metric in app.metric}


WITHOUT_NOTEBOOK = {"places"}
"""Pictures that no notebook computes: the drawing of a layer on Home, which has no numbers."""


def without_notebook(app: AppTest) -> set[str]:
    """Keys of pictures that should have a notebook and do not."""
    protos = [element.proto for element in app.get("bidi_component")]
    sent = [unpack(one.bytes) for one in protos if one.component_name == "posenc_chart"]
    sent += [json.loads(one.json) for one in protos if one.component_name == "posenc_moving"]
    without = {one["key"] for one in sent if "notebook" not in one["take"]["offers"]}
    return without - WITHOUT_NOTEBOOK


def moving(app: AppTest, key: str) -> dict[str, Any]:
    """Data that the browser is sent for a picture that moves; {} where it is not on the screen."""
    components = [element.proto for element in app.get("bidi_component")]
    payloads = [proto.json for proto in components if proto.component_name == "posenc_moving"]
    found = [data for data in map(json.loads, payloads) if data["key"] == key]
    return found[0] if found else {}


def heights(clocks: dict[str, Any]) -> np.ndarray:
    """How high the tips of the clocks stand, as the browser computes it from what it is sent."""
    angles = clocks["at"]["position"] * np.array(clocks["theta"])[clocks["shown"]]
    return np.sin(angles).astype("f4")


def terms(hands: dict[str, Any]) -> np.ndarray:
    """Each pair's term, as the browser computes it from the data that it is sent."""
    at = hands["at"]
    method = next(one for one in hands["methods"] if one["id"] == at["method"])
    content = hands["contents"][at["content"]]
    arcs = (at["m"] - at["n"]) * np.array(method["theta"])
    waves = np.array(content["dot"]) * np.cos(arcs) + np.array(content["cross"]) * np.sin(arcs)
    return (method["factor"] ** 2 * waves).astype("f4")


def drawn(figure: dict[str, Any]) -> np.ndarray:
    """The numbers of a figure: a heatmap's cells, else the curves stacked."""
    trace = figure["data"][0]
    if trace["type"] == "heatmap":
        return np.asarray(trace["z"])
    return np.stack(
        [np.asarray(t["y"]) for t in figure["data"] if t.get("showlegend") is not False]
    )


def shown(data: Sequence[dict[str, Any]], turns: bool = False) -> list[np.ndarray]:
    """Arrays that the app draws, in the order in which a notebook leaves them."""
    heatmaps = [trace for trace in data if trace["type"] == "heatmap"]
    if len(heatmaps) > 1:
        return [trace["z"] for trace in heatmaps]
    if heatmaps:
        (trace,) = heatmaps
        sizes = zip("yx", trace["z"].shape, strict=True)
        return [trace["z"], *(edges(trace, axis, n) for axis, n in sizes)]
    drawn = [trace for trace in data if trace.get("hoverinfo") != "skip"]
    if turns:  # hands, side by side
        tips = [trace for trace in drawn if trace.get("mode") == "markers"]
        centres = [SPACING * np.arange(len(row["x"])) for row in tips]
        hands = [row["x"] - at + 1j * row["y"] for row, at in zip(tips, centres, strict=True)]
        return [np.concatenate(hands)]
    return [np.asarray(trace[axis]) for trace in drawn for axis in "xy"]


def edges(trace: dict[str, Any], axis: str, cells: int) -> np.ndarray:
    if axis in trace:
        return np.asarray(trace[axis]) + 0.5
    start, step = trace[f"{axis}0"], trace[f"d{axis}"]
    return start - step / 2 + 0.5 + step * np.arange(cells + 1)


def assert_same(ours: list[np.ndarray], theirs: list[np.ndarray], key: str) -> None:
    """Equal to what float32, in which the app sends its numbers, tells apart."""
    for mine, drawn in zip(ours, theirs, strict=True):
        assert mine.shape == drawn.shape, key
        # A logarithmic axis has no 0, and what float32 takes for 0 is left out.
        gone = np.isnan(drawn) & (np.abs(mine) <= np.finfo(np.float32).smallest_subnormal)
        mine = np.where(gone, np.nan, mine)
        largest = np.nanmax(np.abs(np.where(np.isinf(drawn), 0, drawn)), initial=0)
        np.testing.assert_allclose(mine, drawn, rtol=1e-6, atol=1e-6 * largest, err_msg=key)


def left(names: dict[str, Any]) -> list[np.ndarray]:
    """Arrays that a program has computed, in the order of `shown`."""
    if "curves" in names:
        return [np.asarray(part) for curve in names["curves"] for part in curve]
    if "tips" in names:
        return [names["tips"]]
    values = names["values"]
    if isinstance(values, list):
        return [np.asarray(one) for one in values]
    return [values, np.asarray(names["row_edges"]), np.asarray(names["column_edges"])]


def sentences(app: AppTest) -> list[str]:
    """Every warning and error on the screen."""
    return [element.value for element in (*app.warning, *app.error)]


def commands(app: AppTest) -> list[str]:
    """What is to be copied and pasted elsewhere."""
    protos = [element.proto for element in app.get("bidi_component")]
    return [json.loads(one.json)["text"] for one in protos if one.component_name == COMMAND]


def links_of(app: AppTest) -> list[Any]:
    """The links of a screen, without those of the menu."""
    return [one for one in app.get("page_link") if one.proto.label not in (one.proto.page, "home")]
