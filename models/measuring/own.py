"""A reader's own model: what it is, and which passes fit into some minutes on this machine."""

import hashlib
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from advisor import RopeConfig
from models.change import methods as all_methods
from models.families import FAMILIES
from models.files.find import Found
from models.files.gguf import Progress, converted
from models.home import Home
from models.measuring.loss import BLOCK, DECLARED, LOSS_METHODS, SLIDE, Size, trained_of
from models.measuring.plan import LONGEST
from models.opened import read_config, stored_parameters
from posenc.words import Sentence, say

PLAIN = "none"
TIMES = (16, 8, 4, 2)
"""Lengths that are tried for one that fits, in trained lengths; shorter ones after them."""
SHORTEST = 256
"""Tokens below which no pass is proposed, unless the model was trained on fewer."""
STATIC = 2.0
"""Factor of the methods in texts that need none."""
SLACK = 3e8
"""Bytes that torch and the libraries take."""


@dataclass(frozen=True)
class Own:
    """Facts about a model before its weights are loaded.

    Args:
        found: Where it lies.
        mark: Changes when its files do.
        config: What its config says about positions.
        size: What a pass costs depends on.
        trained: L, tokens that it was trained on before any scaling.
        vocabulary: Tokens that it knows.
        inner: Channels inside a layer's feed-forward part.
        plain: How it is read as it comes: "none", or "declared" where its config asks for a
            scaling.
        methods: Ids of the ways that can be compared with that.
        remark: Why not every method can be tried; None where all can.
    """

    found: Found
    mark: str
    config: RopeConfig
    size: Size
    trained: int
    vocabulary: int
    inner: int
    plain: str
    methods: tuple[str, ...]
    remark: Sentence | None

    @property
    def id(self) -> str:
        """Id of its rows: other files by its name are another model."""
        return f"{self.found.id}@{self.mark}"

    def block(self, length: int) -> int:
        """Positions whose loss is one mean: an eighth of the trained length, or more."""
        return min(BLOCK, max(16, self.trained // 8, length // 32))

    def memory(self, length: int) -> float:
        """Bytes that a pass takes at its peak, about."""
        activations = length * (12 * self.size.width + 4 * self.inner)
        logits = 2 * 512 * self.vocabulary
        return 4.0 * (self.size.parameters + activations + logits) + SLACK

    def operations(self, method: str, length: int) -> float:
        """Operations of one pass."""
        return self.size.operations(length, self.trained if method == SLIDE else length)


def look(found: Found, home: Home | None = None, progress: Progress = lambda part: None) -> Own:
    """Read a model's config and the headers of its weights; a GGUF file is converted first.

    Raises:
        ValueError: If it cannot be opened here, or has nothing that could be read further.
    """
    home = home or Home.from_environment()
    folder = converted(found.path, home, progress) if found.is_gguf else found.path
    config = read_config(folder)
    parameters = stored_parameters(folder)
    family = FAMILIES[str(config.model_type)]
    fields = config.text
    if family.masked or family.word_positions:
        raise ValueError(
            f"{found.title} has a table of positions and reads nothing beyond it, so there is no "
            "curve to measure. Its attention can be looked at."
        )
    numbers = {
        name: fields.integer(name, 1)
        for name in ("hidden_size", "num_hidden_layers", "vocab_size", "intermediate_size")
    }
    width = numbers["hidden_size"] or 1024
    plain, methods, remark = _ways(config)
    return Own(
        found=found,
        mark=_mark(found),
        config=config,
        size=Size(parameters, width, numbers["num_hidden_layers"] or 24),
        trained=trained_of(config, found.title),
        vocabulary=numbers["vocab_size"] or 32_000,
        inner=numbers["intermediate_size"] or 4 * width,
        plain=plain,
        methods=methods,
        remark=remark,
    )


def _mark(found: Found) -> str:
    """The same for the same files."""
    files = [found.path] if found.is_gguf else sorted(found.path.glob("*"))
    stats = [(file.name, file.stat()) for file in files if file.is_file()]
    words = " ".join(f"{name} {stat.st_size} {stat.st_mtime_ns}" for name, stat in stats)
    return hashlib.sha256(words.encode()).hexdigest()[:8]


def ways() -> tuple[str, ...]:
    """Ids of every way that some model can be compared with."""
    known = all_methods()
    return (*(method for method in LOSS_METHODS if method in known and method != SLIDE), SLIDE)


def _ways(config: RopeConfig) -> tuple[str, tuple[str, ...], Sentence | None]:
    """How it is read as it comes, what that is compared with, and why not with more."""
    layers = config.rotary
    plain = DECLARED if any(layer.scaling for layer in layers.values()) else PLAIN
    if not layers:
        return plain, (SLIDE,), say("It does not rotate: there is nothing to stretch.")
    if len(layers) > 1:
        return plain, (SLIDE,), say("Its layers rotate in different ways: it is read as it is.")
    if plain == PLAIN:
        return plain, tuple(method for method in ways() if method != PLAIN), None
    asked = next(iter(layers.values())).rope_type
    return (
        plain,
        ways(),
        say("Its config asks for {type} already, which is drawn as declared.", type=asked),
    )


@dataclass(frozen=True)
class Request:
    """A reader's request for measurements.

    Args:
        seconds: That it may take.
        times: Longest context in trained lengths; 0 is what fits.
        methods: Ids, what matters most first.
        keys: Whether keys are asked for as well.
    """

    seconds: float
    times: int = 0
    methods: tuple[str, ...] = ("yarn", "ntk", "linear", SLIDE)
    keys: bool = True


Key = tuple[str, str, str, float, int]


@dataclass(frozen=True)
class Unit:
    """One pass.

    Args:
        kind: "loss" or "keys".
        text: Id of the text; of keys its number.
        method: Id.
        factor: Of the method.
        length: Tokens.
        operations: About.
    """

    kind: str
    text: str
    method: str
    factor: float
    length: int
    operations: float

    @property
    def key(self) -> Key:
        """Key that two passes share when they measure the same."""
        return self.kind, self.text, self.method, self.factor, self.length


@dataclass(frozen=True)
class Picked:
    """The measurements that fit into the time, and those that do not.

    Args:
        length: Tokens of every pass.
        units: What is measured, in order.
        more: What else could be, and the seconds that it takes: "text", "keys", "length", or the
            id of a method.
        least: Seconds of the first pass.
    """

    length: int
    units: tuple[Unit, ...]
    more: dict[str, float]
    least: float


def factor_at(own: Own, method: str, length: int) -> float:
    """n / L, or what a static factor costs where nothing needs stretching; else 1."""
    if method in (PLAIN, DECLARED, SLIDE):
        return 1.0
    return length / own.trained if length > own.trained else STATIC


def units(own: Own, request: Request, length: int, texts: Sequence[str]) -> Iterator[Unit]:
    """All passes at a length, text by text; keys are asked for after each text."""
    for number, text in enumerate(texts):
        yield from _round(own, request, length, "loss", text)
        if request.keys and own.config.rotary:
            yield from _round(own, request, length, "keys", str(number))


def _round(own: Own, request: Request, length: int, kind: str, text: str = "") -> Iterator[Unit]:
    for method in (own.plain, *request.methods):
        if method == SLIDE and (kind == "keys" or length <= own.trained):
            continue  # it has no text to ask about, and is the model as trained up to L
        factor = factor_at(own, method, length)
        yield Unit(
            kind=kind,
            text=text,
            method=method,
            factor=factor,
            length=length,
            operations=own.operations(method, length),
        )


def pick(
    own: Own, request: Request, pace: float, texts: Sequence[str], done: Collection[Key] = ()
) -> Picked:
    """Pick the measurements that fit into the time that is asked for.

    Args:
        own: The model.
        request: What is wanted.
        pace: Operations per second on this machine.
        texts: Ids of the texts, in order.
        done: What was measured before.
    """
    length = _length(own, request, pace)
    left = request.seconds * pace
    chosen = []
    waiting = [unit for unit in units(own, request, length, texts) if unit.key not in done]
    for unit in waiting:
        left -= unit.operations
        if left < 0:
            break
        chosen.append(unit)
    least = waiting[0].operations / pace if waiting else 0.0
    return Picked(length, tuple(chosen), _more(own, request, length, pace), least)


def _length(own: Own, request: Request, pace: float) -> int:
    """The longest context of which enough fits."""
    if request.times:
        return min(request.times * own.trained, LONGEST)
    most = request.seconds * pace
    lengths = [times * own.trained for times in TIMES]
    while lengths[-1] > max(SHORTEST, own.trained // 16):
        lengths.append(lengths[-1] // 2)
    for length in lengths:
        passes = list(_round(own, request, length, "loss"))
        # Beyond twice the trained length there must be room for errors as well.
        needed = passes[:2] if length <= 2 * own.trained else 2 * passes
        if length <= LONGEST and sum(unit.operations for unit in needed) <= most:
            return length
    return min(2 * own.trained, LONGEST)


def _more(own: Own, request: Request, length: int, pace: float) -> dict[str, float]:
    """Seconds of what else could be measured."""

    def seconds(kind: str, methods: tuple[str, ...], at: int) -> float:
        wanted = Request(request.seconds, request.times, methods, request.keys)
        return sum(unit.operations for unit in _round(own, wanted, at, kind)) / pace

    found = {"text": seconds("loss", request.methods, length)}
    if not request.keys and own.config.rotary:
        found["keys"] = seconds("keys", request.methods, length)
    if 2 * length <= LONGEST:
        found["length"] = seconds("loss", request.methods, 2 * length)
    missing = [method for method in own.methods if method not in request.methods]
    return found | {
        method: own.operations(method, length) / pace
        for method in missing
        if method != SLIDE or length > own.trained
    }


def too_little(own: Own, picked: Picked, seconds: float) -> Sentence:
    """The sentence where nothing fits, with the controls that change that."""
    minutes = picked.least / 60
    return say(
        "One pass of {name} over {length:,} tokens takes about {needed:,.1f} minutes here, and "
        "{given:g} are given: raise Minutes to {enough}, or take a shorter longest context.",
        name=own.found.title,
        length=picked.length,
        needed=minutes,
        given=seconds / 60,
        enough=int(1.2 * minutes) + 1,
    )
