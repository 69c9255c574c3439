"""The document of `explain` as headings, sentences and tables, for a terminal and for Markdown."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from advisor.choosing.choice import sure_words
from advisor.decision import in_unit
from advisor.families.without_rotation import WITHOUT_ROTATION
from posenc.scaling.methods import METHODS
from posenc.words import Sentence, say, say_count

Document = dict[str, Any]
SHOWN_PAIRS = 9
LONGEST_LIST = 6
GPUS = ("RTX 4090", "H100", "H200", "B200", "MI300X")
"""Those of `CARDS` that are told."""
WITHOUT_HEADS = ("linear", "convolution", "none")
"""Layers that have no heads of attention, whatever the file says of others."""
SEVERITIES = {"error": say("Error"), "warning": say("Warning"), "info": say("Worth knowing")}
LAYOUTS = {
    "half": say("half layout"),
    "interleaved": say("interleaved layout"),
    "unknown": say("unknown layout"),
}
WITH_OWN = {
    True: say("the model was extended with it"),
    False: say("added for long texts, not trained with it"),
    None: say("whether the model was extended with it is not known"),
}


@dataclass(frozen=True)
class Heading:
    """A title of what follows."""

    words: str
    level: int = 2


@dataclass(frozen=True)
class Items:
    """Sentences below each other."""

    sentences: Sequence[str]


@dataclass(frozen=True)
class Rows:
    """Values by name."""

    values: Sequence[tuple[str, str]]


@dataclass(frozen=True)
class Table:
    """Cells in rows and columns."""

    head: Sequence[str]
    rows: Sequence[Sequence[str]]


@dataclass(frozen=True)
class Block:
    """A line that stands out, and what is said of it."""

    title: str
    fields: Sequence[str] = ()
    """Names of a file's fields that it is about."""
    sentences: Sequence[str] = ()
    code: str = ""
    language: str = ""


Part = Heading | Items | Rows | Table | Block


def parts(document: Document) -> Iterator[Part]:
    """All that a document says, in the order in which it is read."""
    if document["input"]["line"]:
        yield Heading(say("The command line"))
        yield Items(document["input"]["line"])
    yield from _decision(document)
    yield from _settings(document["settings"])
    yield Heading(say("Why, and at which cost"))
    reasons = (document["decision"] or {"reasons": []})["reasons"]
    told = document["settings"]["notes"]
    memory = (one for one in _memory(document["memory"]) if one not in told)
    yield Items([*(reason["text"] for reason in reasons), *memory])
    yield Rows([(say("model type"), document["model_type"] or say("not in the file"))])
    yield Items(document["input"]["notes"])
    for layer in document["layers"]:
        yield Heading(say("Layers: {name}", name=layer["name"]))
        yield from (_rotary if layer["encoding"] == "rope" else _other)(layer)
    yield Heading(say("Findings"))
    if not document["findings"]:
        yield Items([say("Nothing to report: the fields agree with each other.")])
    for finding in document["findings"]:
        title = SEVERITIES[finding["severity"]]
        yield Block(title, finding["fields"], (finding["message"], finding["remedy"]))


def in_words(decision: Document) -> Sentence:
    """How sure a decision is."""
    codes = {one["code"] for one in decision["reasons"]}
    return sure_words(decision["sureness"], decision["known"] is not None, codes)


def _decision(document: Document) -> Iterator[Part]:
    """The decision, how sure it is, and the engines below that it is not for."""
    decision = document["decision"]
    if decision is None:
        return
    target = decision["target"]
    yield Heading(say("Decision") if target is None else say("At {n:,} tokens", n=target))
    without = [one["title"] for one in document["settings"]["engines"] if one["refused"]]
    told = [in_words(decision)]
    if without and decision["sureness"] not in ("none", "limit"):
        told.append(say("No setting, for reasons below: {engines}.", engines=", ".join(without)))
    yield Block(decision["sentence"], sentences=told)


