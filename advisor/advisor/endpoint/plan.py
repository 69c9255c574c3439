"""The requests of a check and the most that they cost, before anything is sent."""

from dataclasses import dataclass

from advisor.endpoint.prompts import RESERVED, SHORT

SHARES = (0.25, 0.5, 0.75, 1.0)
"""Shares of the target at which numbers are looked for; the last one leaves `RESERVED`."""
DEPTHS = {"beginning": 0.0, "1/3": 1 / 3, "2/3": 2 / 3, "end": 1.0}
"""Where in a prompt its number stands: one prompt of each length for each."""
CONTROL = 512
"""Tokens of the prompt that shows whether the model can do the task at all."""
TRIES = 2
"""A number that is not found in the control is hidden and looked for once more."""
AGAIN = 4
"""So many of the numbers that are lost in long prompts are hidden and looked for once more."""
ANSWER = 12
CHAT_ANSWER = 512
"""Tokens that an answer may have; a model that thinks in a chat needs room for that."""
REPEATED = 2048
"""Tokens of the prompt that is sent again, at most."""
BATCH = 4
SHARED = 4
"""Prompts of which two begin alike."""
OVER = 1.25
"""A server that admits to more than this many targets is not asked where it cuts."""


@dataclass(frozen=True)
class Cost:
    """The most that one part of a check sends.

    Attributes:
        part: Its id.
        requests: Prompts sent.
        prompt_tokens: In all of them.
        answer_tokens: Written at most.
    """

    part: str
    requests: int
    prompt_tokens: int
    answer_tokens: int


def lengths_to_try(target: int, answer: int = ANSWER) -> tuple[int, ...]:
    """Tokens of the long prompts, ascending.

    Args:
        target: L, tokens.
        answer: Tokens of it that an answer may take.
    """
    most = max(64, target - RESERVED - answer + ANSWER)
    return tuple(sorted({max(64, min(round(target * share), most)) for share in SHARES}))


def over(target: int, admitted: int | None) -> int | None:
    """Tokens of a prompt that has to be cut; None where it would cost too much."""
    least = max(target, admitted or 0)
    return None if least > OVER * target else round(least * 1.03) + 2 * RESERVED


def repeated(target: int) -> int:
    """Tokens of the prompt that is sent cold, again and among others."""
    return min(REPEATED, max(128, target // 4))


def plan(target: int, admitted: int | None, chats: bool, others: int) -> tuple[Cost, ...]:
    """The cost of every part.

    Args:
        target: L, tokens.
        admitted: What the server admits to; None where it does not say.
        chats: Whether it answers messages alone.
        others: Servers to compare with, 0 or 1.
    """
    answer = CHAT_ANSWER if chats else ANSWER
    lengths = lengths_to_try(target, answer)
    control = TRIES * min(CONTROL, target // 2)
    tries = control + len(DEPTHS) * sum(lengths) + AGAIN * max(lengths)
    asked = TRIES + len(DEPTHS) * len(lengths) + AGAIN
    beyond = over(target, admitted)
    short = sum(2 * len(text.split()) for text in SHORT)
    again = repeated(target)
    return (
        Cost("scale", 2, 1600, 2),
        Cost("needles", asked, tries, asked * answer),
        Cost("cut", 1 if beyond else 0, beyond or 0, answer if beyond else 0),
        Cost("scaling", len(SHORT) * (1 + others), short * (1 + others), len(SHORT) * (1 + others)),
        Cost("cache", 2, 2 * again, 2 * answer),
        Cost("shared", SHARED, SHARED * again, SHARED * answer),
        Cost("batch", BATCH, BATCH * again, BATCH * answer),
    )
