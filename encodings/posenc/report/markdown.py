"""The document of `explain` as Markdown, to be kept beside a model or sent to somebody."""

import json
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from posenc.config.choosing.choice import SURENESS
from posenc.report.terminal import (
    LAYOUTS,
    OTHERS,
    SEVERITIES,
    or_words,
    tokens,
    with_own,
)
from posenc.words import say

Document = dict[str, Any]
Tell = Callable[[str], str]
MARKUP = str.maketrans({character: f"\\{character}" for character in "\\*[]<>#$|~`_"})


def plain(words: str) -> str:
    """Words of a file as Markdown that shows them as they are, on one line."""
    return " ".join(words.split()).translate(MARKUP)


def markdown(document: Document, title: str, tell: Tell = str) -> str:
    """The document as Markdown.

    Args:
        document: What `explain` returns.
        title: The model's name.
        tell: Puts a sentence into the reader's language.
    """
    lines = [f"# {plain(title)}", "", *_head(document, tell)]
    for layer in document["layers"]:
        lines += ["", f"## {tell(say('Layers: {name}', name=plain(layer['name'])))}", ""]
        lines += _rotary(layer, tell) if layer["encoding"] == "rope" else _other(layer, tell)
    lines += ["", f"## {tell(say('Findings'))}", "", *_findings(document["findings"], tell)]
    lines += ["", *_settings(document["settings"], tell)]
    return "\n".join(lines) + "\n"


def _head(document: Document, tell: Tell) -> Iterator[str]:
    """The decision: how sure it is, why, and its cost."""
    decision = document["decision"]
    memory = document["memory"]
    if decision is not None:
        yield f"**{plain(tell(decision['sentence']))}** {tell(SURENESS[decision['sureness']])}"
        yield ""
        yield from (f"- {plain(tell(reason['text']))}" for reason in decision["reasons"])
    if memory is not None and memory["cache_bytes"] is not None:
        yield "- " + tell(
            say(
                "Key/value cache for {length:,} tokens, {batch:,} at once, in {kind}: {size:,} "
                "bytes.",
                length=memory["length"],
                batch=memory["batch"],
                kind=memory["cache_kind"],
                size=memory["cache_bytes"],
            )
        )
        if memory["kept"]:
            yield f"- {plain(tell(memory['kept']))}"
        if memory["weight_bytes"] is not None:
            yield "- " + tell(
                say(
                    "Weights in {kind}: {size:,} bytes.",
                    kind=memory["weight_kind"],
                    size=memory["weight_bytes"],
                )
            )
    if memory is not None and memory["missing"]:
        yield f"- {plain(tell(memory['missing']))}"
    yield ""
    model_type = document["model_type"] or tell(say("not in the file"))
    yield f"{tell(say('model type'))}: {plain(model_type)}"
    yield from (f"\n{plain(tell(note))}" for note in document["input"]["notes"])


def _other(layer: Document, tell: Tell) -> Iterator[str]:
    yield f"{tell(OTHERS[layer['encoding']])}."
    yield ""
    yield from _table(
        (say("declared length"), *layer["parameters"]),
        [(tokens(layer["declared_length"]), *(f"{v:g}" for v in layer["parameters"].values()))],
        tell,
    )


def _rotary(layer: Document, tell: Tell) -> Iterator[str]:
    lengths = layer["lengths"]
    rows: list[tuple[str, str]] = [
        (
            say("rotated channels"),
            f"{layer['rotary_dim']} / {layer['head_dim'] + layer['nope_dim']}",
        ),
        (say("layout"), LAYOUTS[layer["layout"]]),
        (say("base"), f"{layer['base']:.10g}"),
        (say("scaling"), f"`{_code(json.dumps(layer['scaling']))}`"),
        (say("trained length"), tokens(lengths["trained"])),
        *with_own(lengths),
        (say("declared length"), tokens(lengths["declared"])),
        (say("reaches"), tokens(lengths["reached"])),
    ]
    yield from _table((say("what"), say("value")), rows, tell)
    if layer["methods"]:
        yield ""
        yield tell(say("Methods at {n:,} tokens", n=lengths["target"])) + ":"
        yield ""
        yield from _methods(layer["methods"], tell)
    yield ""
    yield tell(say("Which field counts")) + ":"
    yield ""
    rows_of_engines = [
        (
            reading["engine"],
            f"{tokens(reading['trained_length'])} `{_code(reading['trained_from'])}`",
            f"{or_words('', reading['factor'], '.6g')} `{_code(reading['factor_from'])}`",
            f"{tokens(reading['longest'])} `{_code(reading['longest_from'])}`",
        )
        for reading in layer["engines"]
    ]
    head = (say("engine"), say("trained length"), say("factor"), say("longest text"))
    yield from _table(head, rows_of_engines, tell)


def _methods(methods: list[Document], tell: Tell) -> Iterator[str]:
    head = (
        *(say("method"), say("fastest ÷"), say("slowest ÷"), say("attention factor")),
        *(say("pairs with new angles"), say("after the file's scaling")),
    )
    rows = [
        (
            method["name"],
            or_words("", method["fastest_slowed"], ".4g"),
            or_words("", method["slowest_slowed"], ".4g"),
            f"{method['attention_factor']:.4f}",
            str(method["pairs_with_new_angles"]),
            or_words("", method["pairs_with_new_angles_after_own"], "d"),
        )
        for method in methods
    ]
    yield from _table(head, rows, tell)


def _findings(findings: list[Document], tell: Tell) -> Iterator[str]:
    if not findings:
        yield tell(say("Nothing to report: the fields agree with each other."))
    for finding in findings:
        fields = ", ".join(f"`{_code(field)}`" for field in finding["fields"])
        words = f"{plain(tell(finding['message']))} {plain(tell(finding['remedy']))}".rstrip()
        yield f"- **{tell(SEVERITIES[finding['severity']])}** ({fields}): {words}"


def _code(words: str) -> str:
    """Words of a file between back-quotes."""
    return " ".join(words.split()).replace("`", "·")


def _settings(settings: Document, tell: Tell) -> Iterator[str]:
    yield f"## {tell(say('Settings of {subject}', subject=settings['of']))}"
    for one in settings["engines"]:
        if one["text"] == "" and not one["notes"]:
            continue
        head = say("{title}, {place}", title=one["title"], place=one["place"])
        yield from ("", f"**{plain(tell(head))}**")
        if one["text"]:
            fence = "```"
            while fence in one["text"]:
                fence += "`"
            yield from ("", f"{fence}{one['language']}", one["text"], fence)
        said = [one["refused"], *one["notes"], one["versions"], one["tried"]]
        yield from ("", " ".join(plain(tell(sentence)) for sentence in said if sentence))
    for note in settings["notes"]:
        yield from ("", plain(tell(note)))


def _table(head: tuple[str, ...], rows: Sequence[tuple[str, ...]], tell: Tell) -> Iterator[str]:
    yield _row(tuple(tell(word) for word in head))
    yield _row(("---",) * len(head))
    yield from (_row(tuple(tell(cell) for cell in row)) for row in rows)


def _row(cells: tuple[str, ...]) -> str:
    shown = (" ".join(cell.split()).replace("|", "\\|") for cell in cells)
    return f"| {' | '.join(shown)} |"
