"""Cache that engines reserve, against their own planners (data/reserved.json)."""

import json
from pathlib import Path

import pytest

from advisor.facts import TRIED
from advisor.memory.cache import cache_bytes
from advisor.memory.cards import CARDS, GIB, room
from advisor.memory.needs import needs
from advisor.memory.planners.request import Request
from advisor.memory.planners.vllm import tokens_in_flight
from advisor.memory.reserved import PLANNERS, cards_for, longest, reserved
from tests.kinds import known
from tests.parity.test_memory import KINDS

RECORD = json.loads(
    (Path(__file__).resolve().parents[2] / "data" / "reserved.json").read_text("utf-8")
)
ROWS = [
    (engine, row)
    for engine, run in RECORD.items()
    for row in run["rows"]
    if row["bytes"] is not None
]
H100 = next(card for card in CARDS if card.name == "H100")


def plans(name: str, length: int) -> dict[str, int | None]:
    return {str(one.planner.title): one.cache for one in reserved(Request(known(name), length))}


def test_the_planner_of_the_engine_says_the_same() -> None:
    for engine, row in ROWS:
        asked = {name: row[name] for name in ("kind", "cards", "batch") if name in row}
        found = [
            one.cache
            for one in reserved(Request(known(row["model"]), row["length"], **asked))
            if one.planner.engine == engine and row.get("title") in (None, str(one.planner.title))
        ]
        assert found[0] == pytest.approx(row["bytes"], rel=0.001), (engine, row)


def test_ten_models_were_asked_of_vllm_in_every_setting() -> None:
    for setting in ("kind", "cards", "batch"):
        assert (
            len({row["model"] for engine, row in ROWS if engine == "vllm" and setting in row}) >= 10
        )


def test_families_are_marked_as_compared_that_were() -> None:
    compared = {
        engine: {known(row["model"]).model_type for name, row in ROWS if name == engine}
        for engine in RECORD
    }
    # transformers' own cache is run in the tests.
    compared["transformers_5"] = set(KINDS)
    assert {name: {*one.planned} for name, one in TRIED.items() if one.planned} == compared
    marks = {
        name: {one.planner.engine: one.compared for one in reserved(Request(known(name), 8192))}
        for name in ("Qwen3-Next-80B-A3B", "OLMo-2-7B")
    }
    assert marks["Qwen3-Next-80B-A3B"] == dict(
        vllm=True, sglang=False, llama_cpp=False, transformers_5=True
    )
    assert set(marks["OLMo-2-7B"].values()) == {False}


def test_reserved_is_no_less_than_what_the_layers_need() -> None:
    for name in ("Llama-3.1-8B", "Gemma-3-12B", "gpt-oss-20b", "DeepSeek-V3", "Falcon-H1-7B"):
        for length in (1000, 131072):
            needed = cache_bytes(known(name), length)
            for title, cache in plans(name, length).items():
                assert cache is None or cache >= needed, (name, length, title)


def test_without_windows_there_is_one_number() -> None:
    assert set(plans("Qwen3-8B", 131072).values()) == {36 * 8 * 128 * 2 * 2 * 131072}


def test_windows_that_an_engine_lacks_are_reserved_whole() -> None:
    # llama.cpp reads Mistral as Llama, and SGLang has one pool for it.
    whole = 32 * 8 * 128 * 2 * 2 * 131072
    found = plans("Mistral-7B-v0.1", 131072)
    assert found["llama.cpp"] == found["SGLang"] == whole
    assert found["transformers"] == whole // 32


def test_what_was_not_read_is_said() -> None:
    vllm = reserved(Request(known("DeepSeek-V3.2"), 8192))[0]
    assert vllm.planner.engine == "vllm"
    assert vllm.cache is None
    assert "indexer" in vllm.missing


def test_tokens_in_flight_are_those_of_the_card() -> None:
    found = {card.name: tokens_in_flight(card) for card in CARDS}
    assert found["H100"] == 16384
    assert found["A100 80GB"] == found["RTX 4090"] == 4096
    assert found["B200"] == 32768


def test_the_longest_text_fits_and_one_block_more_does_not() -> None:
    weights = 16 * GIB
    found = longest(known("Llama-3.1-8B"), weights, H100)
    per_token = 32 * 8 * 128 * 2 * 2
    assert found["vLLM"] == (room(H100) - weights) // (16 * per_token) * 16
    assert longest(known("Llama-3.1-8B"), 100 * GIB, H100)["vLLM"] == 0
    # Two cards: half of the weights and half of the heads on each.
    two = longest(known("Llama-3.1-8B"), weights, H100, cards=2)["vLLM"]
    assert two == (room(H100) - weights // 2) * 2 // (16 * per_token) * 16


def test_each_engine_needs_its_own_number_of_cards() -> None:
    """Gemma 3 at 524,288: SGLang keeps all in its windows, llama.cpp does not."""
    request = Request(known("Gemma-3-12B"), 524288)
    weights = 22 * GIB
    found = {
        str(planner.title): cards_for(planner, request, weights, H100).cards for planner in PLANNERS
    }
    assert found == {
        "vLLM": 1,
        "SGLang": 4,
        "llama.cpp": 1,
        "llama.cpp --swa-full": 4,
        "transformers": 1,
    }


def test_a_latent_is_whole_on_each_card_where_heads_are_split() -> None:
    """vLLM splits heads and has the latent on every card; llama.cpp splits layers."""
    vllm, _, llama_cpp, *_ = PLANNERS
    request = Request(known("DeepSeek-V3"), 163840, batch=8)
    found = [cards_for(planner, request, 100 * GIB, H100).cards for planner in (vllm, llama_cpp)]
    # 8 × 10.7 GiB of cache are too much for one card; two machines have half of the layers each.
    assert found == [16, 4]


def test_deepseek_v3_on_more_than_eight_cards() -> None:
    """626.8 GiB of weights: eight H200, or two machines of eight H100."""
    cost = needs(known("DeepSeek-V3"), 131072)
    found = {fit.card.name: fit for fit in cost.cards}
    assert (found["H200"].cards, found["H100"].cards, found["MI300X"].cards) == (8, 16, 4)
    assert found["H100"].weights / GIB == pytest.approx(626.8 / 16, abs=0.01)
    assert found["H100"].cache / GIB == pytest.approx(8.6 / 2, abs=0.05)
    vllm, sglang, llama_cpp, *_ = PLANNERS
    request = Request(known("DeepSeek-V3"), 131072)
    h100 = {
        planner.engine: cards_for(planner, request, cost.weight_bytes, H100)
        for planner in (vllm, sglang, llama_cpp)
    }
    # vLLM splits by layers between machines; in SGLang the latent is whole on every card.
    assert (h100["vllm"].cards, h100["sglang"].cards, h100["llama_cpp"].cards) == (16, 16, None)
    assert h100["sglang"].cache == pytest.approx(2 * h100["vllm"].cache, rel=0.001)
    assert h100["llama_cpp"].tried == 8


def test_each_engine_is_named_once() -> None:
    titles = [str(one.title) for one in PLANNERS]
    assert len(titles) == len(set(titles))
