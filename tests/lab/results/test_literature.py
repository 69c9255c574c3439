"""Verdicts on made-up numbers, both ways and undecided."""

from collections.abc import Callable

import pandas as pd
import pytest

from lab.results.comparisons import (
    NOT_REPRODUCED,
    NOT_RESOLVED,
    REPRODUCED,
    Comparison,
    SeedValues,
    Verdict,
    decide,
)
from lab.results.judging import Judgement
from lab.results.literature import CLAIMS, judgements
from lab.results.tables import load
from lab.training.checkpoints import DATA
from posenc.words import say
from tests.lab.made_up import L, MadeUp


def compared(values: list[float], error: float = 1.0, **bound: float) -> Comparison:
    by_seed = pd.Series(values, dtype=float)
    measured = SeedValues(by_seed, by_seed * 0 + error, "points")
    return Comparison(say("gain"), measured, "above", **bound)


@pytest.mark.parametrize(
    ("values", "verdict"),
    [
        ([5, 3, 9], REPRODUCED),
        ([5, 1.9, 9], NOT_RESOLVED),  # one seed within its error
        ([5, -5, 9], NOT_RESOLVED),  # seeds disagree
        ([-5, -3, -9], NOT_REPRODUCED),
        ([9], NOT_RESOLVED),  # one seed alone
        ([0, 0, 0], NOT_RESOLVED),
    ],
)
def test_all_seeds_must_exceed_their_error(values: list[float], verdict: Verdict) -> None:
    assert decide([compared(values)]) == verdict


def test_every_comparison_must_hold_and_one_is_enough_to_refute() -> None:
    good, bad, open_ = compared([5, 5]), compared([-5, -5]), compared([0, 0])
    assert decide([good, good]) == REPRODUCED
    assert decide([good, open_]) == NOT_RESOLVED
    assert decide([good, bad, open_]) == NOT_REPRODUCED


def test_a_difference_takes_the_seeds_that_both_have() -> None:
    one = SeedValues(pd.Series([5.0, 7.0], [0, 1]), pd.Series([3.0, 3.0], [0, 1]), "percent")
    two = SeedValues(pd.Series([1.0, 1.0], [1, 2]), pd.Series([4.0, 4.0], [1, 2]), "percent")
    difference = one.less(two)
    assert difference.values.to_dict() == {1: 6.0}
    assert difference.errors.to_dict() == {1: 5.0}
    assert difference.unit == "points"


def judged(made: MadeUp) -> dict[tuple[str, str], Judgement]:
    return {(one.claim.id, one.model): one for one in judgements(made.results)}


def found(made: MadeUp, criterion: str, model: str = "rope") -> Judgement:
    return judged(made)[criterion, model]


def recall(method: str, times: int, near: float, far: float, **more) -> Callable[[MadeUp], None]:
    return lambda made: made.recall(method, times * L, near, far, **more)


def text(method: str, times: int, bits: float, **more) -> Callable[[MadeUp], None]:
    return lambda made: made.text(method, times * L, bits, **more)


