"""Settings of engines in a table: the line, what is said beside it, and what is refused."""

from itertools import product

import pytest

from advisor import RopeConfig, extend_config
from advisor.choosing.choose import choose
from advisor.engines.all import answer
from advisor.engines.engine import Serving, Written
from advisor.facts import Mark
from advisor.training import trained_length
from tests.advisor.files import read, rows


def several() -> list[list[str]]:
    """Rows of the table; a cell may hold several engines, files and wishes."""
    return [
        [*each, form, words]
        for *cells, form, words in rows(__file__, "told.txt")
        for each in product(*(cell.split("; ") for cell in cells))
    ]


def told(engine: str, before: RopeConfig, wishes: str) -> tuple[Mark, Written | str]:
    """What an engine is told.

    "yarn 16384" or "yarn ×4": by a method; "16384": as advised; "": the file as it is;
    "cache fp8, batch 4, at 8192": served so.
    """
    config, cache, batch, length = before, "bfloat16", 1, None
    for wish in wishes.split(", ") if wishes else ():
        match wish.split():
            case ["cache", kind]:
                cache = kind
            case ["batch", count]:
                batch = int(count)
            case ["at", tokens]:
                length = int(tokens)
            case [method, far]:
                kind = next(key for key in before.rotary if key != "sliding_attention")
                trained = trained_length(before, kind) or 0
                target = trained * int(far[1:]) if far.startswith("×") else int(far)
                config = extend_config(before, kind, method, target)
            case [tokens]:
                length = int(tokens)
                choice = choose(before, length).config
                assert choice is not None
                config = choice
    return answer(config, engine, before, Serving(cache, batch, length))


@pytest.mark.parametrize("row", several(), ids=lambda row: " | ".join(row[:4]))
def test_what_an_engine_is_told(row: list[str]) -> None:
    engine, file, wishes, form, words = row
    mark, written = told(engine, read(file), wishes)
    parts = words.split(" … ")
    if form in ("ignored", "refused"):
        assert (mark, isinstance(written, str)) == (form, True)
        assert all(part in written for part in parts)
        return
    assert isinstance(written, Written), written
    line, notes = " ".join(written.text.split()), written.notes
    of_words = [note for note in notes if all(part in note for part in parts)]
    match form:
        case "line is":
            assert line == words
        case "pasted is":
            assert " ".join(written.to_paste.split()) == words
        case "line":
            assert line != ""
            assert words in line
        case "no line":
            assert words not in line
        case "note":
            assert of_words
        case "only note":
            assert len(of_words) == len(notes) == 1
        case "no note":
            assert not of_words
        case "from":
            assert written.versions.startswith(words)
            assert bool(words) == bool(written.versions)
        case "tried":
            assert written.tried.startswith(words)
        case _:
            raise AssertionError(form)
