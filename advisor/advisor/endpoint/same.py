"""Whether one prompt gives the same cold and from the prefix cache, alone and among others."""

from typing import Any

from advisor.endpoint.ask import Answer, Refused
from advisor.endpoint.long import LongPrompts
from advisor.endpoint.plan import BATCH
from advisor.endpoint.prompts import Hidden, begun, renumbered
from advisor.endpoint.result import Outcome, Result
from advisor.endpoint.scaling import distance
from posenc.words import Sentence, say

ROUNDING = 0.1
"""Nats. What kernels for other shapes, bfloat16 and int8 activations change, and a little more."""
FAULT = 0.5
"""Nats. No rounding that was seen changes so much."""

LOST = Outcome(
    "lost",
    "wrong",
    "Broken: the number was found the first time and lost then ({how}).",
)
TEXT_DIFFERS = Outcome(
    "text_differs",
    "odd",
    "The two texts differ ({how}); without log-probabilities, rounding cannot be told from a "
    "fault.",
)
SAME_TEXT = Outcome("same_text", "right", "The same text ({how}); log-probabilities are not given.")
EMPTY = Outcome("empty", "unseen", "Nothing to compare: an answer is empty ({how}).")
THINKS = Outcome(
    "thinks",
    "unseen",
    "Nothing to compare: the model thinks first and comes to no answer ({how}). Turn thinking off "
    "at the server.",
)
DIFFERS = Outcome(
    "differs", "wrong", "Broken: log-probabilities differ by {apart:.3f} nats ({how})."
)
DRIFTS = Outcome(
    "drifts",
    "odd",
    "Log-probabilities differ by {apart:.3f} nats ({how}): more than rounding usually does.",
)
SAME = Outcome("same", "right", "The same: log-probabilities differ by {apart:.4f} nats ({how}).")


def twice(prompts: LongPrompts, tokens: int) -> tuple[Result, Answer | None, Hidden]:
    """Send a prompt that no cache has, and send it again.

    Returns:
        What was seen, the first answer (None where it was refused), and the prompt.
    """
    prompt = prompts.of(tokens)
    cold, again = (_ask(prompts, prompt, tokens) for _ in range(2))
    if not isinstance(cold, Answer) or not isinstance(again, Answer):
        told = say(
            "The prompt cache cannot be looked at: a prompt of {n:,} tokens is refused.", n=tokens
        )
        return Result("cache", "refused", "unseen", told), None, prompt
    hit = again.cached_tokens
    how = say("the second time {came}", came=_came(again))
    result = _judged(
        "cache",
        cold,
        again,
        prompt,
        how,
        {"cached_tokens": hit, "seconds": [round(one.seconds, 3) for one in (cold, again)]},
    )
    if result.verdict == "right" and not hit:
        sentence = say("{seen} So a prefix cache was not seen at work.", seen=result.sentence)
        result = Result("cache", "no_hit", "unseen", sentence, result.evidence)
    return result, cold, prompt


def shared(prompts: LongPrompts, tokens: int) -> Result:
    """Send a prompt whose first half another one has brought into the cache.

    What it gives cold is not to be had any more. Two prompts that differ from it in the page number
    alone stand in for that, and tell how much the number changes.
    """
    prompt = prompts.of(tokens)
    others = (renumbered(prompt.text, prompts.draw) for _ in range(2))
    texts = (begun(prompt.text), prompt.text, *others)
    answers = [_ask(prompts, Hidden(text, prompt.number), tokens) for text in texts]
    if not all(isinstance(one, Answer) for one in answers):
        told = say("A shared beginning cannot be looked at: one of the prompts is refused.")
        return Result("shared", "refused", "unseen", told)
    _, warm, cold, other = (one for one in answers if isinstance(one, Answer))
    usual = _apart(cold, other) or 0.0
    hit = warm.cached_tokens
    how = say(
        "after another prompt with the same first half, {came}; compared with a prompt that no "
        "cache had and that differs in a page number; two prompts without a cache that differ in "
        "it {usual}",
        came=_came(warm),
        usual=say("are {nats:.4f} nats apart", nats=usual)
        if usual >= 0.00005
        else say("give the same"),
    )
    result = _judged(
        "shared", cold, warm, prompt, how, {"cached_tokens": hit, "usual": round(usual, 4)}, usual
    )
    if result.verdict == "right" and not hit:
        sentence = say("{seen} So a prefix cache was not seen at work.", seen=result.sentence)
        return Result("shared", "no_hit", "unseen", sentence, result.evidence)
    return result


def among(prompts: LongPrompts, tokens: int, alone: Answer, prompt: Hidden) -> Result:
    """Send a prompt with three others, shorter and longer ones, so that it may be padded.

    Args:
        prompts: Prompts for the server.
        tokens: Of the prompt.
        alone: Its answer when it was sent alone.
        prompt: The prompt.
    """
    others = [prompts.of(max(64, round(tokens * share))).text for share in (0.25, 0.6, 1.5)]
    texts = [others[0], prompt.text, *others[1:]]
    how, answers = prompts.asking.batch(texts, prompts.room, BATCH * tokens)
    if not answers:
        told = say("Prompts in a batch cannot be looked at: one of them is refused.")
        return Result("batch", "refused", "unseen", told)
    words = {
        "list": say("four prompts in one request"),
        "at once": say("four requests at the same time"),
    }[how]
    return _judged("batch", alone, answers[1], prompt, words, {"how": how})


def _ask(prompts: LongPrompts, prompt: Hidden, tokens: int) -> Answer | Refused:
    return prompts.asking.one(prompt.text, prompts.room, tokens)


def _came(answer: Answer) -> Sentence:
    """Tell what part of a prompt came from the cache, as far as the server says."""
    hit = answer.cached_tokens
    if hit is None:
        return say("the server does not say what came from a cache")
    if hit == 0:
        return say("the server says that nothing came from a cache")
    return say("{hit:,} tokens came from the cache", hit=hit)


def _apart(first: Answer, second: Answer) -> float | None:
    """The distance of log-probabilities while the texts agree."""
    alike = 0
    for one, other in zip(first.tops, second.tops, strict=False):
        alike += 1
        if max(one, key=one.__getitem__, default="") != max(
            other, key=other.__getitem__, default=""
        ):
            break  # what follows belongs to another text
    return distance(first.tops[:alike], second.tops[:alike])


def _judged(
    part: str,
    first: Answer,
    second: Answer,
    prompt: Hidden,
    how: Sentence,
    more: dict[str, Any],
    usual: float = 0.0,
) -> Result:
    """Compare two answers: log-probabilities while the texts agree, and the number.

    Two answers that may differ are `usual` nats apart: twice that is nothing, four times a fault.
    """
    apart = _apart(first, second)
    found = [prompt.is_in(one.text) for one in (first, second)]
    evidence = {
        "texts": [first.text[:80], second.text[:80]],
        "found": found,
        "nats": None if apart is None else round(apart, 4),
        **more,
    }
    if first.is_thought or second.is_thought:
        outcome = THINKS
    elif found == [True, False]:
        outcome = LOST
    elif apart is None:
        outcome = SAME_TEXT if first.text == second.text else TEXT_DIFFERS
    elif apart >= max(FAULT, 4 * usual):
        outcome = DIFFERS
    elif apart >= max(ROUNDING, 2 * usual):
        outcome = DRIFTS
    else:
        outcome = SAME
    if outcome.verdict == "right" and not (first.text.strip() and second.text.strip()):
        outcome = EMPTY
    return outcome.result(part, evidence, how=how, apart=apart)
