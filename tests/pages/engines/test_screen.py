"""The dated table: every row has an address, and its counts are those of the table."""

import pytest

from posenc.config.facts import gaps, rows, tried
from tests.pages.drive import open_screen


def words(**query: str) -> str:
    app = open_screen("engines", **query)
    assert not app.exception
    return "\n".join(one.value for one in app.markdown)


def test_every_row_has_an_address_of_its_own() -> None:
    app = open_screen("engines")
    options = app.selectbox(key="row").options
    assert len(options) == len({*options}) == 1 + len(rows()) + len(gaps())
    assert "vllm.--rope-scaling" in options


@pytest.mark.parametrize(
    ("row", "told"),
    [
        ("vllm.--rope-scaling", "vLLM no longer accepts it, since 0.11.1 (2025-11). PR 28006."),
        ("sglang.attention_factor", "SGLang ignores it, since 0.5.23 (2026-10-30)."),
        ("mlx.qwen2_moe.ignores.linear", "**linear**, for qwen2_moe: mlx-lm 0.32.2 ignores it"),
    ],
)
def test_an_address_leads_to_its_row(row: str, told: str) -> None:
    assert told in words(row=row)


def test_the_counts_are_those_of_the_engine() -> None:
    app = open_screen("engines", engine="exllamav3")
    table = app.dataframe[0].value
    assert list(table["ran"]) == [len(tried()["exllamav3"].ran)]
    assert list(table["settings that differed"]) == [0]
    assert list(table["settings that agreed"]) == [271]
    fields, families = (one.value for one in app.dataframe[1:3])
    assert len(fields) == sum(one.engine == "exllamav3" for one in rows())
    assert len(families) == sum(one.engine == "exllamav3" for one in gaps())