WINDOW = [recall("slide", n, 98, 3) for n in (2, 4, 8, 16)]
CASES = [
    (
        "plain_rope_breaks",
        [*WINDOW, recall("none", 4, 40, 3), text("slide", 1, 2), text("none", 4, 4)],
        [*WINDOW, recall("none", 4, 98, 90), text("slide", 1, 2), text("none", 4, 1.9)],
    ),
    (
        "interpolation_hurts",
        [*WINDOW, recall("linear", 2, 70, 70)],
        [recall("slide", 2, 80, 3), recall("linear", 2, 99, 98)],
    ),
    (
        "ntk_beats_interpolation",
        [recall("ntk", 4, 60, 60), recall("linear", 4, 20, 20)],
        [recall("ntk", 4, 60, 20), recall("linear", 4, 20, 60)],
    ),
    ("ntk_breaks_early", [recall("ntk", 4, 60, 90, last=10)], [recall("ntk", 4, 60, 60, last=90)]),
    (
        "yarn_extends",
        [*WINDOW, recall("yarn", 4, 90, 80), recall("none", 4, 40, 3)],
        [*WINDOW, recall("yarn", 4, 90, 20), recall("none", 4, 90, 90)],
    ),
    (
        "yarn_gains_on_text",
        [text("slide", 1, 2.0), text("yarn", 4, 1.9)],
        [text("slide", 1, 2.0), text("yarn", 4, 2.2)],
    ),
    (
        "temperature_helps",
        [recall("yarn", n, 70, 60) for n in (8, 16)]
        + [recall("yarn_no_temperature", n, 50, 50) for n in (8, 16)],
        [recall("yarn", n, 50, 60) for n in (8, 16)]
        + [recall("yarn_no_temperature", n, 70, 50) for n in (8, 16)],
    ),
    (
        "yarn_beats_llama3",
        [recall("yarn", 16, 60, 70), recall("llama3", 16, 40, 50)],
        [recall("yarn", 16, 60, 30), recall("llama3", 16, 40, 50)],
    ),
    (
        "dynamic_leaves_the_inside",
        [*WINDOW, recall("dynamic_ntk", 4, 60, 80)],
        [recall("slide", 4, 98, 30), recall("dynamic_ntk", 4, 60, 3)],
    ),
    (
        "interpolation_recovers",
        [
            recall("linear", 4, 20, 20),
            recall("linear", 4, 90, 70, tuned=4),
            recall("none", 4, 80, 4, tuned=4),
        ],
        [
            recall("linear", 4, 20, 20),
            recall("linear", 4, 90, 70, tuned=4),
            recall("none", 4, 99, 98, tuned=4),
        ],
    ),
    (
        "yarn_is_best_tuned",
        [
            recall("yarn", 4, 90, 90, tuned=4),
            recall("linear", 4, 90, 70, tuned=4),
            recall("ntk", 4, 90, 75, tuned=4),
        ],
        [
            recall("yarn", 4, 90, 60, tuned=4),
            recall("linear", 4, 90, 70, tuned=4),
            recall("ntk", 4, 90, 50, tuned=4),
        ],
    ),
]


@pytest.mark.parametrize(("criterion", "for_it", "against_it"), CASES, ids=[c[0] for c in CASES])
def test_rope(criterion: str, for_it: list, against_it: list) -> None:
    for rows, verdict in ((for_it, REPRODUCED), (against_it, NOT_REPRODUCED)):
        made = MadeUp()
        for add in rows:
            add(made)
        findings = judged(made)
        finding = findings[criterion, "rope"]
        assert finding.verdict == verdict, finding.numbers
        assert finding.seeds == 3
        # The same model with another base was not measured.
        assert findings[criterion, "rope-base128"].verdict == NOT_RESOLVED


ALIBI = {"encoding": "alibi"}


@pytest.mark.parametrize(
    ("near", "far", "bits", "verdicts"),
    [
        (99, 50, 2.0, (REPRODUCED, REPRODUCED, REPRODUCED)),
        (80, 99, 2.3, (NOT_REPRODUCED, NOT_RESOLVED, NOT_REPRODUCED)),
        (99, 50, 1.9, (REPRODUCED, REPRODUCED, NOT_REPRODUCED)),
    ],
)
def test_alibi(near: float, far: float, bits: float, verdicts: tuple) -> None:
    made = MadeUp()
    made.recall("none", L, 100, None, **ALIBI)
    made.recall("none", 2 * L, 100, 99, **ALIBI)
    made.recall("slide", 16 * L, 99, 3, **ALIBI)
    made.recall("none", 16 * L, near, far, **ALIBI)
    made.text("slide", L, 2.0, **ALIBI)
    made.text("none", 16 * L, bits, **ALIBI)
    names = "alibi_keeps_near", "alibi_fades", "alibi_gains_nothing_on_text"
    findings = judged(made)
    assert tuple(findings[name, "alibi"].verdict for name in names) == verdicts