def _memory(memory: Document | None) -> Iterator[str]:
    """The memory that the length takes, or why that cannot be said."""
    if memory is None:
        return
    if memory["cache_bytes"] is not None:
        size, unit = in_unit(memory["cache_bytes"])
        yield say(
            "Key/value cache: {batch:,} × {length:,} tokens in {kind}, {size:.1f} {unit}",
            batch=memory["batch"],
            length=memory["length"],
            kind=memory["cache_kind"],
            size=size,
            unit=unit,
        )
    if memory["kept"]:
        yield memory["kept"]
    if memory["weight_bytes"] is not None:
        size, unit = in_unit(memory["weight_bytes"])
        kind = memory["weight_kind"]
        told = {"kind": kind, "size": size, "unit": unit}
        if memory["weights_assumed"]:
            yield say("Weights, if they are in {kind}: {size:.1f} {unit}", **told)
        else:
            yield say("Weights in {kind}: {size:.1f} {unit}", **told)
    yield from _gpus(memory)
    if memory["missing"]:
        yield memory["missing"]


def _gpus(memory: Document) -> Iterator[str]:
    """The GPUs that were asked about; else which of the common ones hold it."""
    if memory["asked"]:
        yield memory["asked"]["text"]
        return
    counts = [(name, memory["gpus"][name]) for name in GPUS if (memory["gpus"] or {}).get(name)]
    if counts:
        gpus = ", ".join(f"{count} × {name}" for name, count in counts)
        yield say("GPUs that hold both: {gpus}", gpus=gpus)
    # Room for more than was asked for is no news.
    longest = {
        name: one
        for name, one in (memory["longest"] or {}).items()
        if name in GPUS and one["tokens"] < (memory["length"] or 0)
    }
    if longest:
        texts = [f"{one['tokens']:,} ({one['gpus']} × {name})" for name, one in longest.items()]
        yield say("Longest text that memory leaves room for: {texts}", texts=", ".join(texts))


def _other(layer: Document) -> Iterator[Part]:
    words: list[str] = [WITHOUT_ROTATION[layer["encoding"]].name]
    if layer["num_heads"] and layer["encoding"] not in WITHOUT_HEADS:
        words.append(say_count("{count} head", "{count} heads", layer["num_heads"]))
    yield Items(words)
    numbers = [(name, f"{value:g}") for name, value in layer["parameters"].items()]
    yield Rows([*numbers, (say("declared length"), _tokens(layer["declared_length"]))])


def _rotary(layer: Document) -> Iterator[Part]:
    lengths = layer["lengths"]
    temperature = layer["temperature"]
    channels = say(
        "{rotated} of {channels} channels, {layout}, base {base:.10g}",
        rotated=layer["rotary_dim"],
        channels=layer["head_dim"] + layer["nope_dim"],
        layout=LAYOUTS[layer["layout"]],
        base=layer["base"],
    )
    scores = say(
        "× {score:.6g} = softmax scale {softmax:.6g} · attention factor {factor:.6g} squared",
        score=temperature["score_scale"],
        softmax=temperature["softmax_scale"],
        factor=temperature["attention_factor"],
    )
    reached = [one for one in (lengths["reached"],) if one != lengths["declared"]]
    own = lengths["with_own"]
    told = WITH_OWN[lengths["trained_with_own"]]
    with_own = [] if own is None else [say("{length:,} ({told})", length=own, told=told)]
    yield Rows(
        [
            (say("rotated"), channels),
            (say("scaling"), _fields(layer["scaling"])),
            (say("trained length"), _tokens(lengths["trained"])),
            *((say("with scaling"), words) for words in with_own),
            (say("declared length"), _tokens(lengths["declared"])),
            *((say("reaches"), _tokens(one)) for one in reached),
            (say("scores"), scores),
        ]
    )
    target = lengths["target"]
    yield Heading(say("Pairs") if target is None else say("Pairs at {n:,} tokens", n=target), 3)
    yield _pairs(layer["pairs"])
    if layer["methods"]:
        yield Heading(say("Methods at {n:,} tokens", n=target), 3)
        yield _methods(layer["methods"])
    yield Heading(say("Which field counts"), 3)
    yield _engines(layer["engines"])


