"""Sentences that can still be told in another language.

The library speaks English: `say` fills the places of a template and gives an ordinary string. The
string remembers its template and its values, so that an app can look the template up in another
language and fill it anew; who has no such app reads plain English.

    say("Trained on {length:,} tokens.", length=4096)
"""

from collections.abc import Mapping
from typing import Any


class Sentence(str):
    """Finished English text that knows its template and its values.

    It is a `str` in everything. What is made from it by the methods of `str` is a plain string;
    put one sentence into another as a value instead, and both can be told in another language.
    """

    template: str
    """The text with {names} where values stand; without values it stands for itself."""
    plural: str | None
    """The template for other numbers than one; None where nothing is counted."""
    counted: int | None
    """The number of things; it is a value as well, by the name of `count`."""
    values: Mapping[str, Any]
    """By name: numbers, texts, other sentences, errors that hold a sentence."""

    def __new__(
        cls,
        template: str,
        values: Mapping[str, Any],
        plural: str | None = None,
        count: int | None = None,
    ) -> "Sentence":
        """Fill the template."""
        chosen = template if plural is None or count == 1 else plural
        sentence = super().__new__(cls, chosen.format(**values) if values else chosen)
        sentence.template = template
        sentence.plural = plural
        sentence.counted = count
        sentence.values = dict(values)
        return sentence

    def filled(self, **values: Any) -> "Sentence":
        """The same text with these values in its places."""
        return Sentence(self.template, values)

    def __str__(self) -> str:
        # Itself: the text of an error, str(error), then still is the sentence it was raised with.
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return Sentence, (self.template, self.values, self.plural, self.counted)


def say(template: str, /, **values: Any) -> Sentence:
    """A sentence.

    Args:
        template: The English text, written out where `say` is called: that is where a translator's
            list of texts is made from. Values stand as in `str.format`: "{count:,} tokens"; with
            no values it is taken as it stands, braces and all.
        values: Numbers (formatted by the template, so that another language can write them its
            own way), texts, and other sentences.
    """
    return Sentence(template, values)


def say_count(singular: str, plural: str, count: int, /, **values: Any) -> Sentence:
    """A sentence about a number of things.

    Args:
        singular: The English text for one, as for `say`.
        plural: The English text for any other number.
        count: The number; both texts may name it {count}.
        values: Further values.
    """
    return Sentence(singular, {"count": count, **values}, plural, count)
