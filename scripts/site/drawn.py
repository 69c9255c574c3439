"""What the app draws for a step of a walk, as it would send it to a browser."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

from streamlit.testing.v1 import AppTest
from streamlit.util import calc_hash

from ui.charts.component import unpack

APP = Path(__file__).resolve().parent.parent.parent / "app.py"
PATIENCE = 300.0
"""Seconds for one step: the first that opens a language model takes a while."""


@dataclass(frozen=True)
class Picture:
    """A picture of a step, as the app would send it to a browser."""

    key: str
    alt: str
    module: str
    """Its JavaScript, below `static/`."""
    data: bytes
    kind: str
    """Suffix of its file."""
    height: int


@dataclass(frozen=True)
class Drawn:
    """What the app shows beside the words of a step."""

    pictures: Sequence[Picture]
    readouts: Sequence[tuple[str, str]]
    tables: Sequence[str] = ()
    """Markdown, each with its heading."""


def draw(screen: str, step: int) -> Drawn:
    """Run a step of a walk in the app itself.

    Raises:
        SystemExit: If the app shows an error instead.
    """
    app = AppTest.from_file(str(APP), default_timeout=PATIENCE)
    app.query_params["step"] = str(step)
    app._page_hash = calc_hash(screen)
    app.run()
    wrong = [element.value for element in (*app.exception, *app.error, *app.warning)]
    if wrong:
        raise SystemExit(f"{screen}, step {step}: {wrong[0]}")
    pictures = [
        picture
        for element in app.get("bidi_component")
        if (picture := _picture(element.proto)) is not None
    ]
    if not pictures:
        raise SystemExit(f"{screen}, step {step} draws no picture.")
    texts = [one.value for one in app.markdown]
    tables = [
        f"{before}\n\n{text}" for before, text in pairwise(["", *texts]) if text.startswith("| ")
    ]
    return Drawn(pictures, [(one.label, one.value) for one in app.metric], tables)


def _picture(proto: Any) -> Picture | None:
    if proto.component_name == "posenc_chart":
        header = unpack(proto.bytes)
        module = "chart/chart.js"
        alt, height = header["alt"], header["height"]
        return Picture(header["key"], alt, module, proto.bytes, "bin", height)
    if proto.component_name == "posenc_moving":
        told = json.loads(proto.json)
        module = f"pictures/{told['module']}.js"
        return Picture(told["key"], told["alt"], module, proto.json.encode(), "json", 420)
    return None
