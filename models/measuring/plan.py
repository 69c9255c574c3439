"""Passes of the measurements, in an order that gives a stopped run what belongs together."""

from collections.abc import Collection
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from torch import Tensor

from models.change import Change
from models.measuring import induction, loss, passkey, prices
from models.measuring.cache import moved, quantised
from models.measuring.orders import heads
from models.measuring.run import Pass
from models.measuring.texts import ROOT, read_text
from models.opened import Model
from posenc.checks import check_int, check_number
from posenc.scaling.methods import METHODS

LONGEST = 1 << 17
"""Tokens of a pass at most."""


@dataclass(frozen=True)
class Ways:
    """Ways to read a text: every method with every factor.

    Args:
        methods: Ids.
        factors: Of the methods that have one, 1 to 1024; None is length / trained length.

    Raises:
        ValueError: If there is no such method, or a factor is out of range.
    """

    methods: tuple[str, ...]
    factors: tuple[float | None, ...]

    def __post_init__(self) -> None:
        """Check the arguments."""
        if not (self.methods and self.factors):
            raise ValueError("Methods and factors must each name something.")
        for method in self.methods:
            loss.check_method(method)
        for factor in self.factors:
            if factor is not None:
                check_number("factor", factor, 1, maximum=1024)

    def at(self, length: int, trained: int) -> list[tuple[str, float]]:
        """Method and factor of each way, for texts of one length and a model's trained length."""
        pairs = (
            (method, loss.factor_of(method, factor, length, trained))
            for factor in self.factors
            for method in self.methods
        )
        return list(dict.fromkeys(pairs))


def loss_passes(
    model: Model, names: Collection[str], ways: Ways, lengths: Collection[int], root: Path = ROOT
) -> list[Pass]:
    """Losses of texts, the shortest first; then text by text, so that a stopped run has pairs.

    Args:
        model: The model.
        names: Ids of the texts.
        ways: How they are read.
        lengths: Tokens, from the shortest on.
        root: Folder that Debian's packages are unpacked into.

    Raises:
        ValueError: If a text is not here or too short, or the model does not rotate.
    """
    trained = loss.trained_length(model)
    texts = [read_text(name, model, max(lengths), root) for name in names]
    return [
        Pass(
            title=f"{text.name}, {_named(method, factor)}, {length:,} tokens",
            key=(model.id, text.sha256, method, factor, length),
            cost=loss.cost(model, length, method),
            measure=partial(loss.loss_rows, model, text.cut(length), method, factor),
            summary=loss.summary,
        )
        for length in lengths
        for text in texts
        for method, factor in ways.at(length, trained)
    ]


def passkey_passes(model: Model, texts: int, ways: Ways, lengths: Collection[int]) -> list[Pass]:
    """Ten keys in each of as many texts, the shortest first.

    Raises:
        ValueError: If the keys do not fit, or the model does not rotate.
    """
    check_int("texts", texts, 1, maximum=1000)
    trained = loss.trained_length(model)
    if loss.SLIDE in ways.methods:
        raise ValueError(f"A sliding window has no text to ask about: leave {loss.SLIDE} out.")
    passkey.quiz(model, min(lengths), 0)  # too short a length is told before anything runs
    return [
        Pass(
            title=f"keys of text {number}, {_named(method, factor)}, {length:,} tokens",
            key=(model.id, method, factor, length, number),
            cost=loss.cost(model, length),
            measure=partial(passkey.passkey_rows, model, length, number, method, factor),
            summary=passkey.summary,
        )
        for length in lengths
        for number in range(texts)
        for method, factor in ways.at(length, trained)
    ]


def price_passes(
    model: Model, names: Collection[str], length: int, root: Path = ROOT
) -> list[Pass]:
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
            title=f"{text.name}, mistake {mistake}, {length:,} tokens",
            key=(model.id, text.sha256, mistake, length),
            cost=loss.cost(model, length),
            measure=partial(prices.price_rows, model, text, mistake, known[text.name]),
            summary=prices.summary,
        )
        for mistake in prices.MISTAKES
        for text in texts
    ]


