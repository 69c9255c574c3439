"""Ids of relative positions: the matrix of queries and keys, and both signs beside each other."""

from dataclasses import dataclass
from typing import ClassVar

from pages.relative import settings
from posenc.shaw.formula import Convention
from posenc.shaw.picture import RelativeIds
from posenc.words import say
from ui import controls, screen
from ui.charts.panels import Panel
from ui.words import _, number, plural

SIGNS: dict[Convention, str] = {"key_minus_query": "j − i", "query_minus_key": "i − j"}
"""The distance that is clipped, by the sign convention."""
PANEL = 24
"""Tokens on a small panel."""
CONVENTION_LABELS = {
    "key_minus_query": say("j − i, key minus query"),
    "query_minus_key": say("i − j, query minus key"),
}


@dataclass(frozen=True, kw_only=True)
class Settings:
    first: ClassVar = ("length", "max_distance")

    length: int = settings.length(12, 100_000_000)
    cached: int = controls.entry(
        controls.number,
        say("Cached keys"),
        0,
        0,
        lambda s: s.length - 1,
        help=say("Keys before the first query: L − q_len. L − 1 when one token is decoded."),
    )
    max_distance: int = settings.max_distance()
    convention: Convention = controls.entry(
        controls.choice,
        say("Sign"),
        CONVENTION_LABELS,
        help=say("Shaw, tensor2tensor and T5 count j − i; Transformer-XL and ALiBi count i − j."),
    )

    @property
    def q_len(self) -> int:
        return self.length - self.cached


def picture(s: Settings) -> screen.Picture:
    """The id matrix, and small ones of both signs."""
    k = s.max_distance
    past, future = (0, 2 * k) if s.convention == "key_minus_query" else (2 * k, 0)
    return screen.Picture(
        figures=[ids(s), signs(min(s.length, PANEL), k)],
        words=_(
            "Clipped at k = {k}, distances −{k} … {k} have the ids 0 … {last}: the table needs "
            "**2k + 1 = {rows} rows**. With 2k rows, id {last} would have no row.",
            k=k,
            last=2 * k,
            rows=2 * k + 1,
        ),
        readouts={
            _("rows of the table"): _("2k + 1 = {rows}", rows=2 * k + 1),
            _("id of the far past"): number(past, "d"),
            _("id of the same position"): number(k, "d"),
            _("id of the far future"): number(future, "d"),
        },
    )


def ids(s: Settings) -> screen.MatrixFigure:
    k = s.max_distance
    rows = plural(
        "Row 0 is the query at position {first}, the last position.",
        "Row 0 is the query at position {first}: the queries are the last {count} positions.",
        s.q_len,
        first=s.cached,
    )
    return screen.MatrixFigure(
        key="id_matrix",
        quantity=RelativeIds(s.q_len, s.length, k, s.convention),
        title=_("Ids clip({difference}, −{k}, {k}) + {k}", difference=SIGNS[s.convention], k=k),
        alt=_("Heatmap of relative position ids: constant along diagonals, clipped far away"),
        cell=(s.q_len - 1, max(s.length - 3, 0)),
        table=say("ids"),
        settings=screen.only(s, "length", "q_len", "max_distance", "convention"),
        caption=rows if s.cached else "",
    )


def signs(length: int, max_distance: int) -> screen.PanelsFigure:
    """The ids of the first tokens under both sign conventions."""
    panels = [
        Panel(name.replace(" − ", "-"), name, RelativeIds(length, length, max_distance, sign))
        for sign, name in SIGNS.items()
    ]
    return screen.PanelsFigure(
        key="signs",
        title=_("Both signs, first {length} tokens", length=length),
        alt=_("The id matrix under both sign conventions"),
        panels=panels,
        height=360,
        cell=(length - 1, max(length - 3, 0)),
        settings={"length": length, "max_distance": max_distance},
        caption=_("j − i is the sign of Shaw, tensor2tensor and T5; i − j is its mirror image."),
    )
