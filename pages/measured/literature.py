"""What the literature says of long contexts, beside what the shipped runs show."""

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
from ui.words import minus


def literature_view(s: MeasuredSettings) -> screen.ScreenView:
    """One claim with its criterion and its numbers, then all of them with their verdicts."""
    models = {one.model: one.name for one in contenders().values() if one.method == "none"}
    found = judgements(s.results)
    screen.readouts(
        {
            words: str(sum(one.verdict == verdict for one in found))
            for verdict, words in VERDICTS.items()
        }
    )
    chosen = controls.choice(
        "claim", "Claim", [claim.says for claim in CLAIMS.values()],
        help="Its source, what it is judged by, and the numbers of each seed. All claims stand "
        "below, and with all of their numbers in the table under Numbers.",
    )  # fmt: skip
    _one_claim([one for one in found if one.claim.says == chosen], models)
    _all_claims(found, models)
    st.caption(
        "One rule for all: every comparison must hold in every seed by more than two standard "
        "errors, in at least two seeds. It is not reproduced if one comparison is as clearly "
        "reversed in every seed. Near: keys that a window of L reaches; far: beyond L."
    )
    return screen.ScreenView(lambda: {"claims": _frame(found, models)}, measured_code.CLAIMS)


def _one_claim(found: Sequence[Judgement], models: Mapping[str, str]) -> None:
    claim = found[0].claim
    lines = [f"*{claim.source}*", f"**Reproduced if.** {claim.criterion}"]
    for one in found:
        numbers = minus("".join(f"\n  - {number}" for number in one.numbers))
        lines.append(f"- **{models[one.model]}: {one.words}.** Each seed:{numbers}")
    st.markdown("\n\n".join(lines))


def _all_claims(found: Sequence[Judgement], models: Mapping[str, str]) -> None:
    """A line for each claim: the models that it is judged on share it."""
    verdicts: dict[str, list[str]] = {claim.says: [] for claim in CLAIMS.values()}
    for one in found:
        words = one.words if one.verdict == NOT_RESOLVED else f"**{one.words}**"
        verdicts[one.claim.says].append(f"{models[one.model]}: {words}")
    table = pd.DataFrame({"here": ["  \n".join(lines) for lines in verdicts.values()]})
    table.index = pd.Index(list(verdicts), name="the literature says")
    with st.container(key="literature"):
        st.table(table)


def _frame(found: Sequence[Judgement], models: Mapping[str, str]) -> pd.DataFrame:
    return pd.DataFrame(
        {
            "model": [models[one.model] for one in found],
            "here": [one.words for one in found],
            "source": [one.claim.source for one in found],
            "reproduced if": [one.claim.criterion for one in found],
            "numbers, each seed": [minus("; ".join(one.numbers)) for one in found],
        },
        index=pd.Index([one.claim.says for one in found], name="the literature says"),
    )
