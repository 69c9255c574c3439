"""The document of `explain` as text for a terminal."""

import json
from collections.abc import Iterator
from typing import Any

from posenc.checks import printable
from posenc.config.choosing.choice import SURENESS
from posenc.config.decision import in_unit
from posenc.scaling.methods import METHODS
from posenc.words import say, say_count

Document = dict[str, Any]
SHOWN_PAIRS = 9
LONGEST_LIST = 6
SEVERITIES = {"error": say("Error"), "warning": say("Warning"), "info": say("Worth knowing")}
LAYOUTS = {
    "half": say("half layout"),
    "interleaved": say("interleaved layout"),
    "unknown": say("unknown layout"),
}
WITH_OWN = {
    True: say("its makers extended the model with it"),
    False: say("added for long texts, not trained with it"),
    None: say("whether the model was extended with it is not known"),
}
OTHERS = {
    "alibi": say("ALiBi: a bias on the scores that falls with the distance"),
    "t5": say("T5's buckets: a learned bias for each range of distances"),
    "learned": say("a learned table: one vector for each position, added to the embedding"),
    "sinusoidal": say("sines and cosines of the position, added to the embedding"),
    "shaw": say("relative keys: a learned vector for each distance, multiplied with the query"),
    "transformer_xl": say("Transformer-XL: a projected sine table of the distance"),
    "disentangled": say("DeBERTa: content and learned distances attend to each other"),
    "window_bias": say("a learned bias for each offset of rows and columns within a window"),
    "axial": say("rotation by row and column of an image"),
    "convolution": say("convolutions: each place sees its neighbours in their order"),
    "linear": say("a state that is carried from token to token; no attention over all of them"),
    "coordinates": say("coordinates of points or boxes, given as inputs"),
    "nope": say("no positional encoding in these layers"),
    "none": say("these layers do not mix the tokens of the text"),
    "unknown": say("how these layers use positions is not known here"),
}


def text(document: Document) -> str:
    """The document as lines of text; control characters of the file are replaced."""
    model_type = document["model_type"] or say("not in the file")
    lines = list(_rows((say("model type"), model_type), gap=4))
    lines += [f"  {note}" for note in document["input"]["notes"]]
    lines += _decision(document["decision"])
    lines += _memory(document["memory"])
    for layer in document["layers"]:
        show = _rotary if layer["encoding"] == "rope" else _other
        lines += ["", say("Layers: {name}", name=layer["name"]), *show(layer)]
    lines += ["", say("Findings"), *_findings(document["findings"])]
    lines += ["", *_settings(document["settings"])]
    return "\n".join(printable(line) for line in lines)


def _decision(decision: Document | None) -> Iterator[str]:
    """The decision: how sure it is, and why."""
    if decision is None:
        return
    yield ""
    target = decision["target"]
    yield say("Decision") if target is None else say("At {n:,} tokens", n=target)
    yield f"  {decision['sentence']}"
    yield f"  {SURENESS[decision['sureness']]}"
    for reason in decision["reasons"]:
        yield f"    {reason['text']}"


def _memory(memory: Document | None) -> Iterator[str]:
    """The memory that the length takes."""
    if memory is None or memory["cache_bytes"] is None:
        return
    size, unit = in_unit(memory["cache_bytes"])
    yield say(
        "  Key/value cache: {batch:,} × {length:,} tokens in {kind}, {size:.1f} {unit}",
        batch=memory["batch"],
        length=memory["length"],
        kind=memory["cache_kind"],
        size=size,
        unit=unit,
    )
    if memory["kept"]:
        yield f"    {memory['kept']}"
    if memory["weight_bytes"] is not None:
        size, unit = in_unit(memory["weight_bytes"])
        yield say(
            "  Weights in {kind}: {size:.1f} {unit}",
            kind=memory["weight_kind"],
            size=size,
            unit=unit,
        )
    elif memory["missing"]:
        yield f"  {memory['missing']}"


def _rows(*rows: tuple[str, str], indent: str = "", gap: int = 2) -> Iterator[str]:
    """Names and values, the values under one another."""
    width = max(len(name) for name, _ in rows) + gap
    for name, value in rows:
        yield f"{indent}{name.ljust(width)}{value}"


def _other(layer: Document) -> Iterator[str]:
    words: list[str] = [OTHERS[layer["encoding"]]]
    if layer["num_heads"]:
        words.append(say_count("{count} head", "{count} heads", layer["num_heads"]))
    words += [f"{name} {value:g}" for name, value in layer["parameters"].items()]
    yield f"  {', '.join(words)}"
    yield from _rows((say("declared length"), tokens(layer["declared_length"])), indent="  ")