def induction_passes(model: Model, texts: int, ways: Ways) -> list[Pass]:
    """Random tokens twice, in as many texts.

    Raises:
        ValueError: If the model does not rotate, or a window is asked for.
    """
    check_int("texts", texts, 1, maximum=1000)
    trained = loss.trained_length(model)
    if loss.SLIDE in ways.methods:
        raise ValueError(f"Nothing of so short a text leaves a window: leave {loss.SLIDE} out.")
    length = len(induction.twice(model, 0))
    return [
        Pass(
            title=f"{texts} texts of random tokens twice, {_named(method, factor)}",
            key=(model.id, method, factor, texts),
            cost=texts * loss.cost(model, length),
            measure=partial(induction.induction_rows, model, texts, method, factor),
            summary=induction.summary,
        )
        for method, factor in ways.at(length, trained)
    ]


def moved_passes(
    model: Model, names: Collection[str], passages: int, root: Path = ROOT
) -> list[Pass]:
    """Passages of texts, each moved behind the text that is named next; a passage of each first.

    Raises:
        ValueError: If there are fewer than two texts, one is not here or too short, or the model
            does not rotate.
    """
    check_int("passages", passages, 1, maximum=100)
    loss.trained_length(model)
    if len(names) < 2:
        raise ValueError("A passage is moved behind another text: name two texts or more.")
    texts = [read_text(name, model, moved.tokens_of(passages), root) for name in names]
    return [
        Pass(
            title=f"passage {passage} of {text.name}",
            key=(model.id, text.sha256, passage, before.name),
            cost=sum(loss.cost(model, place + moved.PASSAGE) for place in moved.PLACES),
            measure=partial(moved.moved_rows, model, text, passage, before),
            summary=moved.summary,
        )
        for passage in range(passages)
        for text, before in zip(texts, texts[1:] + texts[:1], strict=True)
    ]


def quantised_passes(
    model: Model, names: Collection[str], length: int, root: Path = ROOT
) -> list[Pass]:
    """Every way to keep keys in few bits, text by text.

    Raises:
        ValueError: If a text is not here or too short, keys cannot be split into groups, or the
            model does not rotate.
    """
    check_int("length", length, quantised.GROUP, maximum=LONGEST)
    loss.trained_length(model)
    if length % quantised.GROUP:
        raise ValueError(f"length must be a multiple of {quantised.GROUP}, got {length}.")
    ways = 1 + len(quantised.SCALES) * len(quantised.BITS) * len(quantised.WHENS)
    return [
        Pass(
            title=f"{text.name} with keys in few bits, {length:,} tokens",
            key=(model.id, text.sha256, length),
            cost=ways * loss.cost(model, length),
            measure=partial(quantised.quantised_rows, model, text),
            summary=quantised.summary,
        )
        for text in (read_text(name, model, length, root) for name in names)
    ]


def orders_passes(model: Model, names: Collection[str], root: Path = ROOT) -> list[Pass]:
    """Scores of keys at other places, text by text.

    Raises:
        ValueError: If a text is not here or too short, or the model does not rotate.
    """
    loss.trained_length(model)
    return [
        Pass(
            title=f"keys of {text.name} at other places",
            key=(model.id, text.sha256),
            cost=loss.cost(model, heads.TOKENS),
            measure=partial(heads.orders_rows, model, text),
            summary=heads.summary,
        )
        for text in (read_text(name, model, heads.TOKENS, root) for name in names)
    ]


def _named(method: str, factor: float) -> str:
    is_alpha = method != loss.SLIDE and METHODS[method].parameter == "alpha"
    return f"{method}, α = {factor:g}" if is_alpha else f"{method} ×{factor:g}"
