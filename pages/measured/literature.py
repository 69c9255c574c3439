"""Claims of the literature, and our guesses, beside what was measured here."""

from collections.abc import Mapping, Sequence

import pandas as pd

from lab.results.comparisons import NOT_REPRODUCED, NOT_RESOLVED, REPRODUCED
from lab.results.judging import Claim, Judgement
from lab.results.literature import CLAIMS, judgements, real_judgements
from lab.results.tables import load
from models.results.tables import load as load_real
from pages.measured import code as measured_code
from pages.measured.contenders import contenders
from pages.measured.settings import LiteratureSettings
from posenc.words import say
from ui import screen
from ui.words import _, number, signed, translate


def picture(s: LiteratureSettings) -> screen.Picture:
    """One claim with its criterion and its numbers, then all of them with their verdicts."""
    models = {one.model: one.name for one in contenders().values() if one.method == "none"}
    measured = load_real()
    models[measured.model] = measured.about.title
    real = real_judgements(measured)
    small = judgements(load())
    found = [one for name in CLAIMS for one in (*real, *small) if one.claim.id == name]
    counts = screen.ReadoutsFigure(
        readouts={
            _("real model: reproduced"): _count(real, REPRODUCED),
            _("not reproduced"): _count(real, NOT_REPRODUCED),
            _("not resolved"): _count(real, NOT_RESOLVED),
            _("small models say otherwise"): number(len(_contradicted(real, small))),
        },
        help={
            _("small models say otherwise"): _(
                "Claims that the real model reproduces and a small one does not, or the other way "
                "round."
            )
        },
    )
    ours = _(
        "Not in the literature, or not of models like these: hypotheses of our own, judged by "
        "the same rule."
    )
    rule = _(
        "One rule for all: a claim is reproduced if every comparison holds in every seed by "
        "more than two standard errors, in at least two seeds. It is not reproduced if one "
        "comparison is as clearly reversed in every seed. All seeds are asked the same "
        "questions, so they are not independent tests. Of the real model the mean over texts "
        "decides, each compared with itself, by its 95% interval (Student's t); it says "
        "something of texts like these. Near keys lie at most L tokens back, far keys beyond. "
        "A dash: the claim needs training at the longer length, or another encoding, and the "
        "real model cannot be asked."
    )
    its = [one for one in found if one.claim.id == s.claim]
    return screen.Picture(
        figures=[
            counts,
            screen.WordsFigure(_one_claim(CLAIMS[s.claim], its, models)),
            _all_claims(real, small, models, ours=False, head=say("the literature says")),
            screen.WordsFigure(ours, small=True),
            _all_claims(real, small, models, ours=True, head=say("we thought")),
            screen.WordsFigure(rule, small=True),
        ],
        tables=lambda: {say("claims"): _frame(found, models)},
        code=measured_code.CLAIMS,
    )


def _count(found: Sequence[Judgement], verdict: str) -> str:
    return number(sum(one.verdict == verdict for one in found))


def _contradicted(real: Sequence[Judgement], small: Sequence[Judgement]) -> list[str]:
    """Ids of the claims on which a small model and the real one say opposite things."""
    opposite = {REPRODUCED: NOT_REPRODUCED, NOT_REPRODUCED: REPRODUCED}
    said = {(one.claim.id, one.verdict) for one in small}
    return [
        one.claim.id
        for one in real
        if one.verdict in opposite and (one.claim.id, opposite[one.verdict]) in said
    ]


def _one_claim(claim: Claim, found: Sequence[Judgement], models: Mapping[str, str]) -> str:
    """Its source, criterion and numbers, in Markdown."""
    source = f"*{translate(claim.source)}*"
    if claim.is_ours:
        source = _("A hypothesis of ours. *{source}.*", source=claim.source)
    lines = [source]
    if claim.real is not None:
        lines.append(
            _("**The real model reproduces it if.** {criterion}", criterion=claim.real.criterion)
        )
    if claim.about:
        lines.append(
            _("**A small model reproduces it if.** {criterion}", criterion=claim.criterion)
        )
    for one in found:
        numbers = "".join(f"\n  - {signed(words)}" for words in one.numbers)
        if one.change:
            numbers += f"\n  - *{signed(one.change)}*"
        of_real = claim.real is not None and one.model not in claim.about
        judged = (
            _("**{model}: {verdict}.** On these texts:", model=models[one.model], verdict=one.words)
            if of_real
            else _("**{model}: {verdict}.** Each seed:", model=models[one.model], verdict=one.words)
        )
        lines.append(f"- {judged}{numbers}")
    return "\n\n".join(lines)


def _all_claims(
    real: Sequence[Judgement],
    small: Sequence[Judgement],
    models: Mapping[str, str],
    *,
    ours: bool,
    head: str,
) -> screen.WordTableFigure:
    """A line for each claim: the real model, and beside it the small ones, which share a cell."""
    of_real = {one.claim.id: _verdict(one) for one in real}
    of_small: dict[str, list[str]] = {}
    for one in small:
        its = f"{models[one.model]}: {_verdict(one)}"
        of_small.setdefault(one.claim.id, []).append(its)
    claims = [claim for claim in CLAIMS.values() if claim.is_ours == ours]
    table = pd.DataFrame(
        {
            _("real model"): [of_real.get(claim.id, "–") for claim in claims],
            _("small models"): ["  \n".join(of_small.get(claim.id, ["–"])) for claim in claims],
        },
        index=pd.Index([translate(claim.says) for claim in claims], name=translate(head)),
    )
    return screen.WordTableFigure(name=head, frame=table)


def _verdict(one: Judgement) -> str:
    words = translate(one.words)
    if not one.seeds:
        return _("not measured")
    return words if one.verdict == NOT_RESOLVED else f"**{words}**"


def _frame(found: Sequence[Judgement], models: Mapping[str, str]) -> pd.DataFrame:
    return pd.DataFrame(
        {
            _("model"): [models[one.model] for one in found],
            _("here"): [translate(one.words) for one in found],
            _("claimed by"): [
                _("ourselves") if one.claim.is_ours else _("the source") for one in found
            ],
            _("source"): [translate(one.claim.source) for one in found],
            _("reproduced if"): [translate(_criterion(one)) for one in found],
            _("numbers, each seed, or over texts"): [
                "; ".join(map(signed, one.numbers)) for one in found
            ],
            _("what would change it"): [signed(one.change) for one in found],
        },
        index=pd.Index([translate(one.claim.says) for one in found], name=_("claim")),
    )


def _criterion(one: Judgement) -> str:
    real = one.claim.real
    return one.claim.criterion if real is None or one.model in one.claim.about else real.criterion
