"""The axes of a matrix: what its rows and its columns mean."""

from dataclasses import dataclass

from posenc.words import say


@dataclass(frozen=True)
class Axis:
    """One axis of a matrix: what its index means and how far it goes."""

    name: str
    length: int
    labels: tuple[str, ...] | None = None


def queries_by_keys(length: int, labels: tuple[str, ...] | None = None) -> tuple[Axis, Axis]:
    """The axes of an attention over one text: queries down, keys to the right."""
    return Axis(say("query i"), length, labels), Axis(say("key j"), length, labels)


class QueryByKey:
    """The axes that most quantities share: positions of queries down, of keys to the right."""

    length: int
    letters = "ij"
    """Letters of the two positions."""

    @property
    def rows(self) -> Axis:
        """Positions of the query."""
        return Axis(say("query position {letter}", letter=self.letters[0]), self.length)

    @property
    def cols(self) -> Axis:
        """Positions of the key."""
        return Axis(say("key position {letter}", letter=self.letters[1]), self.length)
