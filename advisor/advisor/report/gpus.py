"""The GPUs that somebody has: what was typed, and what they hold."""

import re

from advisor.decision import in_unit
from advisor.memory.cards import CARDS, Card, Fit
from advisor.memory.needs import AskedAbout
from posenc.checks import check_int
from posenc.words import Sentence, say

MOST = 1024
"""GPUs that may be asked about."""


def typed_gpus(option: str, typed: str) -> tuple[Card, int]:
    """A card and how many of it: "2 x RTX 4090", "8xH100", "L4"; a part of a name that one has.

    Raises:
        ValueError: If it names no card of `CARDS`, or more than one.
    """
    counted = re.match(r"\s*(\d{1,9})\s*[x×*]", typed)
    many = int(counted[1]) if counted else 1
    wanted = typed[counted.end() if counted else 0 :].lower().replace(" ", "")
    names = {card: card.name.lower().replace(" ", "") for card in CARDS}
    found = [card for card in CARDS if wanted and wanted in names[card]]
    found = [card for card in found if names[card] == wanted] or found
    if len(found) != 1:
        known = ", ".join(card.name for card in found or CARDS)
        raise ValueError(
            f"{option} must be how many of one GPU, such as '2 x RTX 4090', of {known}; got "
            f"{typed[:40]!r}."
        )
    return found[0], check_int(option, many, 1, maximum=MOST)


def asked_words(asked: AskedAbout) -> Sentence:
    """Whether the GPUs that were asked about hold weights and cache, and what there is room for."""
    fit = asked.fit
    left, left_unit = in_unit(abs(fit.left))
    weights, weights_unit = in_unit(fit.weights)
    cache, cache_unit = in_unit(fit.cache)
    told = {
        "count": fit.tried,
        "card": fit.card.name,
        "weights": f"{weights:.1f} {weights_unit}",
        "cache": f"{cache:.1f} {cache_unit}",
        "left": f"{left:.1f} {left_unit}",
        "longest": asked.longest,
    }
    if not asked.longest:
        no = say(
            "{count} × {card} cannot hold the weights, {weights} on each, with a tenth left.",
            **told,
        )
        return _with_enough(no, asked)
    if fit.cards is None:
        no = say(
            "{count} × {card} cannot hold it: {weights} of weights and {cache} of the cache on "
            "each are {left} too much, with a tenth left. There is room for a text of {longest:,} "
            "tokens.",
            **told,
        )
        return _with_enough(no, asked)
    hold = say(
        "{count} × {card} can hold it: {weights} of weights and {cache} of the cache on each, "
        "{left} to spare.",
        **told,
    )
    texts = asked.batch * (fit.left + fit.cache) // fit.cache if fit.cache else 0
    if texts > asked.batch:
        return say("{hold} There is room for {texts:,} such texts at once.", hold=hold, texts=texts)
    return say("{hold} There is room for a text of {longest:,} tokens.", hold=hold, **told)


def _with_enough(no: Sentence, asked: AskedAbout) -> Sentence:
    """How many GPUs would do, where that is known."""
    if asked.enough is None:
        return no
    card = asked.fit.card.name
    return say("{no} {enough} × {card} can hold both.", no=no, enough=asked.enough, card=card)


def draft_words(fit: Fit) -> Sentence:
    """That GPUs are not asked about a draft alone."""
    return say(
        "A draft shares {count} × {card} with its target: ask about the target, with this file as "
        "--draft.",
        count=fit.tried,
        card=fit.card.name,
    )
