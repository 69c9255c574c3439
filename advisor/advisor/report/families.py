"""Each engine's support for each family of models, and how well that is known.

A family is tried with one of its released models: stretched to four times its trained length, or
as it is.
"""

from dataclasses import dataclass
from functools import cache

from advisor.engines.all import ENGINES, answer
from advisor.engines.engine import Written
from advisor.extend import extend_config
from advisor.facts import Mark
from advisor.known_models import known_models
from advisor.rope import RopeConfig
from advisor.training import trained_length

AS_IT_IS = "file"
LONGER = 4
MARKS: tuple[Mark, ...] = ("ran", "read", "ignored", "refused", "not tried")
"""From the best known to the least."""


@dataclass(frozen=True)
class Answer:
    """One engine's support for one family.

    Args:
        mark: How well that is known, or what is wrong with it.
        words: What was run or read, or why there are no settings.
        model: The released model that was asked about.
        target: The length that was asked for, tokens.
    """

    mark: Mark
    words: str
    model: str
    target: int


def families() -> dict[str, list[str]]:
    """The known models that rotate, by family."""
    out: dict[str, list[str]] = {}
    for name, config in _configs().items():
        if config.rotary:
            out.setdefault(str(config.model_type), []).append(name)
    return dict(sorted(out.items()))


@cache
def answers(method: str) -> dict[tuple[str, str], Answer]:
    """Each engine's support for each family, by family and engine.

    Args:
        method: One of `advisor.extend.EXTENSIONS`, or `AS_IT_IS`. A family that it does not
            fit is left out.
    """
    out = {}
    for family, names in families().items():
        found = next(filter(None, (_changed(one, method) for one in names)), None)
        if found is None:
            continue
        name, changed = found
        before = _configs()[name]
        for engine in ENGINES:
            word, given = answer(changed, engine, before)
            words = given.tried if isinstance(given, Written) else given
            out[family, engine] = Answer(word, words, name, changed.reach or 0)
    return out


def _changed(name: str, method: str) -> tuple[str, RopeConfig] | None:
    """A model with its changed configuration; None where the method does not fit the file."""
    before = _configs()[name]
    if method == AS_IT_IS:
        return name, before
    kind = next((one for one in before.rotary if one != "sliding_attention"), "")
    length = trained_length(before, kind) if kind else None
    return (name, extend_config(before, kind, method, LONGER * length)) if length else None


@cache
def _configs() -> dict[str, RopeConfig]:
    return {name: RopeConfig.from_hf(model.config) for name, model in known_models().items()}
