"""The pictures of a screen as one HTML file that opens anywhere, without a server or a network."""

import base64
import json
from collections.abc import Callable, Mapping
from html import escape
from typing import Any

import numpy as np
import streamlit as st

from plots.figure import Figure
from ui.charts.component import BUNDLE, FOLDER, GRID, DrawnChart, as_json, number_kind, spoken
from ui.words import _, language, translate

MIMES = {
    "csv": "text/csv",
    "diff": "text/x-diff",
    "html": "text/html",
    "ipynb": "application/x-ipynb+json",
    "json": "application/json",
    "md": "text/markdown",
    "npz": "application/octet-stream",
}
"""Kinds of files, by the end of their names."""
PAGE = """\
<!doctype html>
<html lang="{language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>{title}</title>
<style>
body {{ font: 16px/1.5 system-ui, sans-serif; color: #222; background: #fff; margin: 2rem auto;
  max-width: 64rem; padding: 0 1rem; }}
figure {{ margin: 2rem 0; }}
figcaption {{ color: #555; font-size: 0.875rem; }}
pre {{ background: #f6f6f4; padding: 1rem; overflow: auto; font-size: 0.8125rem; }}
</style>
</head>
<body>
<main>
<h1>{title}</h1>
<p>{question}</p>
{figures}
<h2>{heading}</h2>
<p>{about}</p>
<pre><code>{code}</code></pre>
</main>
<!--
{licence}
-->
<script>{bundle}</script>
<script type="application/json" id="pictures">{pictures}</script>
<script>
const config = {{ responsive: true, displaylogo: false, plotlyServerURL: "" }};
const pictures = JSON.parse(document.getElementById("pictures").textContent);
pictures.forEach((picture, i) => Plotly.newPlot("picture-" + i, {{ ...picture, config }}));
</script>
</body>
</html>
"""
FIGURE = """\
<figure>
<div id="picture-{index}" role="img" aria-label="{alt}" style="height: {height}px"></div>
<figcaption>{alt}.</figcaption>
</figure>"""


def one_file(title: str, question: str, charts: Mapping[str, DrawnChart], code: str) -> bytes:
    """An HTML file with the drawing library, the figures with their data, and the code.

    Returns:
        The file, UTF-8. It asks for nothing else.
    """
    figures = "\n".join(
        FIGURE.format(index=index, alt=escape(translate(one.alt).rstrip(".")), height=one.height)
        for index, one in enumerate(charts.values())
    )
    pictures = as_json([_plain(one.figure) for one in charts.values()]).decode()
    page = PAGE.format(
        language=language(),
        heading=escape(_("Code")),
        about=escape(_("Computes the numbers of the first picture.")),
        title=escape(title),
        question=escape(question),
        figures=figures,
        code=escape(code),
        licence=(FOLDER / "plotly-LICENSE.txt").read_text("utf-8"),
        bundle=(FOLDER / BUNDLE).read_text("utf-8"),
        # Nothing that a token or a label says may end the element it stands in.
        pictures=pictures.replace("<", "\\u003c"),
    )
    return page.encode()


def download_button(title: str, question: str, charts: Mapping[str, DrawnChart], code: str) -> None:
    """Offer the file; it is put together when it is asked for."""
    download(
        _("HTML of all pictures"),
        lambda: one_file(title, question, charts, code),
        "pictures.html",
        help=_(
            "One file with the pictures as they are now, their data and the code. It opens in a "
            "browser without a network."
        ),
    )


def download(
    label: str, data: str | bytes | Callable[[], str | bytes], name: str, **more: Any
) -> None:
    """A button that gives a file of this name; nothing is drawn anew."""
    mime = MIMES[name.rpartition(".")[2]]
    st.download_button(label, data, file_name=name, mime=mime, on_click="ignore", **more)


def _plain(figure: Figure) -> dict[str, Any]:
    """A figure in the look of the charts, without a reader's theme."""
    parts: dict[str, Any] = json.loads(as_json(spoken(figure), _typed))
    layout = parts["layout"] | {"autosize": True}
    for name in [key for key in layout if key.startswith(("xaxis", "yaxis"))]:
        lines = {"gridcolor": GRID, "linecolor": GRID, "tickcolor": GRID}
        layout[name] = lines | layout[name]
    return parts | {"layout": layout}


def _typed(array: np.ndarray) -> Any:
    """An array as plotly.js reads it from a file: base64, a third of what its digits take."""
    kind = number_kind(array)
    if kind is None:
        return array.tolist()
    data = base64.b64encode(array.astype(f"<{kind}").tobytes()).decode()
    return {"dtype": kind, "bdata": data, "shape": ", ".join(map(str, array.shape))}
