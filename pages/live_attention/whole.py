"""Every head of every layer as a small picture, marked by what it does."""

from functools import lru_cache

import numpy as np
import pandas as pd
from torch import Tensor

from models.glance import Glance
from models.opened import Model
from plots.looks import HABITS as LOOKS
from plots.mosaic import mosaic
from posenc.attention.habits import CLEAR, HABITS, MIXED, habit_of
from posenc.words import say
from ui import screen
from ui.charts.component import Cell
from ui.charts.points import on_click
from ui.memory import memory
from ui.words import _, language, number, translate

Place = tuple[int, int]
"""Layer and head."""
ORDERS = {"layers": say("layer and head")} | HABITS


def open_clicked(model: Model) -> None:
    """Before the controls are drawn: open the head that was clicked."""
    # As drawn: columns, cells of a panel with the gap after it, layer and head of each.
    places: tuple[int, int, list[tuple[int, int]]] | None = memory().get("_live_places")
    if places is None:
        return

    def clicked(cell: Cell) -> dict[str, int]:
        columns, side, order = places
        row, column = int(cell.y) // side, int(cell.x) // side
        if not (0 <= column < columns and 0 <= row * columns + column < len(order)):
            return {}
        layer, head = order[row * columns + column]
        fits = layer < len(model.layers) and head < model.heads
        return {"layer": layer, "head": head} if fits else {}

    on_click("whole", clicked)


def figure(
    glance: Glance, chosen: tuple[int, int], order: str, *, changed: bool
) -> screen.ChartFigure:
    """The small pictures, heads below one another and layers side by side, or sorted."""
    layers, heads, cells, _cells = glance.views.shape
    places = arranged(glance, order)
    grid = np.array(places).reshape(heads, layers, 2)
    memory()["_live_places"] = layers, cells + 1, places
    kinds, words_of = every_head(glance.shares, language())
    names = [[words_of[tuple(at)] for at in line] for line in grid.tolist()]
    sorted_by = order != "layers"
    drawn = mosaic(
        glance.views[grid[..., 0], grid[..., 1]].numpy(),
        names,
        [[kinds[tuple(at)] for at in line] for line in grid.tolist()],
        LOOKS,
        {name: translate(label) for name, label in HABITS.items()},
        title=_title(order, layers * heads, changed=changed),
        x_title="" if sorted_by else _("layer"),
        y_title="" if sorted_by else _("head"),
        chosen=next(divmod(n, layers) for n, at in enumerate(places) if at == chosen),
        numbered=not sorted_by,
        faint="first",
    )
    words = _(
        "A mark says to what a head gives at least {share:.0%} of its attention, mean over the "
        "queries that can; that of *all tokens evenly* goes by the entropy. Choose a small picture "
        "to open its head above.",
        share=CLEAR,
    )
    if glance.queries < glance.seen.length:
        words += " " + _("{count} queries of the text were looked at.", count=glance.queries)
    return screen.ChartFigure(
        key="whole",
        figure=drawn,
        alt=_("Small heatmaps of the attention of {count} heads", count=layers * heads),
        height=150 + 26 * heads,
        rev=f"{order}{grid.shape}",
        caption=words,
        tables=lambda: {_("heads"): habits(glance)},
    )


def habits(glance: Glance) -> pd.DataFrame:
    """To what each head gives how much of its attention."""
    layers, heads = glance.views.shape[:2]
    names = [translate(label) for label in HABITS.values()]
    table = pd.DataFrame(glance.shares.flatten(0, 1).numpy(), columns=names)
    table.insert(0, _("head"), list(range(heads)) * layers)
    table.insert(0, _("layer"), [layer for layer in range(layers) for _head in range(heads)])
    return table


def _title(order: str, count: int, *, changed: bool) -> str:
    if order != "layers":
        habit = HABITS[order]
        return _(
            "All {count} heads, sorted by their attention to: {habit}", count=count, habit=habit
        )
    if changed:
        return _("Attention of all {count} heads, as changed", count=count)
    return _("Attention of all {count} heads", count=count)


def arranged(glance: Glance, order: str) -> list[tuple[int, int]]:
    """Layer and head of every small picture, in the order of reading."""
    layers, heads = glance.views.shape[:2]
    places = [(layer, head) for head in range(heads) for layer in range(layers)]
    if order == "layers":
        return places
    shares = glance.shares[..., list(HABITS).index(order)].nan_to_num(nan=-1.0)
    return sorted(places, key=lambda at: -float(shares[at]))


@lru_cache(maxsize=8)
def every_head(shares: Tensor, spoken: str) -> tuple[dict[Place, str], dict[Place, str]]:
    """By layer and head: what it does, as an id and in the words of a language.

    Kept, because another head that is opened changes nothing here.
    """
    named = {**HABITS, MIXED: say("several of these")}
    layers, heads, _habits = shares.shape
    places = [(layer, head) for layer in range(layers) for head in range(heads)]
    kinds = {at: habit_of(shares[at]) for at in places}
    return kinds, {at: in_words(shares[at], at, named[kinds[at]]) for at in places}


def in_words(shares: Tensor, at: Place, habit: str) -> str:
    """Hover text of a head: its habit, the shares of its attention, and how even that is."""
    layer, head = at
    *to_some, even = shares.tolist()
    lines = [_("layer {layer}, head {head}: {habit}", layer=layer, head=head, habit=habit)]
    lines += [
        _("{habit}: {share}", habit=label, share=number(share, ".0%"))
        for label, share in zip(list(HABITS.values())[:-1], to_some, strict=True)
        if share == share
    ]
    lines.append(_("These overlap: the first token can be an earlier copy."))
    lines.append(_("Spread: {share} of an even one", share=number(even, ".0%")))
    return "<br>".join(lines)
