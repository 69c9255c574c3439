"""The list of methods: every line makes what it says, of no more than it says that it needs."""

from dataclasses import fields
from typing import get_args

import pytest

from posenc import rope_inv_freq
from posenc.scaling import LongRoPE, NTKByParts, Proportional, YaRN
from posenc.scaling.longrope import longrope_attention_factor
from posenc.scaling.methods import METHODS, Case, Method, Need, fitting
from posenc.scaling.yarn import yarn_mscale
from posenc.study import SelfExtend

ALL = get_args(Need)
LISTS = LongRoPE([1.0] * 64, [2.0] * 64, 4096, 4.0)
FULL = Case(
    factor=4.0,
    trained=4096,
    inv_freq=rope_inv_freq(128, 10000.0)[0],
    target=16384,
    shown=4096,
    window=1024,
    declared=LISTS,
)


@pytest.mark.parametrize("method", METHODS.values(), ids=METHODS)
def test_a_method_makes_what_it_says_of_what_it_needs(method: Method) -> None:
    given = {"factor", *method.needs}
    needed = Case(**{f.name: getattr(FULL, f.name) for f in fields(Case) if f.name in given})
    made = method.make(needed)
    assert made == method.make(FULL)
    assert type(made) is (method.kind or (LongRoPE if method.id == "declared" else type(None)))
    if method.remaps:
        assert method.remapping(needed).reach(16384) <= 4096
    elif made is not None:
        assert ("length" in method.needs) == (
            made.needs_length and method.list == "" and method.id != "declared"
        )
        rope_inv_freq(128, 10000.0, method.scaling(needed), 16384)


def test_ids_are_short_ascii_words_and_titles_differ() -> None:
    assert all(name == method.id for name, method in METHODS.items())
    assert all(name.isascii() and name.isidentifier() and name.islower() for name in METHODS)
    assert len({method.title for method in METHODS.values()}) == len(METHODS)
    assert {method.form_of for method in METHODS.values()} <= {"", *METHODS}


def test_what_is_given_says_which_methods_fit() -> None:
    assert list(fitting(*ALL)) == list(METHODS)
    plain = {"none", "linear", "ntk", "ntk_base", "ntk_fixed", "ntk_mixed"}
    assert set(fitting()) == plain
    trained = {"ntk_by_parts", "yarn_paper", "yarn", "yarn_no_temperature", "llama3"}
    assert set(fitting("trained")) == plain | trained


def test_a_file_that_asks_for_yarn_keeps_its_bounds() -> None:
    own = YaRN(40.0, 4096, beta_fast=16.0, mscale=1.0, mscale_all_dim=1.0, attention_factor=1.5)
    made = METHODS["yarn"].scaling(Case(8.0, 2048, declared=own))
    assert made == YaRN(8.0, 2048, beta_fast=16.0, mscale=1.0, mscale_all_dim=1.0)


def test_pairs_at_rest_in_the_file_are_no_method() -> None:
    assert METHODS["none"].scaling(Case(4.0)) is None
    assert METHODS["none"].scaling(Case(4.0, declared=Proportional(0.25, 8.0))) == Proportional(
        0.25
    )


def test_numbers_of_the_paper_and_of_the_lists() -> None:
    paper = METHODS["yarn_paper"].scaling(FULL)
    assert paper == NTKByParts(4.0, 4096, attention_factor=yarn_mscale(4.0))
    share = METHODS["proportional"].scaling(FULL)
    assert share == Proportional(46 / 64)
    assert METHODS["self_extend"].remapping(FULL) == SelfExtend(1024, 5)
    _, factor = rope_inv_freq(128, 10000.0, METHODS["longrope_long"].scaling(FULL), 16384)
    assert factor == longrope_attention_factor(4.0, 4096)


def test_a_case_that_lacks_something_is_refused() -> None:
    with pytest.raises(ValueError, match="short_factor and long_factor must be in the file"):
        METHODS["longrope_short"].scaling(Case(4.0))
    with pytest.raises(ValueError, match="inv_freq must be given"):
        METHODS["proportional"].scaling(Case(4.0, 4096))
