"""What the literature says, and what we thought, beside what the shipped runs show."""

from collections.abc import Mapping, Sequence

import pandas as pd
import streamlit as st

from lab.results.comparisons import NOT_RESOLVED, VERDICTS
from lab.results.judging import Judgement
from lab.results.literature import CLAIMS, judgements
from pages.measured import code as measured_code
from pages.measured.contenders import contenders
from pages.measured.draw import MeasuredSettings
from ui import controls, screen
from ui.words import _, minus, number, translate


def literature_view(s: MeasuredSettings) -> screen.ScreenView:
    """One claim with its criterion and its numbers, then all of them with their verdicts."""
    models = {one.model: one.name for one in contenders().values() if one.method == "none"}
    found = judgements(s.results)
    published = [one for one in found if not one.claim.is_ours]
    screen.readouts(
        {
            translate(words): number(sum(one.verdict == verdict for one in published))
            for verdict, words in VERDICTS.items()
        }
    )
    chosen = controls.choice(
        "claim",
        _("Claim"),
        {name: claim.says for name, claim in CLAIMS.items()},
        help=_(
            "Its source, what it is judged by, and the numbers of each seed. All claims stand "
            "below, and with all of their numbers in the table under Numbers."
        ),
    )
    _one_claim([one for one in found if one.claim.id == chosen], models)
    _all_claims(published, models, _("the literature says"))
    st.caption(
        _(
            "Not in the literature, or not of models like these: hypotheses of our own, judged by "
            "the same rule."
        )
    )
    _all_claims([one for one in found if one.claim.is_ours], models, _("we thought"))
    st.caption(
        _(
            "One rule for all: a claim is reproduced if every comparison holds in every seed by "
            "more than two standard errors, in at least two seeds. It is not reproduced if one "
            "comparison is as clearly reversed in every seed. Near keys lie at most L tokens back, "
            "far keys beyond."
        )
    )
    return screen.ScreenView(lambda: {_("claims"): _frame(found, models)}, measured_code.CLAIMS)


def _one_claim(found: Sequence[Judgement], models: Mapping[str, str]) -> None:
    claim = found[0].claim
    criterion = _("**Reproduced if.** {criterion}", criterion=claim.criterion)
    source = f"*{translate(claim.source)}*"
    if claim.is_ours:
        source = _("A hypothesis of ours. *{source}.*", source=claim.source)
    lines = [source, criterion]
    for one in found:
        numbers = "".join(f"\n  - {_told(words)}" for words in one.numbers)
        judged = _(
            "**{model}: {verdict}.** Each seed:", model=models[one.model], verdict=one.words
        )  # fmt: skip
        lines.append(f"- {judged}{numbers}")
    st.markdown("\n\n".join(lines))


def _told(words: str) -> str:
    return minus(translate(words))


def _all_claims(found: Sequence[Judgement], models: Mapping[str, str], head: str) -> None:
    """A line for each claim: the models that it is judged on share it."""
    verdicts: dict[str, list[str]] = {one.claim.id: [] for one in found}
    for one in found:
        words = translate(one.words)
        shown = words if one.verdict == NOT_RESOLVED else f"**{words}**"
        verdicts[one.claim.id].append(f"{models[one.model]}: {shown}")
    table = pd.DataFrame({_("here"): ["  \n".join(lines) for lines in verdicts.values()]})
    says = [translate(CLAIMS[name].says) for name in verdicts]
    table.index = pd.Index(says, name=head)
    with st.container(key=f"literature_{'ours' if found[0].claim.is_ours else 'published'}"):
        st.table(table)


def _frame(found: Sequence[Judgement], models: Mapping[str, str]) -> pd.DataFrame:
    return pd.DataFrame(
        {
            _("model"): [models[one.model] for one in found],
            _("here"): [translate(one.words) for one in found],
            _("claimed by"): [
                _("ourselves") if one.claim.is_ours else _("the source") for one in found
            ],
            _("source"): [translate(one.claim.source) for one in found],
            _("reproduced if"): [translate(one.claim.criterion) for one in found],
            _("numbers, each seed"): ["; ".join(map(_told, one.numbers)) for one in found],
        },
        index=pd.Index([translate(one.claim.says) for one in found], name=_("claim")),
    )
