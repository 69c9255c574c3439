"""Ids of relative positions: the matrix of queries and keys, and both signs beside each other."""

from typing import Any

import streamlit as st

from posenc.shaw.formula import Convention
from posenc.shaw.picture import RelativeIds
from posenc.words import say
from ui import notebooks, screen
from ui.charts.matrix import matrix
from ui.charts.panels import Panel, PanelFigure, follow_panels
from ui.words import _, number, plural

SIGNS: dict[Convention, str] = {"key_minus_query": "j − i", "query_minus_key": "i − j"}
"""What is clipped, by the sign convention."""
PANEL = 24
"""Tokens on a small panel."""

CODE = """\
quantity = RelativeIds({q_len}, {length}, {max_distance}, "{convention}")
"""


def show(chosen: dict[str, Any]) -> screen.ScreenView:
    """Draw the id matrix, and small ones of both signs.

    Args:
        chosen: The controls: length, q_len, max_distance, convention.

    Returns:
        The table and the snippet.
    """
    k, length, q_len = chosen["max_distance"], chosen["length"], chosen["q_len"]
    st.markdown(
        _(
            "Clipped at k = {k}, distances −{k} … {k} have the ids 0 … {last}: the table needs "
            "**2k + 1 = {rows} rows**. With 2k rows, id {last} would have no row.",
            k=k,
            last=2 * k,
            rows=2 * k + 1,
        )
    )
    notebooks.computed("id_matrix", **chosen)
    shown = matrix(
        RelativeIds(q_len, length, k, chosen["convention"]),
        key="id_matrix",
        title=_(
            "Ids clip({difference}, −{k}, {k}) + {k}", difference=SIGNS[chosen["convention"]], k=k
        ),
        alt=_("Heatmap of relative position ids: constant along diagonals, clipped far away"),
        default_cell=(q_len - 1, max(length - 3, 0)),
    )
    far = (0, 2 * k) if chosen["convention"] == "key_minus_query" else (2 * k, 0)
    screen.readouts(
        {
            _("rows of the table"): _("2k + 1 = {rows}", rows=2 * k + 1),
            _("id of the far past"): number(far[0], "d"),
            _("id of the same position"): number(k, "d"),
            _("id of the far future"): number(far[1], "d"),
        }
    )
    if q_len < length:
        st.caption(
            plural(
                "Row 0 is the query at position {first}, the last position.",
                "Row 0 is the query at position {first}: the queries are the last {count} "
                "positions.",
                q_len,
                first=length - q_len,
            )
        )
    show_signs(min(length, PANEL), k)
    return screen.ScreenView(
        lambda: {say("ids"): screen.view_frame(shown.view)},
        CODE.format(**chosen) + shown.code(),
    )


def show_signs(length: int, max_distance: int) -> None:
    """The ids of the first tokens under both sign conventions."""
    panels = [
        Panel(name.replace(" − ", "-"), name, RelativeIds(length, length, max_distance, sign))
        for sign, name in SIGNS.items()
    ]
    picture = PanelFigure(
        "signs",
        _("Both signs, first {length} tokens", length=length),
        _("The id matrix under both sign conventions"),
        panels,
        360,
    )
    notebooks.computed("signs", length=length, max_distance=max_distance)
    follow_panels([picture], key="signs", default=(length - 1, max(length - 3, 0)))
    st.caption(_("j − i is the sign of Shaw, tensor2tensor and T5; i − j is its mirror image."))
