"""How well a server finds numbers in a long prompt, and where it cuts the prompt."""

import random
from dataclasses import dataclass
from typing import Any

from advisor.endpoint.ask import Answer, Asking, Refused
from advisor.endpoint.client import NoAnswerError, SpentError
from advisor.endpoint.plan import ANSWER, CHAT_ANSWER, CONTROL, lengths_to_try
from advisor.endpoint.prompts import Hidden, Scale, hidden
from advisor.endpoint.result import Outcome, Result

GUESSED = Scale(fixed=60, line=24)
"""Where a server counts no tokens."""
SHORT_LINES = 4
LONG_LINES = 24
"""Lines of the two prompts that tell what a line weighs."""
CUT = 0.97
"""A server that counts less than this part of the tokens that were sent has cut the prompt."""
TOLERANCE = 1.05
"""Found beyond the trained length: not by this little."""

NO_CONTROL = Outcome(
    "no_control",
    "unseen",
    "Nothing can be looked for: the number is not found within {tokens:,} tokens either "
    "(answer: {answer!r:.60}).",
)
CUT_SILENTLY = Outcome(
    "cut_silently",
    "wrong",
    "Cut silently: of a prompt of {tokens:,} tokens the server counts {counted:,}.",
)
REFUSED = Outcome(
    "refused",
    "wrong",
    "A prompt of {tokens:,} tokens is refused: {message}. Found before: {found}.",
)
SPENT = Outcome("spent", "unseen", "{why} Found so far: {found}.")
NO_ANSWER = Outcome("no_answer", "unseen", "{why} Found so far: {found}.")
FOUND_BEYOND = Outcome(
    "found_beyond",
    "right",
    "Found at {found} tokens, so beyond the {trained:,} of the training.",
)
FOUND = Outcome("found", "right", "Found at {found} tokens.")
LOST_BEYOND = Outcome(
    "lost_beyond",
    "wrong",
    "Lost at {lost} tokens and found at {found}: the model reads as far as it was trained "
    "without scaling ({trained:,}), and no further.",
)
LOST = Outcome(
    "lost",
    "odd",
    "Lost at {lost} tokens, twice each; found at {found}. A small model loses numbers within "
    "its trained length as well.",
)

REFUSES_AT = Outcome(
    "refuses",
    "right",
    "A prompt of {tokens:,} tokens is refused; the server cuts at {limit:,}.",
)
REFUSES = Outcome("refuses", "right", "A prompt of {tokens:,} tokens is refused: {message}.")
CUTS_SILENTLY = Outcome(
    "cuts_silently",
    "odd",
    "Of a prompt of {tokens:,} tokens the server counts {counted:,}: what is too long is cut "
    "silently.",
)
NOT_COUNTED = Outcome(
    "not_counted",
    "unseen",
    "Where it cuts cannot be told: a prompt of about {tokens:,} tokens is answered, and the "
    "server counts no tokens.",
)
READS_ON = Outcome(
    "reads_on",
    "odd",
    "A prompt of {tokens:,} tokens is read, beyond the {admitted:,} that the server admits to.",
)
NO_LIMIT = Outcome(
    "no_limit",
    "odd",
    "A prompt of {tokens:,} tokens is read: this server sets no limit near the target, so a "
    "prompt beyond it is read as well, silently.",
)


@dataclass(frozen=True)
class Attempt:
    """One long prompt, and what came back.

    Attributes:
        tokens: Its length, as estimated before it was sent.
        counted: As the server counted; None where it gives none.
        found: Whether its number was in the answer; None where the prompt was refused.
        answer: What it wrote, or why it refused.
        limit: Where it says that it cuts.
        seconds: That the answer took.
    """

    tokens: int
    counted: int | None
    found: bool | None
    answer: str
    limit: int | None = None
    seconds: float = 0.0

    @property
    def is_cut(self) -> bool:
        """Whether the server read less than was sent, and did not say so."""
        return self.counted is not None and self.counted < CUT * self.tokens

    @property
    def values(self) -> dict[str, Any]:
        """Values that a sentence about it may name."""
        return {
            "tokens": self.tokens,
            "counted": self.counted,
            "answer": self.answer,
            "message": self.answer.rstrip("."),
            "limit": self.limit,
        }

    def evidence(self) -> dict[str, Any]:
        """As plain data."""
        return {
            "tokens": self.tokens,
            "counted": self.counted,
            "found": self.found,
            "answer": self.answer[:80],
            "seconds": round(self.seconds, 2),
        }


