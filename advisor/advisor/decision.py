"""The decision for a text of a given length: one sentence, how sure, and why."""

from dataclasses import dataclass, replace

from advisor.choosing.choice import Choice, Reason, reason
from advisor.choosing.choose import choose
from advisor.choosing.take import take
from advisor.engines.all import ENGINES
from advisor.engines.engine import Serving, TooLong
from advisor.memory.cards import Card
from advisor.memory.needs import Needs, needs
from advisor.memory.stored import AS_STORED
from advisor.rope import RopeConfig
from posenc.checks import LONGEST, check_int
from posenc.words import Sentence, say

UNITS = ((2**40, "TiB"), (2**30, "GiB"), (2**20, "MiB"), (2**10, "KiB"))
FEWEST = 0.25
"""Least part of a unit that is said in it: 0.5 GiB, but 200.0 MiB."""


@dataclass(frozen=True)
class Decision:
    """How to make a model read a text of `target` tokens, and at which cost.

    Attributes:
        target: L, tokens; 0 where the layers do not rotate and nobody gives a length.
        choice: What to set.
        needs: What that length costs; None where the cache cannot be told.
        missing: Why it cannot; "" otherwise, and where the model does not read so far.
    """

    target: int
    choice: Choice
    needs: Needs | None
    missing: str

    @property
    def sentence(self) -> Sentence:
        """The whole of it in one sentence, with the numbers."""
        clause = self.choice.clause
        if self.needs is None or self.choice.sureness in ("none", "limit"):
            return say("{clause}.", clause=clause)
        size, unit = in_unit(self.needs.cache)
        told = {
            "clause": clause,
            "batch": self.needs.batch,
            "size": size,
            "unit": unit,
            "kind": self.needs.cache_kind,
        }
        if self.needs.batch > 1 and self.needs.is_ideal:
            return say(
                "{clause}; the caches of {batch:,} texts take {size:.1f} {unit} in {kind}, "
                "ideally.",
                **told,
            )
        if self.needs.batch > 1:
            return say(
                "{clause}; the caches of {batch:,} texts take {size:.1f} {unit} in {kind}.", **told
            )
        if self.needs.is_ideal:
            return say("{clause}; the cache takes {size:.1f} {unit} in {kind}, ideally.", **told)
        return say("{clause}; the cache takes {size:.1f} {unit} in {kind}.", **told)


def in_unit(count: int) -> tuple[float, str]:
    """Bytes in the largest unit of which there is about one: 12.0 and "GiB"."""
    # Cards are sold in GiB: 500 GiB are easier to compare than half a TiB.
    fitting = (one for one in UNITS if count >= one[0] * (1 if one[1] == "TiB" else FEWEST))
    size, unit = next(fitting, UNITS[-1])
    return count / size, unit


def decide(
    config: RopeConfig,
    target: int | None = None,
    cache_kind: str = "bfloat16",
    weight_kind: str = AS_STORED,
    batch: int = 1,
    method: str = "",
    trained_with_file: bool = False,
    gpus: tuple[Card, int] | None = None,
) -> Decision:
    """Decide how to make a model read a text of `target` tokens.

    Args:
        config: A model's configuration.
        target: L, tokens; None is the length that the file reaches by itself.
        cache_kind: One of `CACHE_BITS`.
        weight_kind: One of `WEIGHT_BITS`, or `AS_STORED`.
        batch: Texts at once.
        method: One of `METHODS_TO_TAKE` in the place of the advice; "" for the advice.
        trained_with_file: As for `choose`.
        gpus: As for `needs`.

    Returns:
        The `Decision`; `choice.config` is what to write for an engine.

    Raises:
        ValueError: If there is neither a target nor a length in the file, a number is out of
            range, or the method cannot be had for this file.
    """
    length = target or config.reach
    if length is None and not config.rotary:
        told = say("Set a target length to see what the cache takes.")
        return Decision(0, choose(config, 0), None, told)
    if length is None:
        raise ValueError("max_position_embeddings is not in the file: set a target length.")
    check_int("target_length", length, 1, maximum=LONGEST)
    choice = choose(config, length, trained_with_file)
    if method:
        choice = take(config, method, length)
    if choice.sureness == "limit":
        return Decision(length, choice, None, "")
    try:
        cost = needs(config, length, cache_kind, weight_kind, batch, gpus)
        return Decision(length, choice, cost, "")
    except ValueError as error:
        return Decision(length, choice, None, str(error))


def decided_for(decision: Decision, config: RopeConfig, engine: str = "") -> Decision:
    """The decision as engines bear it out: no surer than they allow.

    Args:
        decision: For the file.
        config: The file.
        engine: Id of the one of `ENGINES` that it is for; "" for all.

    Returns:
        The decision; none where no engine has a setting, and not sure where one does not read so
        far.
    """
    choice = decision.choice
    if choice.config is None:
        return decision
    asked = [engine] if engine else [*ENGINES]
    why = [_refusal(decision, config, one) for one in asked]
    if None in why:
        is_sure = choice.sureness in ("sure", "setting")
        named = zip(asked, why, strict=True)
        short = [ENGINES[one].title for one, error in named if isinstance(error, TooLong)]
        if not is_sure or not short:
            return decision
        far = reason("some_engines", "Not as far: {engines}.", engines=", ".join(short))
        told = (*choice.reasons, far)
        return replace(decision, choice=replace(choice, sureness="likely", reasons=told))
    reasons = [Reason("refused", one) for one in dict.fromkeys(str(one) for one in why)]
    clause = say(
        "No setting for {engine} at {target:,} tokens",
        engine=ENGINES[engine].title if engine else say("any engine here"),
        target=decision.target,
    )
    if engine:
        reasons.append(reason("advised", "Advised elsewhere: {clause}.", clause=choice.clause))
    none = replace(choice, verdict="cannot", clause=clause, sureness="none", reasons=tuple(reasons))
    return replace(decision, choice=none)


def _refusal(decision: Decision, config: RopeConfig, engine: str) -> ValueError | None:
    """Why an engine has no setting for the choice; None where it has one."""
    assert decision.choice.config is not None
    try:
        serving = Serving(length=decision.target or None)
        decision.choice.config.settings(engine, config, serving)
    except ValueError as error:
        return error
    return None
