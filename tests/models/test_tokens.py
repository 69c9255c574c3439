"""Tokens as readers see them."""

import pytest
from tokenizers import Tokenizer, decoders, models

from models.files.find import installed
from models.opened import open_model
from models.tokens import Vocabulary


@pytest.fixture(scope="module")
def vocabulary() -> Vocabulary:
    found = installed()
    assert found is not None
    return open_model(found).vocabulary


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("The cat\nsat", ["The", "·cat", "↵", "sat"]),
        ("你好", ["你 1/2", "你 2/2", "好 1/2", "好 2/2"]),
        ("Привет", ["П 1/2", "П 2/2", "ри", "в", "ет"]),
        ("о П", ["о", "·П 1/2", "П 2/2"]),
        (" 🙂", ["·🙂"]),
        ("\ttab", ["⇥", "tab"]),
        ("", []),
    ],
)
def test_tokens_stand_for_the_characters_of_the_text(
    text: str, shown: list[str], vocabulary: Vocabulary
) -> None:
    assert vocabulary.cut(text).texts == shown


def test_half_a_surrogate_pair_is_no_character(vocabulary: Vocabulary) -> None:
    assert vocabulary.cut("a\ud83d").ids == vocabulary.cut("a?").ids


def test_pieces_of_the_vocabulary(vocabulary: Vocabulary) -> None:
    street = vocabulary.cut(" street").ids[0]
    assert vocabulary.piece(street) == "·street"
    assert vocabulary.piece(0) == "<|endoftext|>"
    assert vocabulary.piece(vocabulary.cut("你").ids[0]) == "0xE4 0xBD"
    assert vocabulary.piece(10**6) == "#1000000"


def test_every_token_of_a_text_is_a_piece(vocabulary: Vocabulary) -> None:
    cut = vocabulary.cut("The street, said the cat:\n- is wet.")
    assert [vocabulary.piece(token) for token in cut.ids] == cut.texts


def test_pieces_of_a_sentencepiece_vocabulary() -> None:
    tokenizer = Tokenizer(models.BPE({"▁the": 0, "<0xE4>": 1}, []))
    tokenizer.decoder = decoders.Sequence([decoders.ByteFallback(), decoders.Fuse()])
    assert [Vocabulary(tokenizer).piece(token) for token in (0, 1)] == ["·the", "<0xE4>"]
