"""Tasks: settings that meet them and settings that nearly do, worked out by hand."""

import math
import re

import pytest

from exhibits.homework.settings import Settings
from exhibits.homework.tasks import TASKS, check

# The slowest of 16 columns turns in 2π·base^(14/16) positions: once in 128 of them.
ONCE = (128 / (2 * math.pi)) ** (16 / 14)
# Half of 64 pairs come round in 4,096 positions: 2π·base^(31/64) ≤ 4095 < 2π·base^(32/64).
HALF = (4095 / (2 * math.pi)) ** 2, (4095 / (2 * math.pi)) ** (64 / 31)
LLAMA = "head_dim=128&trained=4096&base="

MET = {
    "why_position.order": ["causal=true", "causal=1&encoding=NOPE&shuffle=7"],
    "absolute.one_turn": [f"d_model=16&base={ONCE}", "d_model=16&length=19869"],
    "relative.far_buckets": [
        "bidirectional=false&t5_max_distance=512",
        "bidirectional=false&t5_max_distance=4096&num_buckets=24",
    ],
    # ln 10 / 2^(-23/4) = 123.9
    "alibi.window": ["num_heads=32&head=22&length=4096"],
    "rope.same_angles": [
        "head_dim=4&base=4&m=88&n=0",  # 88 and 44 radians: 14.006 and 7.003 turns
        "head_dim=4&base=10000&m=13823&n=0",  # 2199.999 and 21.99999 turns
        "head_dim=4&base=1e9&m=3&n=47",  # the slow hand hardly moves
    ],
    "rope.half": [f"{LLAMA}{1.001 * HALF[0]}", f"{LLAMA}500000", f"{LLAMA}{0.999 * HALF[1]}"],
    "scaling.nothing_new": ["methods=yarn", "methods=ntk_by_parts", "methods=llama3&factor=4"],
    "measured.rival": ["cost=window&methods=slide&methods=yarn&factor=2"],
    # From 2,048 on every 16th whole number is left: 20 of them fall on two.
    "live_attention.together": ["what_if=rounded&shift=3000"],
    "cope.shared": ["gates=open&max_positions=9"],
    "forget_gates.half": [f"gates=constant&gate={0.5 ** (1 / 10)}", "gates=constant&gate=0.933"],
    "kv_cache.no_stale": ["prompt=8192&decoded=0", "prompt=9000&decoded=0&alpha=4"],
    "side_by_side.four_places": [
        "a=nope&b=sinusoidal&c=alibi&d=rope",
        "a=xpos&b=sandwich&c=sinusoidal&d=NOPE&view=cost",
        "a=rope_yarn&b=alibi&c=sinusoidal&d=nope",
    ],
    # 32 layers, 8 heads of 128 numbers, keys and values: 65,536 bytes of 8 bits for a token.
    "config.two_texts": ["batch=2&cache_kind=fp8", "batch=2&cache_kind=int8&target_length=131072"],
    # 46 of 63 pairs behind the first: α^(46/63) = 4 at α = 4^(63/46) = 6.675.
    "units.least_base": ["value=6.68", f"unit=base&value={1e4 * 6.68 ** (128 / 126)}"],
}
NOT_YET = {
    "why_position.order": ["", "encoding=rope", "encoding=alibi&causal=true"],
    "absolute.one_turn": ["", f"d_model=16&base={1.02 * ONCE}", "d_model=2&length=6"],
    "relative.far_buckets": [
        "t5_max_distance=512",  # to both sides
        "bidirectional=false",  # 200 and 400 are both beyond 128
        "bidirectional=false&num_buckets=512&t5_max_distance=512",
        "bidirectional=false&num_buckets=8&t5_max_distance=512",  # 5 and 6 share
    ],
    "forget_gates.half": [
        "",
        "gates=constant",
        f"gate={0.5 ** (1 / 10)}",
        "gates=constant&gate=0.5",
    ],
    "alibi.window": [
        "num_heads=32&head=22",  # 64 tokens only
        "num_heads=32&head=21&length=4096",
        "num_heads=32&head=23&length=4096",
        "num_heads=8&head=6&length=4096",
    ],
    "rope.same_angles": [
        "",
        "m=5&n=5&head_dim=4",  # one position
        "head_dim=2&m=44&n=0",  # one pair
        "head_dim=4&base=4&m=44&n=0",  # half a turn on the slow dial
    ],
    "rope.half": ["head_dim=128&trained=4096", f"{LLAMA}{0.999 * HALF[0]}", f"{LLAMA}700000"],
    "scaling.nothing_new": [
        "",
        "methods=linear",
        "methods=ntk",
        "methods=none",
        "methods=yarn&factor=2",
        "methods=yarn&train_length=65536",
        "methods=yarn&methods=linear",
    ],
    "measured.rival": [
        "cost=bits&methods=yarn&factor=2",
        "cost=window&methods=yarn&factor=4",
        "cost=window&methods=ntk&factor=4",
        "cost=window&methods=slide&factor=2",
    ],
    "live_attention.together": ["", "what_if=offset&shift=3000", "what_if=rounded&shift=1000"],
    "cope.shared": ["gates=open", "gates=open&max_positions=8", "gates=random&max_positions=9"],
    "kv_cache.no_stale": [
        "",
        "prompt=8192&decoded=1",
        "prompt=4096&decoded=0",
        "prompt=8192&decoded=0&cache=on_read",
        "prompt=8192&decoded=0&trained_length=8192",
    ],
    "side_by_side.four_places": [
        "",
        "a=nope&b=sinusoidal&c=alibi",
        "a=nope&b=sinusoidal&c=alibi&d=sandwich",  # twice at the scores
        "a=nope&b=learned&c=alibi&d=rope",  # a table is trained
        "a=shaw&b=sinusoidal&c=alibi&d=rope",
    ],
    "config.two_texts": [
        "",
        "batch=2",  # 32 GiB
        "cache_kind=fp8",  # one text
        "batch=2&cache_kind=q8_0",  # 17 GiB, with the scales
        "batch=2&cache_kind=q4_0",  # too few bits
        "batch=2&cache_kind=fp8&target_length=65536",
        "batch=2&cache_kind=fp8&model=Llama-2-7B",
        "batch=2&cache_kind=fp8&target_length=999999999999",
    ],
    "units.least_base": [
        "",
        "value=4",
        "value=6.66",
        "value=6.8",
        "unit=factor&value=4",
        "value=6.68&second=factor",
        "value=6.68&trained_length=8192",
    ],
}