@dataclass
class LongPrompts:
    """Long prompts for one server.

    Args:
        asking: How it is asked.
        draw: Where names and numbers come from.
    """

    asking: Asking
    draw: random.Random
    scale: Scale = GUESSED
    is_counted: bool = False
    """Whether the server told how many tokens a line has."""

    def weigh(self) -> None:
        """Learn from two short prompts what a line of the text weighs in this server's tokens."""
        few = self._counted(SHORT_LINES)
        many = self._counted(LONG_LINES)
        if few is not None and many is not None and many > few:
            line = (many - few) / (LONG_LINES - SHORT_LINES)
            self.scale = Scale(few - line * SHORT_LINES, line)
            self.is_counted = True

    def _counted(self, lines: int) -> int | None:
        """Tokens that the server counts in a prompt of so many lines."""
        prompt = self.hidden(lines)
        answer = self.asking.one(prompt.text, 1, 2 * len(prompt.text.split()))
        return answer.prompt_tokens if isinstance(answer, Answer) else None

    def hidden(self, lines: int) -> Hidden:
        """A prompt of so many lines."""
        return hidden(lines, self.draw, self.asking.chats)

    def of(self, tokens: int) -> Hidden:
        """A prompt of at most so many tokens."""
        return self.hidden(self.scale.lines(tokens))

    def look(self, tokens: int) -> Attempt:
        """Hide a number in a prompt of so many tokens, and ask for it."""
        lines = self.scale.lines(tokens)
        length = self.scale.tokens(lines)
        prompt = self.hidden(lines)
        answer = self.asking.one(prompt.text, CHAT_ANSWER if self.asking.chats else ANSWER, length)
        if isinstance(answer, Refused):
            return Attempt(length, None, None, answer.message, limit=answer.limit)
        counted = answer.prompt_tokens if self.is_counted else None
        found = prompt.is_in(answer.text)
        return Attempt(length, counted, found, answer.text, seconds=answer.seconds)

    def look_twice(self, tokens: int) -> Attempt:
        """Look, and look for another number if the first one is lost."""
        first = self.look(tokens)
        return self.look(tokens) if first.found is False else first


def needles(
    prompts: LongPrompts, target: int, trained: int | None, scaled: bool | None
) -> tuple[Result, list[Attempt]]:
    """Numbers at a quarter, half, three quarters and nearly all of the target.

    Args:
        prompts: Prompts for the server.
        target: L, tokens.
        trained: Tokens of the training without scaling; None where that is not known.
        scaled: Whether the file asks for a scaling; None without a file.

    Returns:
        What was seen, and every prompt.
    """
    control = prompts.look_twice(min(CONTROL, target // 2))
    attempts = [control]
    stop: NoAnswerError | SpentError | None = None
    for tokens in lengths_to_try(target) if control.found else ():
        try:
            attempts.append(prompts.look_twice(tokens))
        except (NoAnswerError, SpentError) as error:
            stop = error
            break
        if attempts[-1].found is None:
            break
    outcome, attempt = _needles(attempts, trained, scaled, stop)
    result = outcome.result(
        "needles",
        {"prompts": [one.evidence() for one in attempts], "trained": trained},
        found=_list(attempts, True),
        lost=_list(attempts, False),
        trained=trained,
        why=stop and stop.args[0],
        **attempt.values,
    )
    return result, attempts


def _needles(
    attempts: list[Attempt],
    trained: int | None,
    scaled: bool | None,
    stop: NoAnswerError | SpentError | None,
) -> tuple[Outcome, Attempt]:
    """The outcome of all attempts, and the one that decides it."""
    control, *rest = attempts
    found = [one.tokens for one in rest if one.found]
    lost = [one for one in rest if one.found is False]
    if not control.found:
        return NO_CONTROL, control
    for one in rest:
        if one.is_cut:
            return CUT_SILENTLY, one
    last = attempts[-1]
    if last.found is None:
        return REFUSED, last
    if stop is not None:
        return SPENT if isinstance(stop, SpentError) else NO_ANSWER, last
    if not lost:
        is_beyond = trained and last.tokens > TOLERANCE * trained
        return FOUND_BEYOND if is_beyond else FOUND, last
    longest = max(found, default=0)
    if trained and scaled and longest <= trained < lost[0].tokens:
        return LOST_BEYOND, lost[0]
    return LOST, lost[0]


def cut(prompts: LongPrompts, tokens: int, admitted: int | None) -> Result:
    """How the server treats a prompt that is too long.

    Args:
        prompts: Prompts for the server.
        tokens: Of the prompt.
        admitted: The length that the server admits to; None where it does not say.
    """
    attempt = prompts.look(tokens)
    evidence = {"prompt": attempt.evidence(), "limit": attempt.limit}
    return _cut(attempt, admitted).result("cut", evidence, admitted=admitted, **attempt.values)


def _cut(attempt: Attempt, admitted: int | None) -> Outcome:
    if attempt.found is None:
        return REFUSES_AT if attempt.limit else REFUSES
    if attempt.is_cut:
        return CUTS_SILENTLY
    if attempt.counted is None:
        return NOT_COUNTED
    if admitted is not None and attempt.tokens > admitted:
        return READS_ON
    return NO_LIMIT


def _list(attempts: list[Attempt], found: bool) -> str:
    """Tokens of the prompts, beside the control, whose number was found, or was not."""
    tokens = [f"{one.tokens:,}" for one in attempts[1:] if one.found is found]
    return ", ".join(tokens) or "–"
