"""Keys found in filler, by length and by depth."""

from collections.abc import Sequence

import numpy as np
import pandas as pd

from models.measuring.passkey import CHANCE, NAMES
from models.results.keys import Keys, keys
from models.results.tables import Measured, Way, load, way
from pages.measured.real import code, words
from pages.measured.real.settings import ORDER, KeysSettings
from plots.heatmap import small_multiples
from plots.lines import Mark, Series, lines
from plots.looks import look
from plots.names import name_curves
from plots.style import shade_outside_training
from posenc.words import say
from ui import screen
from ui.charts.follow import Followed
from ui.jobs.looks import title
from ui.jobs.losses import way_title
from ui.words import _, number

PERCENT = (-3.0, 112.0)


def picture(s: KeysSettings) -> screen.Picture:
    """How many of ten keys each way finds, by length; then where in the text they stood."""
    measured = load()
    found = keys(measured, _ways(measured, s.methods))
    if not found:
        raise ValueError(say("No keys were asked for under these methods yet; choose another."))
    every = next(iter(found.values())).lengths
    texts = {n: int(max(one.asked[0, i] for one in found.values())) for i, n in enumerate(every)}
    asked = {its.method for its in found}
    unasked = [one for one in s.methods if one not in asked]
    return screen.Picture(
        figures=[
            by_length(measured, found, every),
            screen.WordTableFigure(name=say("keys found"), frame=_counts(found, every)),
            maps(found, every),
            *behind(measured, found, texts, unasked),
            words.About("keys"),
        ],
        tables=lambda: _frames(found, every),
        code=code.keys(list(found)),
    )


def by_length(
    measured: Measured, found: dict[Way, Keys], every: Sequence[int]
) -> screen.MeasuredFigure:
    """Per cent of the keys that each way finds."""
    trained = measured.about.trained
    series = []
    followed = []
    for its, one in found.items():
        mean, low, high = one.by_length()
        looks = vars(look(its.method))
        series.append(Series(way_title(its), mean, low=low, high=high, **looks))
        places = [n for n, ok in zip(every, np.isfinite(mean), strict=True) if ok]
        followed.append(Followed(way_title(its), places, one.steps))
    x_title = _("length of the text (tokens)")
    figure = lines(
        every,
        series,
        title=_("Keys found in filler: measured on {model}", model=measured.about.title),
        x_title=x_title,
        y_title=_("found (%)"),
        log_x=True,
        y_range=PERCENT,
        marks=[
            Mark("y", 100 / len(NAMES), _("one of the ten keys, at random"), dash="dot", left=True)
        ],
    )
    ticks = {"tickvals": every, "ticktext": [number(n) for n in every]}
    figure = figure.relayout(xaxis=ticks)
    return screen.MeasuredFigure(
        key="found",
        figure=name_curves(shade_outside_training(figure, trained, float(every[-1]), label="")),
        alt=_("Per cent of keys found against the length of the text"),
        curves=followed,
        x_name=x_title,
        unit="%",
        caption=_(
            "Each text holds {keys} keys, which are asked for one by one; a key counts as found if "
            "each of its five digits is the most likely next token. The band is the 95% interval "
            "of a share (Wilson); the keys of one text have that text in common, so it is rather "
            "too narrow. The wording of the question was chosen because with it the model finds 10 "
            "of 10 keys in texts of 1,024 tokens; with another it found 4. A number guessed at "
            "random is right once in {odds:,.0f}. Shaded: texts longer than the {trained:,} tokens "
            "of training.",
            keys=len(NAMES),
            odds=1 / CHANCE,
            trained=trained,
        ),
    )


def _ways(measured: Measured, methods: Sequence[str]) -> list[Way]:
    there = dict.fromkeys(way(row) for row in measured.passkeys)
    chosen = [one for one in there if one.method in methods]
    return sorted(chosen, key=lambda one: (ORDER.index(one.method), one.factor))


def _counts(found: dict[Way, Keys], every: Sequence[int]) -> pd.DataFrame:
    """How many keys of how many each way found, at each length."""
    columns = {
        _("{length:,} tokens", length=n): [
            _(
                "{right} of {asked}",
                right=int(one.right[:, at].sum()),
                asked=int(one.asked[:, at].sum()),
            )
            if one.asked[:, at].any()
            else "–"
            for one in found.values()
        ]
        for at, n in enumerate(every)
    }
    names = pd.Index([way_title(its) for its in found], name=_("keys found"))
    return pd.DataFrame(columns, index=names)