@pytest.mark.parametrize(
    ("inside", "near", "far", "verdict"),
    [
        (100, 98, 90, REPRODUCED),
        (100, 60, 90, NOT_REPRODUCED),
        (100, 98, 20, NOT_REPRODUCED),
        (100, 94, 90, NOT_RESOLVED),
        (30, 98, 90, NOT_RESOLVED),  # did not learn the task
    ],
)
def test_an_encoding_that_is_said_to_extrapolate(
    inside: float, near: float, far: float, verdict: Verdict
) -> None:
    made = MadeUp()
    made.recall("none", L, inside, None, encoding="nope")
    made.recall("slide", 4 * L, 99, 3, encoding="nope")
    made.recall("none", 4 * L, near, far, encoding="nope")
    finding = found(made, "nope_reaches", "nope")
    assert finding.verdict == verdict
    assert ("did not learn" in finding.numbers[0]) == (inside == 30)


@pytest.mark.parametrize(("bits", "verdict"), [(3.0, REPRODUCED), (1.9, NOT_REPRODUCED)])
def test_absolute_positions(bits: float, verdict: Verdict) -> None:
    made = MadeUp()
    made.text("slide", L, 2.0, encoding="learned")
    made.text("none", 2 * L, bits, encoding="learned")
    assert found(made, "absolute_breaks", "learned").verdict == verdict


@pytest.mark.parametrize(("wrong", "verdict"), [(1, REPRODUCED), (30, NOT_REPRODUCED)])
def test_counting(wrong: float, verdict: Verdict) -> None:
    made = MadeUp()
    made.counting("cope", wrong, max_positions=16)
    for other in ("alibi", "rope", "learned"):
        made.counting(other, 10)
    findings = judged(made)
    assert findings["cope_counts", "cope-max_positions16"].verdict == verdict
    assert findings["cope_counts", "cope"].numbers == ("not measured: no run of counting-cope",)


def test_one_seed_resolves_nothing() -> None:
    made = MadeUp()
    made.recall("ntk", 4 * L, 60, 60, seeds=[0])
    made.recall("linear", 4 * L, 20, 20, seeds=[0])
    finding = found(made, "ntk_beats_interpolation")
    assert (finding.verdict, finding.seeds) == (NOT_RESOLVED, 1)
    assert finding.words == "not resolved: one seed only; in it reproduced"


def test_every_claim_says_what_it_is() -> None:
    for claim in CLAIMS.values():
        assert claim.criterion.endswith("."), claim.says
        if not claim.is_ours:
            # No more than the source says, so the place within it is named.
            assert "arXiv:" in claim.source, claim.says
            places = ("section", "table", "figure", "appendix", "abstract")
            assert any(place in claim.source for place in places), claim.says
        assert claim.about or claim.real, claim.says


def test_everything_that_a_claim_needs_ships() -> None:
    for finding in judgements(load()):
        assert not finding.numbers[0].startswith("not measured"), finding.claim.says
        assert finding.seeds >= 1


def test_a_number_of_the_shipped_data_by_another_way() -> None:
    """YaRN against the sliding window on far keys at 4L, by pandas."""
    table = pd.read_csv(DATA / "recall.csv")
    table = table[table.run.str.startswith("recall-rope-s") & (table.length == 4 * L)]
    table = table[(table.distance > L) & (table.tuned == 0)]
    counts = table.groupby(["run", "method"])[["right", "asked"]].sum()
    share = (100 * counts.right / counts.asked).unstack()
    finding = next(
        one for one in judgements(load()) if one.claim.id == "yarn_extends" and one.model == "rope"
    )
    for difference in share.yarn - share.slide:
        assert f"{difference:+.1f} ± " in finding.numbers[0]