def _pairs(pairs: list[Document]) -> Table:
    """Evenly spaced pairs, the first and the last among them."""
    count = min(SHOWN_PAIRS, len(pairs))
    places = {round(i * (len(pairs) - 1) / max(count - 1, 1)) for i in range(count)}
    return Table(
        (
            say("pair"),
            say("wavelength"),
            say("scaled"),
            say("slowed"),
            say("turns in training"),
        ),
        [
            (
                str(pair["pair"]),
                f"{pair['wavelength']:,.1f}",
                _or_words(say("never turns"), pair["scaled_wavelength"], ",.1f"),
                _or_words("", pair["slowed"], ".4g"),
                _or_words("", pair["turns_in_training"], ",.2f"),
            )
            for pair in (pairs[place] for place in sorted(places))
        ],
    )


def _methods(methods: list[Document]) -> Table:
    return Table(
        (
            say("method"),
            say("fastest ÷"),
            say("slowest ÷"),
            say("attention factor"),
            say("off the file from"),
            say("pairs with new angles"),
            say("after the file's scaling"),
        ),
        [
            (
                method["name"],
                _or_words("", method["fastest_slowed"], ".4g"),
                _or_words("", method["slowest_slowed"], ".4g"),
                f"{method['attention_factor']:.4f}",
                _or_words(_never(method), method["half_a_turn_off_at"], ",.0f"),
                _new_angles(method),
                _or_words("", method["pairs_with_new_angles_after_own"], "d"),
            )
            for method in methods
        ],
    )


def _never(method: Document) -> str:
    """The cell's word where no pair is ever off; empty for methods that change distances."""
    known = METHODS.get(method["id"])
    return "" if known is not None and known.remaps else say("never")


def _new_angles(method: Document) -> str:
    count = method["pairs_with_new_angles"]
    furthest = method["furthest_over_training"]
    if furthest is None:
        return "0"
    return say(
        "{count}, up to {times:.3g} times as far as in training", count=count, times=furthest
    )


def _engines(engines: list[Document]) -> Table:
    return Table(
        (say("engine"), say("trained length"), say("factor"), say("longest text")),
        [
            (
                reading["engine"],
                _source(_tokens(reading["trained_length"]), reading["trained_from"]),
                _source(_or_words(say("none"), reading["factor"], ".6g"), reading["factor_from"]),
                _source(_tokens(reading["longest"]), reading["longest_from"]),
            )
            for reading in engines
        ],
    )


def _source(value: str, where: str) -> str:
    """A number and the field it comes from, with the names of the two lengths cut short."""
    short = where.replace("original_max_position_embeddings", "original")
    return f"{value} ({short.replace('max_position_embeddings', 'max')})" if where else value


def _settings(settings: Document) -> Iterator[Part]:
    shown = [one for one in settings["engines"] if one["refused"] not in settings["notes"]]
    told = say("Settings of {subject}", subject=settings["of"]) if shown else say("Settings")
    yield Heading(told)
    for one in shown:
        title = say("{title}, {place}", title=one["title"], place=one["place"])
        said = (one["refused"], *one["notes"], one["versions"], one["tried"])
        yield Block(title, (), said, one["text"] or "", one["language"])
    yield Items(settings["notes"])


def _fields(scaling: Document) -> str:
    """rope_type and the other fields; long lists by their length."""
    words = [scaling["rope_type"]]
    for name, value in scaling.items():
        if name == "rope_type":
            continue
        is_long = isinstance(value, list) and len(value) > LONGEST_LIST
        told = say("({count} numbers)", count=len(value)) if is_long else value
        words.append(f"{name} {told}")
    return ", ".join(words)


def _tokens(length: int | None) -> str:
    """A length; words where the file does not give it."""
    return say("not in the file") if length is None else f"{length:,}"


def _or_words(words: str, value: float | None, form: str) -> str:
    """A number; words where it does not exist."""
    return words if value is None else format(value, form)
