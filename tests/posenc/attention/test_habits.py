"""Habits of heads, on attention whose habit is known."""

import pytest
import torch

from posenc.attention.habits import HABITS, MIXED, Habits, Queries, habit_of

IDS = torch.tensor([5, 6, 7, 8, 6, 7, 9, 6])
LENGTH = len(IDS)


def one_key(key_of):
    """Attention of one head that goes to one key of each query."""
    weights = torch.zeros(1, LENGTH, LENGTH)
    for query in range(LENGTH):
        weights[0, query, key_of(query)] = 1.0
    return weights


def last(query, shift=0):
    """The last earlier copy of the query's token, or what stands `shift` behind it; else 0."""
    found = [key for key in range(query) if IDS[key] == IDS[query]]
    return found[-1] + shift if found else 0


CASES = {
    "previous": one_key(lambda query: max(query - 1, 0)),
    "first": one_key(lambda query: 0),
    "itself": one_key(lambda query: query),
    "copy": one_key(lambda query: last(query)),
    "after_copy": one_key(lambda query: last(query, 1)),
    "even": torch.ones(LENGTH, LENGTH).tril().div(torch.arange(1, LENGTH + 1)[:, None])[None],
}


def shares_of(weights, parts=1):
    habits = Habits()
    for rows in torch.arange(LENGTH).chunk(parts):
        habits.add(weights[:, rows], Queries.of(IDS, rows))
    return dict(zip(HABITS, habits.shares()[:, 0].tolist(), strict=True))


@pytest.mark.parametrize("name", HABITS)
def test_each_habit_is_whole_where_a_head_has_no_other(name):
    shares = shares_of(CASES[name])
    assert shares[name] == pytest.approx(1, abs=1e-6)
    assert habit_of(torch.tensor(list(shares.values()))) == name


def test_shares_are_means_over_the_queries_that_could():
    shares = shares_of(CASES["first"])
    # Queries 2 to 7; of them 4, 5 and 7 have earlier copies, none of which is the first token.
    assert shares["previous"] == shares["itself"] == shares["copy"] == 0
    even = shares_of(CASES["even"])
    assert even["first"] == pytest.approx(sum(1 / n for n in range(3, 9)) / 6)
    assert even["copy"] == pytest.approx((1 / 5 + 1 / 6 + 2 / 8) / 3)
    assert even["after_copy"] == pytest.approx((1 / 5 + 1 / 6 + 2 / 8) / 3)


def test_parts_add_up():
    generator = torch.Generator().manual_seed(0)
    weights = torch.rand(1, LENGTH, LENGTH, generator=generator).tril()
    weights /= weights.sum(-1, keepdim=True)
    assert shares_of(weights) == pytest.approx(shares_of(weights, parts=3))


def test_a_text_without_copies_has_no_such_share():
    habits = Habits()
    habits.add(torch.eye(4)[None], Queries.of(torch.arange(4), torch.arange(4)))
    shares = dict(zip(HABITS, habits.shares()[:, 0].tolist(), strict=True))
    assert shares["copy"] != shares["copy"]
    assert habit_of(torch.tensor(list(shares.values()))) == "itself"


def test_a_head_without_a_clear_habit_is_mixed():
    assert habit_of(torch.tensor([0.3, 0.3, 0.3, 0.0, 0.0, 0.8])) == MIXED
    assert habit_of(torch.tensor([0.1, 0.1, 0.1, 0.0, 0.0, 0.9])) == "even"
