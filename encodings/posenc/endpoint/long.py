"""How well a server finds numbers in a long prompt, and where it cuts the prompt."""

import random
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from posenc.endpoint.ask import Answer, Asking, Refused
from posenc.endpoint.client import NoAnswerError, SpentError
from posenc.endpoint.plan import ANSWER, CHAT_ANSWER, CONTROL, TRIES, Result, lengths_to_try
from posenc.endpoint.prompts import Hidden, Scale, hidden
from posenc.words import say

GUESSED = Scale(fixed=60, line=24)
"""Where a server counts no tokens."""
SHORT_LINES = 4
LONG_LINES = 24
"""Lines of the two prompts that tell what a line weighs."""
CUT = 0.97
"""A server that counts less than this part of the tokens that were sent has cut the prompt."""
TOLERANCE = 1.05
"""Found beyond the trained length: not by this little."""


@dataclass(frozen=True)
class Tried:
    """One long prompt.

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
class Long:
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
        counted = []
        for lines in (SHORT_LINES, LONG_LINES):
            prompt = self.hidden(lines)
            answer = self.asking.one(prompt.text, 1, 2 * len(prompt.text.split()))
            counted.append(answer.prompt_tokens if isinstance(answer, Answer) else None)
        few, many = counted
        if few is not None and many is not None and many > few:
            line = (many - few) / (LONG_LINES - SHORT_LINES)
            self.scale = Scale(few - line * SHORT_LINES, line)
            self.is_counted = True

    def hidden(self, lines: int) -> Hidden:
        """A prompt of so many lines."""
        return hidden(lines, self.draw, self.asking.chats)

    def of(self, tokens: int) -> Hidden:
        """A prompt of at most so many tokens."""
        return self.hidden(self.scale.lines(tokens))

    def look(self, tokens: int, tries: int = TRIES) -> Tried:
        """Hide a number in a prompt of so many tokens, and ask for it; once more if it is lost."""
        count = CHAT_ANSWER if self.asking.chats else ANSWER
        for _ in range(tries):
            lines = self.scale.lines(tokens)
            prompt = self.hidden(lines)
            length = self.scale.tokens(lines)
            answer = self.asking.one(prompt.text, count, length)
            if isinstance(answer, Refused):
                return Tried(length, None, None, answer.message, answer.limit)
            found = prompt.is_in(answer.text)
            seen = Tried(length, answer.prompt_tokens, found, answer.text, seconds=answer.seconds)
            if found:
                break
        return seen if self.is_counted else replace(seen, counted=None)


def needles(
    long: Long, target: int, trained: int | None, scaled: bool | None
) -> tuple[Result, list[Tried]]:
    """Numbers at a quarter, half, three quarters and nearly all of the target.

    Args:
        long: Prompts for the server.
        target: L, tokens.
        trained: Tokens of the training without scaling; None where that is not known.
        scaled: Whether the file asks for a scaling; None without a file.

    Returns:
        What was seen, and every prompt.
    """
    control = long.look(min(CONTROL, target // 2))
    tried = [control]
    stopped: NoAnswerError | SpentError | None = None
    if control.found:
        for tokens in lengths_to_try(target):
            try:
                tried.append(long.look(tokens))
            except (NoAnswerError, SpentError) as error:
                stopped = error
                break
            if tried[-1].found is None:
                break
    return _judged(tried, trained, scaled, stopped), tried


def _judged(
    tried: list[Tried],
    trained: int | None,
    scaled: bool | None,
    stopped: NoAnswerError | SpentError | None,
) -> Result:
    evidence = {"prompts": [one.evidence() for one in tried], "trained": trained}
    control = tried[0]
    rest = tried[1:]
    lost = [one.tokens for one in rest if one.found is False]
    found = [one.tokens for one in rest if one.found]
    refused = next((one for one in rest if one.found is None), None)
    told: dict[str, Any] = {
        "found": _list(found),
        "lost": _list(lost),
        "trained": trained or 0,
        "tokens": control.tokens,
    }

    result = partial(Result, "needles", evidence=evidence)
    if not control.found:
        return result(
            "no_control",
            "unseen",
            say(
                "Nothing can be looked for: the number is not found within {tokens:,} tokens "
                "either (answer: {answer!r:.60}).",
                answer=control.answer,
                **told,
            ),
        )
    if any(one.is_cut for one in rest):
        cut = next(one for one in rest if one.is_cut)
        return result(
            "cut_silently",
            "wrong",
            say(
                "Cut silently: of a prompt of {tokens:,} tokens the server counts {counted:,}.",
                tokens=cut.tokens,
                counted=cut.counted,
            ),
        )
    if refused is not None:
        return result(
            "refused",
            "wrong",
            say(
                "A prompt of {tokens:,} tokens is refused: {message}. Found before: {found}.",
                tokens=refused.tokens,
                message=refused.answer.rstrip("."),
                found=told["found"],
            ),
        )
    if stopped is not None:
        return result(
            "spent" if isinstance(stopped, SpentError) else "no_answer",
            "unseen",
            say("{why} Found so far: {found}.", why=stopped.args[0], found=told["found"]),
        )
    if not lost and trained and found[-1] > TOLERANCE * trained:
        return result(
            "found_beyond",
            "right",
            say("Found at {found} tokens, so beyond the {trained:,} of the training.", **told),
        )
    if not lost:
        return result("found", "right", say("Found at {found} tokens.", **told))
    if trained and scaled and min(lost) > trained and not any(n > trained for n in found):
        return result(
            "lost_beyond",
            "wrong",
            say(
                "Lost at {lost} tokens and found at {found}: the model reads as far as it was "
                "trained without scaling ({trained:,}), and no further.",
                **told,
            ),
        )
    return result(
        "lost",
        "odd",
        say(
            "Lost at {lost} tokens, twice each; found at {found}. A small model loses numbers "
            "within its trained length as well.",
            **told,
        ),
    )


def cut(long: Long, tokens: int, admitted: int | None) -> Result:
    """How the server treats a prompt that is too long.

    Args:
        long: Prompts for the server.
        tokens: Of the prompt.
        admitted: The length that the server admits to; None where it does not say.
    """
    one = long.look(tokens, tries=1)
    evidence = {"prompt": one.evidence(), "limit": one.limit}
    told: dict[str, Any] = {
        "tokens": one.tokens,
        "limit": one.limit or 0,
        "counted": one.counted or 0,
        "message": one.answer.rstrip("."),
    }
    result = partial(Result, "cut", evidence=evidence)
    if one.found is None and one.limit:
        return result(
            "refuses",
            "right",
            say("A prompt of {tokens:,} tokens is refused; the server cuts at {limit:,}.", **told),
        )
    if one.found is None:
        return result(
            "refuses",
            "right",
            say("A prompt of {tokens:,} tokens is refused: {message}.", **told),
        )
    if one.is_cut:
        return result(
            "cuts_silently",
            "odd",
            say(
                "Of a prompt of {tokens:,} tokens the server counts {counted:,}: what is too long "
                "is cut silently.",
                **told,
            ),
        )
    if admitted is not None and one.tokens > admitted and one.counted is not None:
        return result(
            "reads_on",
            "odd",
            say(
                "A prompt of {tokens:,} tokens is read, beyond the {admitted:,} that the server "
                "admits to.",
                admitted=admitted,
                **told,
            ),
        )
    if one.counted is not None:
        return result(
            "no_limit",
            "odd",
            say(
                "A prompt of {tokens:,} tokens is read: this server sets no limit near the "
                "target, so a prompt beyond it is read as well, silently.",
                **told,
            ),
        )
    return result(
        "not_counted",
        "unseen",
        say(
            "Where it cuts cannot be told: a prompt of about {tokens:,} tokens is answered, and "
            "the server counts no tokens.",
            **told,
        ),
    )


def _list(numbers: list[int]) -> str:
    return ", ".join(f"{n:,}" for n in numbers) or "–"
