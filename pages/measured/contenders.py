"""The curves that can be drawn on Measured curves: which model, read how, and how it looks."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd

from lab.model.methods import INTERPOLATE, tried
from lab.results.curves import Curve
from lab.results.tables import Results
from lab.results.uncertainty import Numbers
from lab.shipped import specs
from lab.tasks.corpus import library_source
from plots.looks import Look, look
from posenc.words import say
from ui.jobs.looks import title
from ui.words import _, plural, translate

OTHER_LOOKS = {"rope-base128": ("dot", "circle-dot"), "cope-max_positions16": ("dot", "star-open")}
"""Dash and marker of a second model of an encoding, which keeps its colour."""
RESCALED = ("rope-base128", "rope")
"""Models that are read by every method."""


@dataclass(frozen=True)
class Contender:
    id: str
    model: str
    """Name of the runs without task and seed."""
    method: str
    model_title: str
    look: Look

    @property
    def name(self) -> str:
        """As the legend has it."""
        if self.method == "none":
            return self.model_title
        return _("{model}: {method}", model=self.model_title, method=title(self.method))


def contenders() -> dict[str, Contender]:
    """Every curve by id: the encodings as trained, then what is read otherwise."""
    models = {spec.name.partition("-")[2].rpartition("-s")[0]: spec for spec in specs()}
    found = []
    for model, spec in models.items():
        its = look(spec.encoding)
        if model in OTHER_LOOKS:
            its = Look(its.color, *OTHER_LOOKS[model])
        found.append(Contender(model, model, "none", translate(spec.title), its))
    read_otherwise = [("learned", INTERPOLATE)]
    read_otherwise += [(model, method) for model in RESCALED for method in tried()[1:]]
    for model, method in read_otherwise:
        its = look(method)
        if model == "rope":
            its = replace(its, marker=f"{its.marker}-open")
        name = translate(models[model].title)
        found.append(Contender(f"{model}.{method}", model, method, name, its))
    return {one.id: one for one in found}


@dataclass(frozen=True)
class Drawing:
    """The curves of one picture that were measured, and the names of those that were not."""

    curves: Mapping[str, tuple[Contender, Curve]]
    missing: tuple[str, ...]

    @property
    def seeds(self) -> str:
        """How many seeds stand behind the curves, in words."""
        counts = {name: len(curve.seeds) for name, (_one, curve) in self.curves.items()}
        if len(set(counts.values())) == 1:
            return seeds_words(next(iter(counts.values())))
        return ", ".join(
            _("{name}: {seeds}", name=name, seeds=seeds_words(n)) for name, n in counts.items()
        )

    @property
    def shown(self) -> list[Contender]:
        """Those with a curve."""
        return [one for one, _curve in self.curves.values()]

    @property
    def first(self) -> Contender:
        """The one whose sliding window is the reference."""
        return self.shown[0]

    @property
    def band(self) -> str:
        """Meaning of the bands, in words."""
        if all(len(curve.seeds) == 1 for _one, curve in self.curves.values()):
            return _(
                "The band is one standard error of what was asked to either side; models of other "
                "seeds may differ by more."
            )
        return _(
            "A curve is the mean over seeds. Its band reaches from the lowest seed less its "
            "standard error to the highest seed plus its own."
        )

    @property
    def x(self) -> Numbers:
        return np.unique(np.concatenate([curve.x for _one, curve in self.curves.values()]))

    def window(self, curve: Curve | None) -> dict[str, Numbers]:
        """The reference as a row on all places; a single value holds at all of them."""
        if curve is None:
            return {}
        row = np.full(len(self.x), np.nan)
        if len(curve.x) == 1:
            row[:] = curve.mean
        else:
            _same, mine, its = np.intersect1d(self.x, curve.x, return_indices=True)
            row[mine] = curve.mean[its]
        return {_("sliding window ({model})", model=self.first.model_title): row}

    def frame(self, x_name: str, window: Mapping[str, Numbers]) -> pd.DataFrame:
        """Mean of each curve, the sliding window, and the ends of each band."""
        bands = {name: on_places(curve, self.x) for name, (_one, curve) in self.curves.items()}
        columns = {name: mean for name, (mean, _low, _high) in bands.items()}
        columns |= window
        for name, (_mean, low, high) in bands.items():
            columns |= {_("{name}, low", name=name): low, _("{name}, high", name=name): high}
        return pd.DataFrame(columns, index=pd.Index(self.x, name=x_name))


def seeds_words(count: int) -> str:
    """1 seed, 2 seeds."""
    return plural("{count} seed", "{count} seeds", count)


def on_places(curve: Curve, places: Numbers) -> tuple[Numbers, Numbers, Numbers]:
    """Mean, low and high of a curve at these places; NaN where it was not measured."""
    rows = np.full((3, len(places)), np.nan)
    rows[:, np.searchsorted(places, curve.x)] = curve.mean, curve.low, curve.high
    return rows[0], rows[1], rows[2]


def collect(
    chosen: Sequence[Contender], curve_of: Callable[[Contender], Curve | None], what: str
) -> Drawing:
    """The chosen contenders' measured curves.

    Raises:
        ValueError: If nothing was chosen, or nothing chosen was measured.
    """
    if not chosen:
        raise ValueError(say("Choose at least one curve."))
    found = {one.name: (one, curve_of(one)) for one in chosen}
    curves = {name: (one, curve) for name, (one, curve) in found.items() if curve is not None}
    missing = tuple(name for name in found if name not in curves)
    if not curves:
        raise ValueError(
            say(
                "{what} was not measured for {names}; choose another curve.",
                what=what,
                names=", ".join(missing),
            )
        )
    return Drawing(curves, missing)


def facts_words(results: Results, model: str) -> str:
    """Facts about a model in words: its size, its training, its seeds, where it was made."""
    runs = [results.runs[name] for name in results.seeds(model).values()]
    spec = runs[0].spec
    facts = runs[0].facts
    words = [
        _(
            "`{model}`: {parameters:,} parameters in {layers} layers of width {width}, {heads} "
            "heads of {head_dim} channels; {updates:,} updates of {tokens:,} tokens with "
            "L = {length} in {seconds:.0f} s; seeds {seeds}.",
            model=model,
            parameters=facts["parameters"],
            layers=spec.layers,
            width=spec.d_model,
            heads=spec.heads,
            head_dim=spec.head_dim,
            updates=spec.updates,
            tokens=spec.tokens_per_update,
            length=spec.train_length,
            seconds=sum(run.facts["seconds"] for run in runs) / len(runs),
            seeds=", ".join(str(run.spec.seed) for run in runs),
        ),
        _(
            "Python {python}, torch {torch}, {machine}, threads: {threads}.",
            python=facts["python"],
            torch=facts["torch"],
            machine=facts["machine"],
            threads=facts["threads"],
        ),
    ]
    if "corpus" in facts:
        source = library_source(facts["corpus"].rpartition(" ")[2])
        words.append(_("Text: {source}, SHA-256 {sha}.", source=source, sha=facts["corpus_sha256"]))
    return " ".join(words)
