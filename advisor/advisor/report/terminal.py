"""The document of `explain` as text for a terminal."""

import json
from collections.abc import Iterator, Sequence

from advisor.report.parts import Block, Document, Heading, Items, Part, Rows, Table, parts
from posenc.checks import printable


def text(document: Document) -> str:
    """The document as lines of text; control characters of the file are replaced."""
    lines = (line for part in parts(document) for line in _lines(part))
    return "\n".join(printable(line) for line in lines).lstrip("\n")


def _lines(part: Part) -> Iterator[str]:
    match part:
        case Heading(words, level):
            yield ""
            yield words if level == 2 else f"  {words}"
        case Items(sentences):
            yield from (f"    {sentence}" for sentence in sentences)
        case Rows(values):
            yield from (f"  {line}" for line in _aligned(values))
        case Table(head, rows):
            yield from (f"    {line}" for line in _aligned((head, *rows)))
        case Block(title, fields, sentences, code, language):
            yield f"  {title} ({', '.join(fields)})" if fields else f"  {title}"
            if code:
                yield f"    {json.dumps(json.loads(code)) if language == 'json' else code}"
            yield from (f"    {sentence}" for sentence in sentences if sentence)


def _aligned(rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """Rows of cells that stand under one another."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        cells = (cell.ljust(width) for cell, width in zip(row, widths, strict=True))
        yield "  ".join(cells).rstrip()
