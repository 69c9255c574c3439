"""Sentences told in the language of the session that runs now."""

import re
from collections.abc import Callable, Mapping
from numbers import Real
from string import Formatter
from typing import Any

from posenc.quantity.step import BREAK, breaking
from posenc.words import Sentence
from ui.streamlit.run import is_cached
from ui.words.languages import ENGLISH, catalogue, language
from ui.words.numbers import minus, separators, written

JOINER = "\u2060"
"""Nothing to see, and no place to break a line: after it a mark of Markdown is none."""
TEXT = r"\\text\{[^{}]*\}"
VALUE = r"\\mathord\{(?:[^{}]|\{[^{}]*\})*\}"
ITEM = rf"(?:(?:{TEXT})?{VALUE}(?:{TEXT})?|{TEXT})"
LINKING = re.compile(r":(?=[\w/+-])|(?<=\w)@(?=\w)|\bwww(?=\.)")
RUN = re.compile(rf"{ITEM}(?:{re.escape(BREAK)}{ITEM})*")


def _(template: str, /, **values: Any) -> str:
    """A text in the language of the session.

    Args:
        template: The English text, written out at the call.
        values: What stands in its {places}; numbers as numbers, formatted by the template.
    """
    return translate(Sentence(template, values))


def plural(singular: str, plural: str, count: int, /, **values: Any) -> str:
    """A text about a number of things; both templates may name it {count}."""
    return translate(Sentence(singular, {"count": count, **values}, plural, count))


def translate(text: str | BaseException) -> str:
    """A sentence of the library in the language of the session.

    Args:
        text: A sentence, or an error that holds one; any other text stays as it is.

    Raises:
        RuntimeError: In a cached function, whose result readers of every language get.
    """
    sentence = str(text)
    if not isinstance(sentence, Sentence):
        return sentence
    if is_cached():
        raise RuntimeError(f"A cached function must return sentences, not words: {sentence!r}")
    return _tell(sentence, language())


def told_in(spoken: str) -> Callable[[str], str]:
    """Function that tells sentences in a language, whoever reads them; other texts stay."""
    return lambda text: _tell(text, spoken) if isinstance(text, Sentence) else text


def signed(text: str) -> str:
    """The same, with minus signs before its numbers."""
    return minus(translate(text))


def markdown(text: str | BaseException) -> str:
    """`translate` for a place that reads Markdown: values are shown as they are.

    What a reader typed, or a file says, then never becomes a link, a picture, a formula or a
    colour. The sentence itself may hold marks; a text that is no sentence may not.
    """
    sentence = str(text)
    if not isinstance(sentence, Sentence):
        return as_text(sentence)
    spoken = language()
    template = _template(sentence, spoken)
    if not sentence.values:
        return template
    formatter = _Filled(spoken)
    made = ""
    in_code = False
    for literal, place, form, conversion in formatter.parse(template):
        made += literal
        in_code ^= literal.count("`") % 2 == 1
        if place is None:
            continue
        value = formatter.get_field(place, (), sentence.values)[0]
        if conversion:
            value = formatter.convert_field(value, conversion)
        if isinstance(value, BaseException):
            value = str(value)
        filled = formatter.format_field(value, form or "")
        if isinstance(value, Sentence) and not form and not in_code:
            made += markdown(value)
        elif isinstance(value, Real):
            made += filled
        else:
            made += " ".join(filled.replace("`", "'").split()) if in_code else as_text(filled)
    return made


def as_text(words: str) -> str:
    """Words as Markdown that shows them as they are, in one line."""
    marked = re.sub(r"[\\`*\[\]<>#|$~&]|(?<!\w)_|_(?!\w)", r"\\\g<0>", " ".join(words.split()))
    marked = re.sub(r"^([-+=]|\d+(?=[.)] ))", r"\1" + JOINER, marked)
    return LINKING.sub(r"\g<0>" + JOINER, marked)


def unlinked(words: str) -> str:
    """Words in which no address becomes a link, and no :name: an icon; code stays as it is."""
    parts = words.split("`")
    parts[::2] = [LINKING.sub(r"\g<0>" + JOINER, part) for part in parts[::2]]
    return "`".join(parts)


def latex(formula: str) -> str:
    r"""A formula with the words in each \text{…} in the language of the session.

    A text is looked up without the spaces at its ends. Words that may break between them, each in
    a \text of its own, are looked up as one text; see `posenc.quantity.step.words`.
    """
    spoken = language()
    if spoken == ENGLISH:
        return formula
    told = RUN.sub(lambda found: _tell_run(found[0], spoken), formula)
    thousands, decimal = separators(spoken)
    swap = {"{,}": f"{{{thousands}}}", ".": f"{{{decimal}}}"}
    if decimal == ".":
        return told
    return re.sub(r"(?<=\d)(?:\{,\}|\.)(?=\d)", lambda found: swap[found[0]], told)


def _tell_run(run: str, spoken: str) -> str:
    """Words of a formula: their values are {0}, {1}, … in the text that is looked up."""
    values = re.findall(VALUE, run)
    numbers = iter(range(len(values)))
    text = re.sub(VALUE, lambda _: f"{{{next(numbers)}}}", run.replace(BREAK, " "))
    text = re.sub(r"\\text\{([^{}]*)\}", r"\1", text)
    core = text.strip()
    if not core or core == "{0}":
        return run
    told = text.replace(core, catalogue(spoken).gettext(core))
    return breaking(told, values) if BREAK in run else rf"\text{{{told}}}"


def _tell(sentence: Sentence, spoken: str) -> str:
    if spoken == ENGLISH:
        return str.__str__(sentence)  # as it was made
    template = _template(sentence, spoken)
    return fill(template, sentence.values, spoken) if sentence.values else template


def _template(sentence: Sentence, spoken: str) -> str:
    texts = catalogue(spoken)
    if sentence.plural is None or sentence.counted is None:
        return texts.gettext(sentence.template)
    return texts.ngettext(sentence.template, sentence.plural, sentence.counted)


def fill(template: str, values: Mapping[str, Any], spoken: str) -> str:
    """A template with its values, as a language writes them."""
    return _Filled(spoken).vformat(template, (), values)


class _Filled(Formatter):
    """Fills a template: sentences among the values are told, numbers get a language's marks."""

    def __init__(self, spoken: str) -> None:
        self.spoken = spoken

    def format_field(self, value: Any, format_spec: str) -> str:
        """One value as text."""
        if isinstance(value, BaseException):
            value = str(value)
        if isinstance(value, Sentence):
            value = _tell(value, self.spoken)
        text = format(value, format_spec)
        is_number = isinstance(value, Real) and not isinstance(value, bool)
        return written(text, self.spoken) if is_number else text
