"""Findings about draft models, which propose tokens for a larger one to accept or refuse."""

from collections.abc import Iterator, Mapping
from typing import Any

from advisor.data import Config
from advisor.findings.finding import Told, judge
from posenc.words import say

WORDS = ("eagle", "dflash", "dspark", "domino", "medusa", "draft", "speculator")
"""Parts of the names of drafts' classes, in small letters."""
HEADS = ("medusa", "mlpspeculator")
"""Those that propose from the target's last state alone, without attention."""
FIELDS = ("draft_vocab_size", "dflash_config", "eagle_config", "speculators_config")
"""Fields that only drafts have."""


def is_draft(config: Config) -> bool:
    """Whether the file describes a draft: by the name of its class, or by a field."""
    return _sign(config.source) is not None or _sign(config.text.values) is not None


def _sign(values: Mapping[str, Any]) -> str | None:
    """The field that tells a draft."""
    names = values.get("architectures")
    for name in names if isinstance(names, list) else ():
        if isinstance(name, str) and any(word in name.lower() for word in WORDS):
            return "architectures"
    return next((name for name in FIELDS if values.get(name) is not None), None)


@judge("warning")
def draft_model(config: Config) -> Iterator[Told]:
    """A draft, whose positions are those of the model that it drafts for."""
    field = _sign(config.source) or _sign(config.text.values)
    if field is None:
        return
    if any(word in str(config.source.get("architectures")).lower() for word in HEADS):
        yield Told(
            (field,),
            say(
                "This is a draft model without attention: it proposes from the last state of its "
                "target, and has no positions of its own."
            ),
            say("Give a scaling to the target's file alone."),
            severity="info",
        )
    yield Told(
        (field,),
        say(
            "This is a draft model: it is served beside a target model, at whose positions it "
            "stands. Past the length of its own training fewer of its proposals may be accepted."
        ),
        say(
            "Give a scaling to both files. vLLM hands --hf-overrides to the target alone where "
            "they are written as JSON: write the draft's into its own config.json."
        ),
    )
