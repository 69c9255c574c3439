"""How well a server finds numbers in a long prompt, and where it cuts the prompt."""

import random
from dataclasses import dataclass
from typing import Any

from advisor.endpoint.ask import Answer, Asking, Refused
from advisor.endpoint.client import LateError, NoAnswerError, SpentError
from advisor.endpoint.plan import (
    AGAIN,
    ANSWER,
    CHAT_ANSWER,
    CONTROL,
    DEPTHS,
    lengths_to_try,
)
from advisor.endpoint.prompts import RESERVED, Hidden, Scale, hidden
from advisor.endpoint.result import Outcome, Result

GUESSED = Scale(fixed=60, line=24)
"""Where a server counts no tokens."""
SHORT_LINES = 4
LONG_LINES = 24
"""Lines of the two prompts that tell what a line weighs."""
CUT = 0.97
"""A server that counts less than this part of the tokens that were sent has cut the prompt."""
TOLERANCE = 1.05
"""Lengths are estimated: what is farther by less than this is as far."""

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
REFUSED_AT_LIMIT = Outcome(
    "refused_at_limit",
    "unseen",
    "A prompt of about {tokens:,} tokens is refused, and the server cuts at {limit:,}: it counts "
    "no tokens, so the prompt was longer than estimated. Found before: {found}.",
)
SPENT = Outcome("spent", "unseen", "{why} Found so far: {found}.")
LATE = Outcome("late", "unseen", "{why} Found so far: {found}.")
NO_ANSWER = Outcome(
    "no_answer", "wrong", "A prompt within the target gets no answer. {why} Found so far: {found}."
)
THINKS = Outcome(
    "thinks",
    "unseen",
    "The model thinks first and comes to no answer within {room} tokens (found so far: {found}): "
    "turn thinking off at the server.",
)
EMPTY = Outcome(
    "empty",
    "wrong",
    "Prompts get empty answers (lost at {lost}). Found all through: {found}.",
)
NOTHING_SAID = Outcome(
    "empty", "unseen", "Nothing can be looked for: answers are empty within {tokens:,} tokens too."
)
FOUND_BEYOND = Outcome(
    "found_beyond",
    "right",
    "Found at {found} tokens, so beyond the {trained:,} of the training, from the beginning of "
    "each prompt to its end.",
)
FOUND = Outcome(
    "found", "right", "Found at {found} tokens, from the beginning of each prompt to its end."
)
LOST_BEYOND = Outcome(
    "lost_beyond",
    "wrong",
    "Lost at {lost} tokens and found at {found}: the model reads as far as it was trained "
    "without scaling ({trained:,}), and no further.",
)
MIDDLE_LOST = Outcome(
    "middle_lost",
    "wrong",
    "The middle is lost at {lost} tokens, and the beginning is found: the middle of a prompt is "
    "cut out or not kept in the cache, or the model loses it. Found all through: {found}.",
)
ONLY_NEAR = Outcome(
    "only_near",
    "wrong",
    "Nothing is found more than {reached:,} tokens before the question (lost at {lost}): the "
    "beginning of a prompt is cut off, or the model reads through a window or loses what is far "
    "back.",
)
ALL_LOST = Outcome(
    "all_lost",
    "wrong",
    "Nothing is found in a prompt of {tokens:,} tokens, not even near its end, though a number is "
    "found within {control:,} (found all through: {found}): the prompt is cut, or it is not read.",
)
LOST = Outcome(
    "lost",
    "odd",
    "Lost at {lost} tokens; found all through at {found}. A small model may lose numbers "
    "within its trained length as well.",
)
STOPS = {SpentError: SPENT, LateError: LATE, NoAnswerError: NO_ANSWER}

