"""Every family in every engine with one setting, and the dated table; all of it has addresses."""

import json

import numpy as np
import pytest

from advisor import extend_config
from advisor.engines.all import ENGINES
from advisor.facts import GAPS, ROWS
from advisor.report.families import MARKS, answers, families
from pages.engines.answer import RECORD
from tests.kinds import known
from tests.pages.drive import figures, open_screen


def words(**query: str) -> str:
    app = open_screen("engines", **query)
    assert not app.exception
    return "\n".join(one.value for one in app.markdown)


def test_every_row_has_an_address_of_its_own() -> None:
    app = open_screen("engines")
    options = app.selectbox(key="row").options
    assert len(options) == len({*options}) == 1 + len(ROWS) + len(GAPS)
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


@pytest.mark.parametrize(
    ("query", "mark", "told"),
    [
        ({"family": "qwen3", "engine": "vllm"}, "ran", "it agreed for Qwen3-0.6B"),
        ({"family": "qwen3", "engine": "ollama"}, "read", "Read, not run, for qwen3"),
        ({"family": "gemma2", "engine": "sglang"}, "ignored", "srt/models/"),
        ({"family": "falcon", "engine": "sglang"}, "refused", "no class for falcon (srt/model"),
        ({"family": "gpt_oss", "engine": "vllm", "method": "linear"}, "refused", "111-126"),
        ({"family": "llama", "engine": "exllamav2"}, "refused", "places the ramp of YaRN"),
        ({"family": "llama", "engine": "vllm_old"}, "not tried", "Not tried for llama"),
    ],
)
def test_a_cell_has_an_address_a_mark_and_what_says_so(query, mark, told) -> None:
    app = open_screen("engines", **query)
    said = next(one.value for one in app.markdown if f"{mark}.**" in one.value)
    assert told in said
    (picture,) = (figure for figure, _ in figures(app) if figure["key"] == "marks")
    layout, cells = picture["layout"], np.asarray(picture["data"][0]["z"])
    (frame,) = layout["shapes"][1:]
    row, column = int(frame["y0"] + 0.5), int(frame["x0"] + 0.5)
    assert layout["yaxis"]["ticktext"][row] == query["family"]
    assert list(ENGINES)[column] == query["engine"]
    assert MARKS[cells[row, column].astype(int)] == mark


def test_marks_differ_in_shape_and_their_letters_can_be_read() -> None:
    (picture, _size), *_ = figures(open_screen("engines"))
    shapes = [one["marker"]["symbol"] for one in picture["data"][1:]]
    assert len(shapes) == len({*shapes}) == len(MARKS)
    assert picture["layout"]["font"]["size"] >= 12
    names = picture["layout"]["xaxis"]["ticktext"]
    assert len(names) == len({*names}) == len(ENGINES)
    legend = next(one.value for one in open_screen("engines").markdown if "● **" in one.value)
    counts = [int(part.split("**")[1].split()[0]) for part in legend.split(" · ")]
    assert sum(counts) == len(answers("yarn"))


@pytest.mark.parametrize("method", ["yarn", "linear", "ntk", "llama3"])
def test_a_line_is_offered_where_the_mark_says_so(method: str) -> None:
    for (family, engine), answer in answers(method).items():
        before = known(answer.model)
        assert before.model_type == family
        kind = next(one for one in before.rotary if one != "sliding_attention")
        changed = extend_config(before, kind, method, answer.target)
        if answer.mark in ("ignored", "refused"):
            with pytest.raises(ValueError, match=r"\.$"):
                changed.settings(engine, before)
        else:
            assert changed.settings(engine, before).text


def test_the_table_shows_what_is_chosen() -> None:
    app = open_screen("engines", engine="mlx", family="gemma2")
    fields, settings, runs = (one.value for one in app.dataframe)
    assert len(fields) == sum(one.engine == "mlx" for one in ROWS)
    meant = [one for one in GAPS if one.engine == "mlx" and "gemma2" in one.families]
    assert list(settings["where"]) == [one.where for one in meant]
    agreed = json.loads(RECORD.read_text("utf-8"))["exllamav3"]["counts"]["same"]
    found = list(runs[runs["engine"] == "exllamav3"]["compared"])
    assert found == [f"{agreed} agreed, 0 differed"]
    assert not runs.isna().any().any()
    app = open_screen("engines", engine="all", family="all")
    assert [len(one.value) for one in app.dataframe[:2]] == [len(ROWS), len(GAPS)]
    assert "qwen3" in families()
