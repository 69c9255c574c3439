"""Prompts: short texts for log-probabilities, long ones with a number to find."""

import random
import re
from dataclasses import dataclass
from typing import NamedTuple

PASSAGES = (
    "The tide tables hang beside the door of the harbour office, and every morning the oldest of "
    "the pilots reads them aloud. High water comes at ten past six, low water a little after noon. "
    "The channel is deep enough for the ferry at any hour, but the coal ships wait outside the bar "
    "until the water has risen. When two ships arrive at the same time, the larger one goes first, "
    "because it needs more room to turn. The smaller one drops its anchor in the bay and waits for "
    "the signal. The pilots know every rock by name. They say that the chart was drawn by a man "
    "who had never seen the place, and that whoever trusts the chart alone will sooner or later "
    "lose his ship.",
    "To bake the bread of this valley you need flour, water, salt and two days. On the first "
    "evening the flour is mixed with the water and a spoon of yesterday's dough, and the bowl is "
    "covered with a cloth. In the morning the dough has doubled. Now the salt is added, and the "
    "dough is folded four times, once every half hour. It rests until the afternoon. The oven must "
    "be very hot when the loaf goes in, and cooler when it comes out. A good loaf sounds hollow "
    "when you knock on it from below. It is eaten on the day after, never while it is still warm, "
    "and it keeps for a week.",
)
CUTS = (24, 48, 72, 96)
"""After how many words a passage is cut: the next word is asked for."""
SHORT = tuple(" ".join(text.split()[:cut]) for text in PASSAGES for cut in CUTS)
"""The prompts whose next token is asked for."""

LINE = (
    " The harbour was quiet. The ships lay still. The gulls slept on the wall. It was early. "
    "Nobody came by."
)
NEEDLE = " Remember this door code: {name} {number}. Again, the door code: {name} {number}."
QUESTION = " What was the door code of {name}? The door code: {name}"
"""Ends with the name, as the needle has it: easy even for the smallest models, so that what is lost
is lost by position. Form of the task: Mohtashami and Jaggi 2023, section 4.2, arXiv:2305.16300."""
CHAT = " What was the door code of {name}? Answer with the five digits alone."
NAMES = ("Alice", "Ben", "Clara", "David", "Emma", "Frank", "Grace", "Henry")
BEFORE = 2
"""Lines that stand at least before the needle, and after it."""
OTHER_END = " " + PASSAGES[0]
RESERVED = 64
"""Tokens of a length that are left for the answer and for what the count is off."""


class Scale(NamedTuple):
    """Lengths of the parts of a prompt, in a server's tokens."""

    fixed: float
    """Tokens of a prompt without lines: its beginning, needle and question."""
    line: float
    """Tokens of one more line."""

    def lines(self, tokens: int) -> int:
        """Lines of a prompt of at most so many tokens."""
        return max(BEFORE, int((tokens - self.fixed) / self.line))

    def tokens(self, lines: int) -> int:
        """Tokens of a prompt of so many lines."""
        return round(self.fixed + self.line * lines)


@dataclass(frozen=True)
class Hidden:
    """A long prompt with a number to find.

    Attributes:
        text: The prompt.
        number: What has to be found, five digits.
    """

    text: str
    number: str

    def is_in(self, answer: str) -> bool:
        """Whether an answer holds the number."""
        digits = "".join(c for c in answer if c.isdigit() or c.isalpha())
        return self.number in digits


def begun(text: str) -> str:
    """The first half of a prompt, going on otherwise."""
    return text[: text.index(LINE, len(text) // 2)] + OTHER_END


def renumbered(text: str, draw: random.Random) -> str:
    """A prompt with another page number, so that it begins otherwise."""
    return re.sub(r"\d{7}", str(draw.randrange(10**6, 10**7)), text, count=1)


def hidden(lines: int, draw: random.Random, chat: bool = False, depth: float = 0.0) -> Hidden:
    """A prompt with a number in it, asked for at its end.

    Its first words are drawn too, so that no server has it, or any part of it, in a cache.

    Args:
        lines: Of filler.
        draw: Where name and number come from.
        chat: Whether it is a message, and not a text to go on with.
        depth: Where the number stands, from 0 (near the beginning) to 1 (near the end).
    """
    before = BEFORE + round(depth * max(0, lines - 2 * BEFORE))
    name = draw.choice(NAMES)
    number = str(draw.randrange(10**4, 10**5))
    question = CHAT if chat else QUESTION
    text = (
        f"Notes, page {draw.randrange(10**6, 10**7)}."
        + LINE * before
        + NEEDLE.format(name=name, number=number)
        + LINE * max(0, lines - before)
        + question.format(name=name)
    )
    return Hidden(text, number)
