"""The document of `explain` as text for a terminal."""

import json
import shlex
from collections.abc import Iterator
from typing import Any

Document = dict[str, Any]
SHOWN_PAIRS = 9
LONGEST_LIST = 6
WORDS = {"error": "Error", "warning": "Warning", "info": "Worth knowing"}
OTHERS = {
    "alibi": "ALiBi: a bias on the scores that falls with the distance",
    "t5": "T5's buckets: a learned bias for each range of distances",
    "learned": "a learned table: one vector for each position, added to the embedding",
    "nope": "no positional encoding in these layers",
}


def text(document: Document) -> str:
    """The document as lines of text; control characters of the file are replaced."""
    lines = [f"model type    {document['model_type'] or 'not in the file'}"]
    for layer in document["layers"]:
        show = _rotary if layer["encoding"] == "rope" else _other
        lines += ["", *show(layer)]
    lines += ["", "Findings", *_findings(document["findings"])]
    lines += ["", *_settings(document["settings"])]
    return "\n".join(_printable(line) for line in lines)


def _printable(line: str) -> str:
    return "".join(c if c.isprintable() else "·" for c in line)


def _other(layer: Document) -> list[str]:
    parameters = ", ".join(f"{name} {value:g}" for name, value in layer["parameters"].items())
    heads = f", {layer['num_heads']} heads" if layer["num_heads"] else ""
    return [
        f"Layers: {layer['name']}",
        f"  {OTHERS[layer['encoding']]}{heads}{', ' if parameters else ''}{parameters}",
        f"  declared length  {_tokens(layer['declared_length'])}",
    ]


def _rotary(layer: Document) -> Iterator[str]:
    lengths, temperature = layer["lengths"], layer["temperature"]
    channels = f"{layer['rotary_dim']} of {layer['head_dim'] + layer['nope_dim']} channels"
    yield f"Layers: {layer['name']}"
    yield f"  rotated          {channels}, {layer['layout']} layout, base {layer['base']:.10g}"
    yield f"  scaling          {_fields(layer['scaling'])}"
    yield f"  trained length   {_tokens(lengths['trained'])}"
    yield f"  declared length  {_tokens(lengths['declared'])}"
    yield f"  reaches          {_tokens(lengths['reached'])}"
    yield (
        f"  scores           × {temperature['score_scale']:.6g} = softmax scale "
        f"{temperature['softmax_scale']:.6g} · attention factor "
        f"{temperature['attention_factor']:.6g} squared"
    )
    at = "" if lengths["target"] is None else f" at {lengths['target']:,} tokens"
    yield ""
    yield f"  Pairs{at}"
    yield from _table(
        ("pair", "wavelength", "scaled", "slowed", "turns in training"),
        [
            (
                str(pair["pair"]),
                f"{pair['wavelength']:,.1f}",
                _or("never turns", pair["scaled_wavelength"], ",.1f"),
                _or("", pair["slowed"], ".4g"),
                _or("", pair["turns_in_training"], ",.2f"),
            )
            for pair in _some(layer["pairs"])
        ],
    )
    if layer["methods"]:
        yield ""
        yield f"  Methods{at}"
        yield from _table(
            (
                "method",
                "fastest ÷",
                "slowest ÷",
                "attention factor",
                "off the file from",
                "pairs with new angles",
            ),
            [
                (
                    method["name"],
                    _or("", method["fastest_slowed"], ".4g"),
                    _or("", method["slowest_slowed"], ".4g"),
                    f"{method['attention_factor']:.4f}",
                    _or("never", method["half_a_turn_off_at"], ",.0f"),
                    _new_angles(method),
                )
                for method in layer["methods"]
            ],
        )
    yield ""
    yield "  Which field counts"
    yield from _table(
        ("engine", "trained length", "factor", "longest text"),
        [
            (
                reading["engine"],
                _source(_tokens(reading["trained_length"]), reading["trained_from"]),
                _source(_or("none", reading["factor"], ".6g"), reading["factor_from"]),
                _source(_tokens(reading["longest"]), reading["longest_from"]),
            )
            for reading in layer["engines"]
        ],
    )


def _source(value: str, where: str) -> str:
    """A number and where it comes from; the objects' names are left out."""
    where = where.replace("rope_scaling.", "").replace("rope_parameters.", "")
    short = where.replace("original_max_position_embeddings", "original")
    return f"{value} ({short.replace('max_position_embeddings', 'max')})" if where else value


def _new_angles(method: Document) -> str:
    count, furthest = method["pairs_with_new_angles"], method["furthest_over_training"]
    return "0" if furthest is None else f"{count}, up to {furthest:.3g} × as far as in training"


def _some(pairs: list[Document]) -> list[Document]:
    """Evenly spaced pairs, the first and the last among them."""
    count = min(SHOWN_PAIRS, len(pairs))
    places = {round(i * (len(pairs) - 1) / max(count - 1, 1)) for i in range(count)}
    return [pairs[place] for place in sorted(places)]


def _table(head: tuple[str, ...], rows: list[tuple[str, ...]]) -> Iterator[str]:
    widths = [max(map(len, column)) for column in zip(head, *rows, strict=True)]
    for row in (head, *rows):
        cells = (cell.ljust(width) for cell, width in zip(row, widths, strict=True))
        yield f"    {'  '.join(cells)}".rstrip()


def _findings(findings: list[Document]) -> Iterator[str]:
    if not findings:
        yield "  Nothing to report: the fields agree with each other."
    for finding in findings:
        yield f"  {WORDS[finding['severity']]} ({', '.join(finding['fields'])})"
        yield f"    {finding['message']}"
        if finding["remedy"]:
            yield f"    {finding['remedy']}"


def _settings(settings: Document) -> Iterator[str]:
    yield f"Settings of {settings['of']}"
    for name in ("transformers_5", "transformers_4"):
        if settings[name]:
            yield f"  {name.replace('_', ' ')}, in config.json"
            yield f"    {json.dumps(settings[name])}"
    for name, where in (
        ("vllm", "vLLM, after vllm serve MODEL"),
        ("llama_cpp", "llama.cpp, after llama-server -m FILE"),
    ):
        if settings[name]:
            yield f"  {where}"
            yield f"    {shlex.join(settings[name])}"
    for note in settings["notes"]:
        yield f"  {note}"


def _fields(scaling: Document) -> str:
    """rope_type and the other fields; long lists by their length."""
    words = [scaling["rope_type"]]
    for name, value in scaling.items():
        if name == "rope_type":
            continue
        is_long = isinstance(value, list) and len(value) > LONGEST_LIST
        words.append(f"{name} {f'({len(value)} numbers)' if is_long else value}")
    return ", ".join(words)


def _tokens(length: int | None) -> str:
    return "not in the file" if length is None else f"{length:,}"


def _or(words: str, value: float | None, form: str) -> str:
    return words if value is None else format(value, form)
