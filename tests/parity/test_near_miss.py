"""No field of any class of transformers is taken for a misspelling of another."""

from collections.abc import Iterator
from typing import Any

from transformers import CONFIG_MAPPING

from advisor.reader.near_miss import OF_THE_FILE, OF_THE_OBJECT, meant

OBJECTS = ("rope_parameters", "rope_scaling")


def objects(values: dict[str, Any]) -> Iterator[tuple[dict[str, Any], frozenset[str]]]:
    """The file's object and those within it, each with the names that it may hold."""
    yield values, OF_THE_FILE
    for name, value in values.items():
        if isinstance(value, dict) and name in OBJECTS:
            yield value, OF_THE_OBJECT
        elif isinstance(value, dict) and name.endswith("_config"):
            yield from objects(value)


def test_no_field_is_taken_for_a_misspelling() -> None:
    read = 0
    for kind in CONFIG_MAPPING:
        try:
            values = CONFIG_MAPPING[kind]().to_dict()
        except Exception:
            continue
        read += 1
        for one, known in objects(values):
            assert meant(one.keys(), known) == {}, kind
    assert read > 700