def maps(found: dict[Way, Keys], every: Sequence[int]) -> screen.ChartFigure:
    """Depth by length, a panel for each way."""
    panels = [(way_title(its), one.share) for its, one in found.items()]
    figure = small_multiples(
        panels,
        title=_("Where the found keys stood: depth by length (measured)"),
        x_title=_("length (tokens)"),
        y_title=_("depth"),
        signed=False,
        unit="%",
        z_range=(0.0, 100.0),
    )
    depths = next(iter(found.values())).depths
    rows = [number(depth, ".0%") for depth in depths]
    across = {"tickvals": [*range(len(every))], "ticktext": [_thousands(n) for n in every]}
    down = {"tickvals": [*range(0, len(rows), 3)], "ticktext": rows[::3]}
    axes = {
        name: {"x": across, "y": down}[name[0]] for name in figure.layout if name[1:5] == "axis"
    }
    figure = figure.relayout(**axes)
    for index, (its, one) in enumerate(found.items()):
        said = [
            [
                _(
                    "depth {depth}, {length:,} tokens: {right} of {asked} keys",
                    depth=rows[place],
                    length=length,
                    right=int(one.right[place, at]),
                    asked=int(one.asked[place, at]),
                )
                for at, length in enumerate(every)
            ]
            for place in range(len(rows))
        ]
        hover = f"{way_title(its)}<br>%{{customdata}}<extra></extra>"
        figure = figure.restyle(index, customdata=said, hovertemplate=hover)
    return screen.ChartFigure(
        key="depths",
        figure=figure,
        alt=_("Heatmaps of the per cent of keys found, by depth and by length of the text"),
        height=300,
        caption=_(
            "A row is one of the ten keys, from the beginning of the text to its end; a column is "
            "a length. A cell is as many questions as there are texts, and says little by itself: "
            "look for columns and regions. Grey: not measured."
        ),
    )


def _thousands(length: int) -> str:
    return _("{count:g}k", count=length / 1024)


def behind(
    measured: Measured, found: dict[Way, Keys], texts: dict[int, int], unasked: Sequence[str]
) -> list[screen.WordsFigure | screen.FoldedFigure]:
    """Which texts and model, what was not asked, and how to measure again."""
    counts = ", ".join(
        _("{count} of {length:,} tokens", length=n, count=count) for n, count in texts.items()
    )
    said = _("Texts: {texts}.", texts=counts)
    if unasked:
        names = ", ".join(map(title, unasked))
        said += "\n\n" + _("No keys were asked for under: {names}.", names=names)
    order = _(
        "Keys and their order are drawn with the number of the text as the seed: text 0 is "
        "the same for every method. All ten questions follow the same text, at the "
        "same positions, and see no other question."
    )
    lengths = ",".join(str(n) for n in texts)
    methods = ",".join(dict.fromkeys(its.method for its in found))
    command = (
        f"python -m models keys {max(texts.values())} --factor 4 "
        f"--lengths {lengths} --methods {methods} --out again"
    )
    return [
        screen.WordsFigure(said, small=True),
        screen.FoldedFigure(
            title=_("The model, the data, and how to measure them again"),
            figures=[
                screen.WordsFigure(words.about(measured)),
                screen.WordsFigure(order),
                words.Downloads(),
                screen.WordsFigure(code=command, language="bash"),
            ],
        ),
    ]


def _frames(found: dict[Way, Keys], every: Sequence[int]) -> screen.Frames:
    by_length = {}
    for its, one in found.items():
        share, low, high = one.by_length()
        by_length[way_title(its)] = share
        by_length[_("{name}, low end of 95%", name=way_title(its))] = low
        by_length[_("{name}, high end of 95%", name=way_title(its))] = high
    frames = {_("keys by length"): pd.DataFrame(by_length, pd.Index(every, name=_("length")))}
    for its, one in found.items():
        name = _("keys by depth, {name}", name=way_title(its))
        frames[name] = pd.DataFrame(
            one.share, pd.Index(one.depths.round(2), name=_("depth")), list(every)
        )
    return frames