def _rotary(layer: Document) -> Iterator[str]:
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
    yield from _rows(
        (say("rotated"), channels),
        (say("scaling"), _fields(layer["scaling"])),
        (say("trained length"), tokens(lengths["trained"])),
        *with_own(lengths),
        (say("declared length"), tokens(lengths["declared"])),
        (say("reaches"), tokens(lengths["reached"])),
        (say("scores"), scores),
        indent="  ",
    )
    target = lengths["target"]
    yield ""
    yield "  " + (say("Pairs") if target is None else say("Pairs at {n:,} tokens", n=target))
    yield from _pairs(layer["pairs"])
    if layer["methods"]:
        yield ""
        yield "  " + say("Methods at {n:,} tokens", n=target)
        yield from _methods(layer["methods"])
    yield ""
    yield "  " + say("Which field counts")
    yield from _engines(layer["engines"])


def with_own(lengths: Document) -> list[tuple[str, str]]:
    """The length that the file's own scaling reaches, and whether training went there."""
    if lengths["with_own"] is None:
        return []
    told = WITH_OWN[lengths["trained_with_own"]]
    return [
        (say("with scaling"), say("{length:,} ({told})", length=lengths["with_own"], told=told))
    ]


def _pairs(pairs: list[Document]) -> Iterator[str]:
    """Evenly spaced pairs, the first and the last among them."""
    count = min(SHOWN_PAIRS, len(pairs))
    places = {round(i * (len(pairs) - 1) / max(count - 1, 1)) for i in range(count)}
    yield from _table(
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
                or_words(say("never turns"), pair["scaled_wavelength"], ",.1f"),
                or_words("", pair["slowed"], ".4g"),
                or_words("", pair["turns_in_training"], ",.2f"),
            )
            for pair in (pairs[place] for place in sorted(places))
        ],
    )


def _methods(methods: list[Document]) -> Iterator[str]:
    yield from _table(
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
                or_words("", method["fastest_slowed"], ".4g"),
                or_words("", method["slowest_slowed"], ".4g"),
                f"{method['attention_factor']:.4f}",
                or_words(_never(method), method["half_a_turn_off_at"], ",.0f"),
                _new_angles(method),
                or_words("", method["pairs_with_new_angles_after_own"], "d"),
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
    return say("{count}, up to {times:.3g} × as far as in training", count=count, times=furthest)


def _engines(engines: list[Document]) -> Iterator[str]:
    yield from _table(
        (say("engine"), say("trained length"), say("factor"), say("longest text")),
        [
            (
                reading["engine"],
                _source(tokens(reading["trained_length"]), reading["trained_from"]),
                _source(or_words(say("none"), reading["factor"], ".6g"), reading["factor_from"]),
                _source(tokens(reading["longest"]), reading["longest_from"]),
            )
            for reading in engines
        ],
    )


def _source(value: str, where: str) -> str:
    """A number and where it comes from; the objects' names are left out."""
    where = where.replace("rope_scaling.", "").replace("rope_parameters.", "")
    short = where.replace("original_max_position_embeddings", "original")
    return f"{value} ({short.replace('max_position_embeddings', 'max')})" if where else value


def _table(head: tuple[str, ...], rows: list[tuple[str, ...]]) -> Iterator[str]:
    widths = [max(map(len, column)) for column in zip(head, *rows, strict=True)]
    for row in (head, *rows):
        cells = (cell.ljust(width) for cell, width in zip(row, widths, strict=True))
        yield f"    {'  '.join(cells)}".rstrip()


def _findings(findings: list[Document]) -> Iterator[str]:
    if not findings:
        yield "  " + say("Nothing to report: the fields agree with each other.")
    for finding in findings:
        yield f"  {SEVERITIES[finding['severity']]} ({', '.join(finding['fields'])})"
        yield f"    {finding['message']}"
        if finding["remedy"]:
            yield f"    {finding['remedy']}"


def _settings(settings: Document) -> Iterator[str]:
    yield say("Settings of {subject}", subject=settings["of"])
    for one in settings["engines"]:
        if one["text"] == "" and not one["notes"]:
            continue
        yield "  " + say("{title}, {place}", title=one["title"], place=one["place"])
        if one["text"]:
            is_json = one["language"] == "json"
            yield f"    {json.dumps(json.loads(one['text'])) if is_json else one['text']}"
        for sentence in (one["refused"], *one["notes"], one["versions"], one["tried"]):
            if sentence:
                yield f"    {sentence}"
    for note in settings["notes"]:
        yield f"  {note}"


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


def tokens(length: int | None) -> str:
    """A length; words where the file does not give it."""
    return say("not in the file") if length is None else f"{length:,}"


def or_words(words: str, value: float | None, form: str) -> str:
    """A number; words where it does not exist."""
    return words if value is None else format(value, form)
