"""Result of a check."""

from dataclasses import dataclass

from posenc.words import Sentence


@dataclass(frozen=True)
class TaskResult:
    """Whether a task is met, and the numbers that decide it."""

    is_met: bool
    said: Sentence
