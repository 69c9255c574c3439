"""Sentences: English for everybody, and enough kept to tell them in another language."""

import copy
import pickle
from dataclasses import dataclass, replace

import pytest

from posenc.words import Sentence, say, say_count


def test_a_sentence_is_its_english_text() -> None:
    sentence = say("{name} has {count:,} tokens", name="The text", count=16384)
    assert sentence == "The text has 16,384 tokens"
    assert isinstance(sentence, str)
    assert sentence.template == "{name} has {count:,} tokens"
    assert sentence.values == {"name": "The text", "count": 16384}


def test_without_values_braces_are_braces_until_they_are_filled() -> None:
    assert say("a set {1, 2}") == "a set {1, 2}"
    filled = say("{count:,} tokens").filled(count=16384)
    assert (filled, filled.template) == ("16,384 tokens", "{count:,} tokens")


@pytest.mark.parametrize(("count", "text"), [(0, "0 words"), (1, "1 word"), (2, "2 words")])
def test_counted_things_have_two_templates(count: int, text: str) -> None:
    sentence = say_count("{count} word", "{count} words", count)
    assert sentence == text
    assert (sentence.template, sentence.plural, sentence.counted) == (
        "{count} word",
        "{count} words",
        count,
    )


def test_the_methods_of_str_are_those_of_str() -> None:
    sentence = say("one and one")
    assert sentence.count("one") == 2
    assert not isinstance(sentence.upper(), Sentence)


@pytest.mark.parametrize(
    "made", [copy.copy, copy.deepcopy, lambda sentence: pickle.loads(pickle.dumps(sentence))]
)
def test_copies_are_sentences(made) -> None:
    inner = say_count("{count} word", "{count} words", 3)
    copied = made(say("{what}: {size:.2f}", what=inner, size=0.5))
    assert copied == "3 words: 0.50"
    assert copied.values["what"].plural == "{count} words"


def test_an_error_gives_back_its_sentence() -> None:
    assert str(ValueError(say("got {value}", value=7))).values == {"value": 7}  # type: ignore[attr-defined]


def test_a_dataclass_keeps_its_sentences() -> None:
    @dataclass(frozen=True)
    class Named:
        name: str
        size: int

    assert isinstance(replace(Named(say("key j"), 2), size=3).name, Sentence)
