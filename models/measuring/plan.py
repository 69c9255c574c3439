"""Measurements in their order, and the run that can be stopped and continued."""

import time
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from torch import Tensor

from models.change import Change
from models.forward import forward
from models.measuring import induction, loss, passkey, prices
from models.measuring.table import Row, Table
from models.measuring.texts import ROOT, read_text
from models.opened import Model
from posenc.attention.habits import CLEAR
from posenc.checks import check_int, check_number
from posenc.scaling.methods import METHODS

LONGEST = 1 << 17
"""Tokens of a pass at most."""
FEW = 64
CALIBRATING = 1024
CALIBRATING_SECONDS = 20.0
"""Tokens of the first pass and at most of the second one that tells how fast the machine is, and
the seconds that it may take, about."""


@dataclass(frozen=True)
class Pass:
    """One thing to measure.

    Args:
        title: What a reader sees of it.
        key: Of its rows in the table.
        cost: Operations.
        measure: Measures it.
    """

    title: str
    key: tuple[str | int | float, ...]
    cost: float
    measure: Callable[[], list[Row]]


@dataclass(frozen=True)
class Wanted:
    """The methods, lengths and factors to measure.

    Args:
        methods: Ids.
        lengths: Tokens, 2 to `LONGEST`.
        factors: Of every method that has one, 1 to 1024; None is length / trained length.

    Raises:
        ValueError: If there is no such method, or a length or a factor is out of range.
    """

    methods: tuple[str, ...]
    lengths: tuple[int, ...]
    factors: tuple[float | None, ...]

    def __post_init__(self) -> None:
        """Check the arguments."""
        if not (self.methods and self.lengths and self.factors):
            raise ValueError("Methods, lengths and factors must each name something.")
        for method in self.methods:
            loss.check_method(method)
        for length in self.lengths:
            check_int("length", length, 2, maximum=LONGEST)
        for factor in self.factors:
            if factor is not None:
                check_number("factor", factor, 1, maximum=1024)

    def ways(self, length: int, trained: int) -> list[tuple[str, float]]:
        """Every method with every factor, each pair once."""
        pairs = (
            (method, loss.factor_of(method, factor, length, trained))
            for factor in self.factors
            for method in self.methods
        )
        return list(dict.fromkeys(pairs))


def loss_passes(
    model: Model,
    wanted: Wanted,
    names: Iterable[str],
    root: Path = ROOT,
    only: Collection[tuple[str, str]] = (),
) -> list[Pass]:
    """Losses of texts, the shortest first; then text by text, so that a stopped run has pairs.

    Args:
        model: The model.
        wanted: Methods, lengths, factors.
        names: Ids of the texts.
        root: Folder that Debian's packages are unpacked into.
        only: Pairs of text and method to which it is limited; none is all.

    Raises:
        ValueError: If a text is not here or too short, or the model does not rotate.
    """
    trained = loss.trained_length(model)
    names = tuple(names)
    texts = {name: read_text(name, model, max(wanted.lengths), root) for name in names}
    return [
        Pass(
            f"{name}, {_named(method, factor)}, {length:,} tokens",
            (model.id, texts[name].sha256, method, factor, length),
            loss.cost(model, length, method),
            partial(loss.loss_rows, model, texts[name].cut(length), method, factor),
        )
        for length in sorted(set(wanted.lengths))
        for name in names
        for method, factor in wanted.ways(length, trained)
        if not only or (name, method) in only
    ]


def passkey_passes(model: Model, wanted: Wanted, keys: int) -> list[Pass]:
    """Ten keys in each of as many texts, the shortest first.

    Raises:
        ValueError: If the keys do not fit, or the model does not rotate.
    """
    check_int("keys", keys, 1, maximum=1000)
    trained = loss.trained_length(model)
    if loss.SLIDE in wanted.methods:
        raise ValueError(f"A sliding window has no text to ask about: leave {loss.SLIDE} out.")
    passkey.quiz(model, min(wanted.lengths), 0)  # too short a length is told before anything runs
    return [
        Pass(
            f"keys of text {number}, {_named(method, factor)}, {length:,} tokens",
            (model.id, method, factor, length, number),
            loss.cost(model, length),
            partial(passkey.passkey_rows, model, length, number, method, factor),
        )
        for length in sorted(set(wanted.lengths))
        for number in range(keys)
        for method, factor in wanted.ways(length, trained)
    ]


