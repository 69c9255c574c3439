"""Rows of families say nothing that the class of transformers says by itself."""

import pytest
from transformers import CONFIG_MAPPING

from advisor.families.classes import default
from advisor.families.not_rotary import computed, hybrids, learned, parts, relative, without

ROWS = {
    name: row
    for group in (computed, hybrids, learned, parts, relative, without)
    for name, row in group.FAMILIES.items()
    if name in CONFIG_MAPPING and (row.names or row.defaults)
}


@pytest.mark.parametrize("name", sorted(ROWS))
def test_a_row_repeats_nothing_of_its_class(name: str) -> None:
    row = ROWS[name]
    config = default(name)
    said, own = config.to_dict(), type(config).attribute_map
    names = {common: word for common, word in row.names.items() if own.get(common) == word}
    values = {
        common: value
        for common, value in row.defaults.items()
        if said.get(row.names.get(common, own.get(common, common))) == value
    }
    assert (names, values) == ({}, {})