REFUSES_AT = Outcome(
    "refuses",
    "right",
    "A prompt of {tokens:,} tokens is refused; the server cuts at {limit:,}.",
)
REFUSES = Outcome("refuses", "right", "A prompt of {tokens:,} tokens is refused: {message}.")
FAILS = Outcome(
    "fails",
    "odd",
    "A prompt of {tokens:,} tokens, which is too long, is not refused but fails ({status}: "
    "{message}).",
)
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
        place: Where its number stood, one of `DEPTHS`.
        found: Whether its number was in the answer; None where the prompt was refused.
        answer: What it wrote, or why it refused.
        limit: Where it says that it cuts.
        status: HTTP status.
        seconds: That the answer took.
        is_thought: Whether it thought, and came to no answer.
    """

    tokens: int
    place: str
    counted: int | None
    found: bool | None
    answer: str
    limit: int | None = None
    status: int = 200
    seconds: float = 0.0
    is_thought: bool = False

    @property
    def is_cut(self) -> bool:
        """Whether the server read less than was sent, and did not say so."""
        return self.counted is not None and self.counted < CUT * self.tokens

    @property
    def away(self) -> int:
        """Tokens from the number to the question, about."""
        return max(RESERVED, round(self.tokens * (1 - DEPTHS[self.place])))

    @property
    def values(self) -> dict[str, Any]:
        """Values that a sentence about it may name."""
        return {
            "tokens": self.tokens,
            "counted": self.counted,
            "answer": self.answer,
            "message": self.answer.rstrip("."),
            "limit": self.limit,
            "status": self.status,
        }

    def evidence(self) -> dict[str, Any]:
        """As plain data."""
        return {
            "tokens": self.tokens,
            "place": self.place,
            "counted": self.counted,
            "found": self.found,
            "thought": self.is_thought,
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

    @property
    def room(self) -> int:
        """Tokens that an answer may have."""
        return CHAT_ANSWER if self.asking.chats else ANSWER

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

    def hidden(self, lines: int, place: str = "beginning") -> Hidden:
        """A prompt of so many lines."""
        return hidden(lines, self.draw, self.asking.chats, DEPTHS[place])

    def of(self, tokens: int) -> Hidden:
        """A prompt of at most so many tokens."""
        return self.hidden(self.scale.lines(tokens))

    def look(self, tokens: int, place: str = "beginning") -> Attempt:
        """Hide a number in a prompt of so many tokens, and ask for it."""
        lines = self.scale.lines(tokens)
        length = self.scale.tokens(lines)
        prompt = self.hidden(lines, place)
        answer = self.asking.one(prompt.text, self.room, length)
        if isinstance(answer, Refused):
            return Attempt(length, place, None, None, answer.message, answer.limit, answer.status)
        counted = answer.prompt_tokens if self.is_counted else None
        found = prompt.is_in(answer.text)
        return Attempt(
            length,
            place,
            counted,
            found,
            answer.text,
            seconds=answer.seconds,
            is_thought=answer.is_thought,
        )


def needles(
    prompts: LongPrompts, target: int, trained: int | None, scaled: bool | None
) -> tuple[Result, list[Attempt]]:
    """Numbers all through prompts of a quarter, half, three quarters and nearly all of the target.

    A number that is lost is looked for again, `AGAIN` times in all. Where nothing is found at one
    length, no longer one is tried.

    Args:
        prompts: Prompts for the server.
        target: L, tokens.
        trained: Tokens of the training without scaling; None where that is not known.
        scaled: Whether the file asks for a scaling; None without a file.

    Returns:
        What was seen, and every prompt.
    """
    short = min(CONTROL, target // 2)
    control = prompts.look(short)
    if control.found is False:
        control = prompts.look(short)
    attempts = [control]
    stop: NoAnswerError | SpentError | None = None
    again = AGAIN
    try:
        for tokens in lengths_to_try(target, prompts.room) if control.found else ():
            for place in DEPTHS:
                seen = prompts.look(tokens, place)
                if seen.found is False and again:
                    again -= 1
                    seen = prompts.look(tokens, place)
                attempts.append(seen)
                if seen.found is None or seen.is_cut:
                    break
            if not any(one.found for one in attempts[-len(DEPTHS) :]) or _is_over(attempts[-1]):
                break
    except (NoAnswerError, SpentError) as error:
        stop = error
    outcome, attempt = _needles(attempts, trained, scaled, stop, prompts.is_counted)
    result = outcome.result(
        "needles",
        {"prompts": [one.evidence() for one in attempts], "trained": trained},
        found=_found(attempts),
        lost=_lost(attempts),
        reached=_reached(attempts),
        control=control.tokens,
        room=prompts.room,
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
    is_counted: bool,
) -> tuple[Outcome, Attempt]:
    """The outcome of all attempts, and the one that decides it."""
    control, *rest = attempts
    lost = [one for one in rest if one.found is False]
    thought = [one for one in attempts if one.is_thought]
    if not control.found and not thought:
        return (NO_CONTROL if control.answer.strip() else NOTHING_SAID), control
    for one in rest:
        if one.is_cut:
            return CUT_SILENTLY, one
    last = attempts[-1]
    if last.found is None:
        is_estimate = not is_counted and last.limit is not None and last.limit >= last.tokens
        return (REFUSED_AT_LIMIT if is_estimate else REFUSED), last
    if thought:
        return THINKS, thought[0]
    loss = _loss(attempts, trained, scaled) if lost else None
    if stop is not None and (loss is None or loss.verdict != "wrong"):
        return STOPS[type(stop)], last
    if loss is None:
        is_beyond = trained and last.tokens > TOLERANCE * trained
        return FOUND_BEYOND if is_beyond else FOUND, last
    return loss, lost[-1]


def _loss(attempts: list[Attempt], trained: int | None, scaled: bool | None) -> Outcome:
    """The outcome where some numbers were lost."""
    rest = attempts[1:]
    lost = [one for one in rest if one.found is False]
    reached = _reached(attempts)
    if not any(one.answer.strip() for one in lost):
        return EMPTY
    if trained and scaled and reached <= trained < min(one.tokens for one in lost):
        return LOST_BEYOND
    lengths = _by_length(attempts)
    if lengths[lost[-1].tokens] == dict.fromkeys(DEPTHS, False):
        return ALL_LOST
    if 2 * reached <= rest[-1].tokens and all(TOLERANCE * one.away > reached for one in lost):
        return ONLY_NEAR
    middle = {"beginning": True, "1/3": False, "2/3": False}
    return MIDDLE_LOST if any(middle.items() <= one.items() for one in lengths.values()) else LOST


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
    if attempt.found is None and attempt.status >= 500 and not attempt.limit:
        return FAILS
    if attempt.found is None:
        return REFUSES_AT if attempt.limit else REFUSES
    if attempt.is_cut:
        return CUTS_SILENTLY
    if attempt.counted is None:
        return NOT_COUNTED
    if admitted is not None and attempt.tokens > admitted:
        return READS_ON
    return NO_LIMIT


def _is_over(attempt: Attempt) -> bool:
    """Whether no longer prompt has to be tried: it was refused, or was not read whole."""
    return attempt.found is None or attempt.is_cut


def _by_length(attempts: list[Attempt]) -> dict[int, dict[str, bool | None]]:
    """For each length beside the control, at which places the number was found."""
    seen: dict[int, dict[str, bool | None]] = {}
    for one in attempts[1:]:
        seen.setdefault(one.tokens, {})[one.place] = one.found
    return seen


def _reached(attempts: list[Attempt]) -> int:
    """Tokens between the question and the number farthest from it that was found."""
    return max((one.away for one in attempts[1:] if one.found), default=0)


def _found(attempts: list[Attempt]) -> str:
    """Lengths at which the number was found at every place."""
    whole = dict.fromkeys(DEPTHS, True)
    found = [f"{n:,}" for n, seen in _by_length(attempts).items() if seen == whole]
    return ", ".join(found) or "none"


def _lost(attempts: list[Attempt]) -> str:
    """Lengths at which numbers were lost, and their places where not all of them were."""
    rows = []
    for tokens, seen in _by_length(attempts).items():
        places = [place for place, found in seen.items() if found is False]
        if places:
            rows.append(f"{tokens:,}" + (f" ({', '.join(places)})" if any(seen.values()) else ""))
    return ", ".join(rows) or "none"
