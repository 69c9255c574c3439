"""Choosing the settings with which a model reads a text of a given length."""

from dataclasses import replace
from typing import cast

from advisor.choosing import clauses
from advisor.choosing.change import fresh
from advisor.choosing.choice import Choice, Reason, Sureness
from advisor.choosing.elsewhere import elsewhere, unknown
from advisor.choosing.makers import makers_word
from advisor.choosing.reasons import mended, said
from advisor.choosing.repair import Repair, repaired
from advisor.choosing.request import Request
from advisor.choosing.rotary import rotary
from advisor.evidence import Evidence
from advisor.findings.kinds.drafts import is_draft
from advisor.known_models import KnownModel, base_field, lost_base
from advisor.rope import RopeConfig
from posenc.words import Sentence

WITHOUT_A_WORD = ("makers", "undocumented", "stretched_on", "own_unknown", "longer_release")
"""Reasons that count only where the makers say nothing of this very setting."""
DOUBTS = (
    *("read_as_asked", "base_missing", "base_against_known", "window_in_doubt"),
    *("relative_keys_ignored", "attn_factor", "rope_ratio_divides"),
    *("field_not_read", "partial_rotary_ignored"),
)
"""Findings beside which nothing is more than a guess."""
UNOBSERVED = "class_not_observed"
"""The finding beside which nothing is more than likely."""
GUESSED = {*DOUBTS, "restored", "shorter_table", "errors"}
"""Reasons that say the same."""


def choose(config: RopeConfig, target: int, trained_with_file: bool = False) -> Choice:
    """Choose the settings with which a model reads `target` tokens.

    The smallest factor that covers the target: a static scaling acts on short texts as well, and
    the more the larger it is. YaRN for files without scaling: it leaves the fast pairs as they
    are, most engines have it, and where makers document a way for their models, it is mostly this
    one. A file's own scaling is stretched on, since its model may be extended with it; where it
    is not the one that the makers released or document, theirs comes first.

    Three statements are kept apart: what to set (the clause and its sureness), whether the makers
    say that the model reads that far (`known`), and what somebody measured (a reason "published").

    Args:
        config: A model's configuration.
        target: L, tokens.
        trained_with_file: Whoever asks says that the weights were trained with the file as it is,
            which then stands as far as it reaches.

    Returns:
        The `Choice`. It is "sure" only with the makers' word at that length, or theirs who ask.

    Source: Peng et al. 2023, section 4, arXiv:2309.00071; the model cards of Qwen2.5 and Qwen3.
    """
    if not config.is_known:
        return unknown(config)
    if not config.rotary:
        return _judged(elsewhere(config, target), config, config, target)
    if is_draft(config) and target > (config.reach or 0):
        return _draft(config)
    if trained_with_file:
        as_it_is = Request.of(Repair("none", config, config), target, by_word=True)
        return _judged(rotary(as_it_is), config, config, target)
    lost = lost_base(config)
    turning = config if lost is None else fresh(config.turning(base=lost[1]))
    request = Request.of(repaired(turning, target), target)
    choice = rotary(request)
    if lost is not None and choice.config is not None:
        choice = _with_base(choice, *lost)
    return _judged(choice, config, request.config, target)


def _draft(config: RopeConfig) -> Choice:
    """No advice for a draft alone."""
    (told,) = (one for one in config.findings if one.code == "draft_model")
    why = Reason("draft_model", cast(Sentence, told.message))
    return Choice("cannot", clauses.DRAFT, "none", (why,))


def _with_base(choice: Choice, known: KnownModel, base: float) -> Choice:
    """The choice for a file that lost its base, which comes first."""
    field, value = base_field(known, base)
    clause = clauses.WITH_BASE.filled(
        field=field, value=value, model=known.model, clause=choice.clause
    )
    verdict = "extend" if choice.verdict == "reaches" else choice.verdict
    return replace(choice, verdict=verdict, method=choice.method or "none", clause=clause)


def _judged(choice: Choice, config: RopeConfig, right: RopeConfig, target: int) -> Choice:
    """The choice with what makers and others say of it, and as sure as that allows."""
    if choice.config is None:
        return choice
    lengths = choice.lengths
    # With the makers' scaling stretched on, the file may turn like that of a later model.
    is_beyond = lengths is not None and lengths.with_own and target > (lengths.reach or target)
    known = makers_word(choice.config, target) if target and not is_beyond else None
    is_by_word = lengths is not None and lengths.by_word
    doubts = [
        one
        for one in config.findings
        if (one.code in DOUBTS and one.severity != "info")
        or (one.code == UNOBSERVED and not is_by_word)
    ]
    told = (
        *(Reason(one.code, cast(Sentence, one.message)) for one in doubts),
        *said.of_makers(right, known, target),
        *(one for one in choice.reasons if known is None or one.code not in WITHOUT_A_WORD),
        *said.published(right),
        *mended.errors(config, choice.config),
    )
    counting = None if is_by_word else known
    sureness = _sureness(choice.sureness, counting, {one.code for one in told})
    return replace(choice, sureness=sureness, known=known, reasons=told)


def _sureness(alone: Sureness, known: Evidence | None, codes: set[str]) -> Sureness:
    """How sure a choice is with the makers' word and these reasons."""
    if GUESSED & codes:
        return "guess"
    if known is not None:
        alone = "likely" if known.caution or {"contradicted", "wrapped"} & codes else "sure"
    is_sure = alone in ("sure", "setting")
    return "likely" if is_sure and UNOBSERVED in codes else alone
