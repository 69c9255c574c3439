"""The curves that can be drawn on Measured curves: which model, read how, and how it looks."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from lab.model.methods import tried
from lab.results.curves import Curve, Numbers
from lab.results.tables import Results
from lab.shipped import specs
from lab.spec import RunSpec
from plots.lines import Mark, Series, lines
from plots.looks import look
from plots.style import NEUTRAL, shade_outside_training
from posenc import CATALOGUE
from ui.jobs.looks import title

# A second model of an encoding keeps its colour.
OTHER_LOOKS = {
    "rope-base128": ("RoPE 128", "dot", "circle-dot"),
    "cope-max_positions16": ("CoPE 16", "dot", "star-open"),
}
BASES = {"rope-base128": "RoPE 128", "rope": "RoPE"}


@dataclass(frozen=True)
class Contender:
    """One curve to choose."""

    name: str
    model: str
    """Name of the runs without task and seed."""
    method: str
    color: str
    dash: str
    marker: str

    @property
    def base(self) -> str:
        """Name of the model, without the method."""
        return self.name.partition(":")[0]

    def read_by(self, method: str) -> "Contender":
        """The same model read otherwise."""
        return replace(self, method=method)


def contenders() -> dict[str, Contender]:
    """Every curve by name: the encodings as trained, then the two RoPE models read otherwise."""
    models = {spec.name.partition("-")[2].rpartition("-s")[0]: spec for spec in specs()}
    found = [_as_trained(model, spec) for model, spec in models.items()]
    its = look("interpolate")
    found.append(
        Contender("Learned, stretched", "learned", "interpolate", its.color, its.dash, its.marker)
    )
    for model, base in BASES.items():
        open_ = "-open" if model == "rope" else ""
        for method in (method for method in tried() if method != "none"):
            its, name = look(method), f"{base}: {title(method)}"
            found.append(Contender(name, model, method, its.color, its.dash, its.marker + open_))
    return {one.name: one for one in found}


def _as_trained(model: str, spec: RunSpec) -> Contender:
    its, its_title = look(spec.encoding), CATALOGUE[spec.encoding].title
    name, dash, marker = OTHER_LOOKS.get(model, (its_title, its.dash, its.marker))
    return Contender(name, model, "none", its.color, dash, marker)


@dataclass(frozen=True)
class Drawing:
    """The curves of one picture that were measured, and the names of those that were not."""

    curves: Mapping[str, tuple[Contender, Curve]]
    missing: tuple[str, ...]

    @property
    def seeds(self) -> str:
        """How many seeds stand behind the curves, in words."""
        counts = {name: len(curve.seeds) for name, (_, curve) in self.curves.items()}
        if len(set(counts.values())) == 1:
            return seeds_words(next(iter(counts.values())))
        return ", ".join(f"{name}: {seeds_words(n)}" for name, n in counts.items())

    @property
    def shown(self) -> list[Contender]:
        """Those with a curve."""
        return [one for one, _ in self.curves.values()]

    @property
    def first(self) -> Contender:
        """The one whose sliding window is the reference."""
        return self.shown[0]

    @property
    def band(self) -> str:
        """What the bands are, in words."""
        if all(len(curve.seeds) == 1 for _, curve in self.curves.values()):
            return "Band: one standard error to either side."
        return (
            "Curve: mean over seeds. Band: from the lowest seed less its standard error to the "
            "highest with its own added."
        )

    @property
    def x(self) -> Numbers:
        """All places of all curves."""
        return np.unique(np.concatenate([curve.x for _, curve in self.curves.values()]))

    def window(self, curve: Curve | None) -> dict[str, Numbers]:
        """The reference as a row on all places; a single value holds at all of them."""
        if curve is None:
            return {}
        row = np.full(len(self.x), np.nan)
        if len(curve.x) == 1:
            row[:] = curve.mean
        else:
            _, mine, its = np.intersect1d(self.x, curve.x, return_indices=True)
            row[mine] = curve.mean[its]
        return {f"sliding window ({self.first.base})": row}

    def frame(self, x_name: str, window: Mapping[str, Numbers]) -> pd.DataFrame:
        """Mean of each curve, the sliding window, and the ends of each band."""
        columns = {name: on_places(c, self.x)[0] for name, (_, c) in self.curves.items()}
        columns |= window
        for name, (_, curve) in self.curves.items():
            _, columns[f"{name}, low"], columns[f"{name}, high"] = on_places(curve, self.x)
        return pd.DataFrame(columns, index=pd.Index(self.x, name=x_name))


def seeds_words(count: int) -> str:
    """1 seed, 2 seeds."""
    return f"{count} seed" if count == 1 else f"{count} seeds"


def on_places(curve: Curve, places: Numbers) -> tuple[Numbers, Numbers, Numbers]:
    """Mean, low and high of a curve at these places; NaN where it was not measured."""
    rows = np.full((3, len(places)), np.nan)
    rows[:, np.searchsorted(places, curve.x)] = curve.mean, curve.low, curve.high
    return rows[0], rows[1], rows[2]


def collect(
    chosen: Sequence[Contender], measure: Callable[[Contender], Curve | None], what: str
) -> Drawing:
    """What was measured of the chosen.

    Raises:
        ValueError: If nothing was chosen, or nothing chosen was measured.
    """
    if not chosen:
        raise ValueError("Choose at least one curve.")
    found = {one.name: (one, measure(one)) for one in chosen}
    curves = {name: (one, curve) for name, (one, curve) in found.items() if curve is not None}
    missing = tuple(name for name in found if name not in curves)
    if not curves:
        raise ValueError(f"{what} was not measured for {', '.join(missing)}; choose another curve.")
    return Drawing(curves, missing)


def picture(
    drawing: Drawing,
    *,
    title: str,
    x_title: str,
    y_title: str,
    trained: int | None,
    window: Mapping[str, Numbers],
    marks: Sequence[Mark] = (),
    log_x: bool = False,
    y_range: tuple[float, float] | None = None,
) -> go.Figure:
    """The curves with their bands, the sliding window in grey dashes, beyond training shaded."""
    series = []
    for name, (one, curve) in drawing.curves.items():
        mean, low, high = on_places(curve, drawing.x)
        series.append(Series(name, mean, None, one.color, one.dash, one.marker, low, high))
    for name, row in window.items():
        series.append(Series(name, row, color=NEUTRAL, dash="dash", marker=""))
    figure = lines(
        drawing.x,
        series,
        title=title,
        x_title=x_title,
        y_title=y_title,
        log_x=log_x,
        marks=marks,
        y_range=y_range,
    )
    if trained is not None:
        # On a logarithmic axis nearly all is beyond, and the curves start where the label would be.
        label = "" if log_x else None
        shade_outside_training(figure, trained, float(drawing.x[-1]), label=label)
    if log_x and len(drawing.x) <= 8:
        figure.update_xaxes(tickvals=drawing.x, ticktext=[f"{x:g}" for x in drawing.x])
    return figure


def facts_words(results: Results, model: str) -> str:
    """What is known of a model: its size, its training, its seeds, where it was made."""
    runs = [results.runs[name] for name in results.seeds(model).values()]
    spec, facts = runs[0].spec, runs[0].facts
    seconds = sum(run.facts["seconds"] for run in runs) / len(runs)
    words = [
        f"**{model}**: {facts['parameters']:,} parameters in {spec.layers} layers of width "
        f"{spec.d_model}, {spec.heads} heads of {spec.head_dim} channels; {spec.updates:,} updates "
        f"of {spec.tokens_per_update:,} tokens with L = {spec.train_length} in {seconds:.0f} s; "
        f"seeds {', '.join(str(run.spec.seed) for run in runs)}",
        f"Python {facts['python']}, torch {facts['torch']}, {facts['machine']}, "
        f"threads: {facts['threads']}",
    ]
    if "corpus" in facts:
        words.append(f"text: {facts['corpus']}, SHA-256 {facts['corpus_sha256']}")
    return ". ".join(words) + "."