def test_every_task_is_tried() -> None:
    assert {*MET} == {*NOT_YET} == {*TASKS}


@pytest.mark.parametrize("task", TASKS)
def test_a_task_is_met_by_the_right_settings_alone(task: str) -> None:
    for query in MET[task]:
        assert check(task, query).is_met, query
    for query in NOT_YET[task]:
        assert not check(task, query).is_met, query


@pytest.mark.parametrize(
    ("task", "query", "said"),
    [
        ("rope.same_angles", "m=-1", "m = -1, but allowed are: 0 to 134,217,728"),
        ("rope.same_angles", "m=" + "9" * 400, "but allowed are: 0 to 134,217,728"),
        ("rope.same_angles", "m=٣", "but allowed are: 0 to"),
        ("rope.same_angles", "base=nan", "but allowed are: 1.5 to 1e+09"),
        ("rope.same_angles", "base=<b>x</b>", "base = ·b·x·/b·,"),
        ("rope.same_angles", "head_dim=7", "even"),
        ("rope.half", "&".join(["a=1"] * 200), "at most 60 parameters"),
        ("scaling.nothing_new", "methods=rope", "but allowed are: none"),
        ("why_position.order", "causal=maybe", "but allowed are: true, false"),
        ("kv_cache.no_stale", "prompt=1e99", "but allowed are: 1 to 1,048,576"),
        ("absolute.one_turn", "layout=", "but allowed are: interleaved"),
        ("measured.rival", "methods=none&factor=7", "factor = 7,"),
        ("rope.nothing", "", "no such task"),
    ],
)
def test_settings_that_are_none_are_named(task: str, query: str, said: str) -> None:
    with pytest.raises(ValueError, match=re.escape(said)):
        check(task, query)


def test_the_last_of_two_values_counts_and_defaults_are_kept() -> None:
    settings = Settings("m=1&m=2")
    assert settings.whole("m", 9, 0, 9) == 2
    assert settings.whole("n", 4, 0, 9) == 4
    assert settings.read == {"m": 9, "n": 4}


def test_what_rounding_alone_changes_is_no_change():
    for query in ("", "encoding=alibi"):  # forwards and backwards the distances are the same
        said = check("why_position.order", query).said
        assert "no number of a word changes" in said
    assert "change by up to 2" in check("why_position.order", "causal=true").said
