"""The document of `explain` as Markdown, to be kept beside a model or sent to somebody."""

from collections.abc import Callable, Iterator, Sequence

from advisor.report.parts import Block, Document, Heading, Items, Part, Rows, Table, parts
from posenc.words import say

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
    lines = [f"# {plain(title)}"]
    for part in parts(document):
        if made := [*_lines(part, lambda words: plain(tell(words)))]:
            lines += ["", *made]
    return "\n".join(lines) + "\n"


def _lines(part: Part, told: Tell) -> Iterator[str]:
    match part:
        case Heading(words, level):
            yield f"{'#' * level} {told(words)}"
        case Items(sentences):
            yield from (f"- {told(sentence)}" for sentence in sentences)
        case Rows(values):
            yield from _table((say("what"), say("value")), values, told)
        case Table(head, rows):
            yield from _table(head, rows, told)
        case Block(title, fields, sentences, code, language):
            names = f" ({', '.join(map(_code, fields))})" if fields else ""
            said = " ".join(told(sentence) for sentence in sentences if sentence)
            yield f"**{told(title)}**{names} {said}".rstrip()
            if code:
                fence = "```"
                while fence in code:
                    fence += "`"
                yield from ("", f"{fence}{language}", code, fence)


def _code(words: str) -> str:
    """Words of a file between back-quotes."""
    return f"`{' '.join(words.split()).replace('`', '·')}`"


def _table(head: Sequence[str], rows: Sequence[Sequence[str]], told: Tell) -> Iterator[str]:
    for cells in (map(told, head), ["---"] * len(head), *(map(told, row) for row in rows)):
        yield f"| {' | '.join(cells)} |"