def price_passes(model: Model, names: Iterable[str], length: int, root: Path = ROOT) -> list[Pass]:
    """Every mistake on each text; mistake by mistake, so that a stopped run has whole ones.

    Raises:
        ValueError: If a text is not here or too short, or the model does not rotate.
    """
    check_int("length", length, 2, maximum=LONGEST)
    loss.trained_length(model)
    texts = [read_text(name, model, length, root) for name in names]
    known: dict[str, dict[Change, Tensor]] = {text.name: {} for text in texts}
    return [
        Pass(
            f"{text.name}, mistake {mistake}, {length:,} tokens",
            (model.id, text.sha256, mistake, length),
            loss.cost(model, length),
            partial(prices.price_rows, model, text, mistake, known[text.name]),
        )
        for mistake in prices.MISTAKES
        for text in texts
    ]


def induction_passes(model: Model, wanted: Wanted, texts: int) -> list[Pass]:
    """Random tokens twice, in as many texts.

    Raises:
        ValueError: If the model does not rotate, or a window is asked for.
    """
    check_int("induction", texts, 1, maximum=1000)
    trained = loss.trained_length(model)
    if loss.SLIDE in wanted.methods:
        raise ValueError(f"Nothing of so short a text leaves a window: leave {loss.SLIDE} out.")
    length = len(induction.twice(model, 0))
    return [
        Pass(
            f"{texts} texts of random tokens twice, {_named(method, factor)}",
            (model.id, method, factor, texts),
            texts * loss.cost(model, length),
            partial(induction.induction_rows, model, texts, method, factor),
        )
        for method, factor in wanted.ways(length, trained)
    ]


def seconds_per_operation(model: Model) -> float:
    """How slow the machine is: one pass over a few tokens, then one over as many as seem quick."""
    vocabulary = model.net.config.vocab_size
    plain = Change(method="none")

    def slow(count: int) -> float:
        ids = [token % vocabulary for token in range(count)]
        begin = time.perf_counter()
        forward(model, ids, plain, kept_bytes=0).bits()
        return (time.perf_counter() - begin) / loss.cost(model, count)

    first = slow(FEW)
    fitting = CALIBRATING_SECONDS / (first * loss.cost(model, FEW) / FEW)
    return slow(min(CALIBRATING, int(fitting))) if fitting > FEW else first


def _named(method: str, factor: float) -> str:
    alpha = method != loss.SLIDE and METHODS[method].parameter == "alpha"
    return f"{method}, α = {factor:g}" if alpha else f"{method} ×{factor:g}"


def left(passes: Iterable[Pass], table: Table) -> list[Pass]:
    """The passes that are not in the table yet.

    Raises:
        ValueError: If the table cannot be read.
    """
    there = table.passes()
    return [one for one in passes if one.key not in there]


def run(passes: list[Pass], table: Table, report: Callable[[str], None]) -> None:
    """Measure, and write the rows of each pass as soon as it is done.

    Args:
        passes: What is left.
        table: Where rows go.
        report: Gets a line for each pass.

    Raises:
        ValueError: If the model cannot be read so, or the table cannot be written.
    """
    spent = 0.0
    done = 0.0
    for number, one in enumerate(passes, 1):
        begin = time.perf_counter()
        rows = one.measure()
        table.add(rows)
        spent += time.perf_counter() - begin
        done += one.cost
        to_go = spent / done * sum(other.cost for other in passes[number:])
        report(f"{number} of {len(passes)}: {one.title}: {summary(rows)}; {duration(to_go)} to go")


def summary(rows: list[Row]) -> str:
    """A pass in a few words."""
    seconds = f"{rows[0]['seconds']:g} s"
    if "right" in rows[0]:
        return f"{sum(int(row['right']) for row in rows)} of {len(rows)} keys, {seconds}"
    if "after_copy" in rows[0]:
        heads = sum(float(row["after_copy"]) >= CLEAR for row in rows)
        return f"{heads} of {len(rows)} heads copy, {seconds}"
    if "wrong_bits" in rows[0]:
        return f"{rows[0]['wrong_bits']:.3f} bits, rightly {rows[0]['right_bits']:.3f}, {seconds}"
    return f"{rows[0]['bits']:.3f} bits at first, {rows[-1]['bits']:.3f} at last, {seconds}"


def duration(seconds: float) -> str:
    """Hours, minutes and seconds, no finer than makes sense."""
    if seconds < 90:
        return f"{seconds:.0f} s"
    minutes = round(seconds / 60)
    return f"{minutes} min" if minutes < 120 else f"{minutes // 60} h {minutes % 60} min"
