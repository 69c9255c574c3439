"""A result: which answers were given and which settings were handed in, as a link and as a file.

An answer is the letter under which its option stood. The options stand in an order of their own in
every result and every attempt, so whoever opens a result sees what the one who answered saw. What
was right, and which tasks are met, is worked out anew each time; nothing of it is in the result.
"""

import json
import random
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from urllib.parse import parse_qsl, urlencode, urlsplit

from exhibits.homework.settings import plain
from exhibits.homework.tasks import TASKS
from posenc.words import Sentence, say

LETTERS = "ABCD"
NONE = "-"
NAME = "name"
ORDER = "order"
ANSWERS = "answers"
HANDED = "tasks"
SEAL = "seal"
TOLD = (NAME, ORDER, ANSWERS, HANDED)
MOST_ORDERS = 9999
MOST_NAME = 60
MOST_CHARS = 4000
MOST_ATTEMPTS = 99
MOST_BYTES = 5 * MOST_CHARS  # of a file, in which a letter may take several
SAID = 5  # sentences about what is wrong in one result


@dataclass(frozen=True)
class Answers:
    """The answers to the questions of one screen."""

    letters: str
    """One for each question, `NONE` where there is no answer yet."""
    attempt: int = 1

    def with_one(self, question: int, letter: str) -> "Answers":
        """With one more answer; the first one given to a question stays."""
        if self.letters[question] != NONE:
            return self
        letters = self.letters[:question] + letter + self.letters[question + 1 :]
        return replace(self, letters=letters)


@dataclass(frozen=True)
class Result:
    """Somebody's answers and finished tasks."""

    name: str = ""
    answers: Mapping[str, Answers] = field(default_factory=dict)
    handed: Mapping[str, str] = field(default_factory=dict)
    """Task to the settings of its screen, as an address has them."""
    order: int = 0
    """The options are shuffled by it; 0 in results that were made before there were several."""

    @property
    def fields(self) -> dict[str, str]:
        """As an address and a file have it; what is empty is left out."""
        answers = (f"{k}.{one.attempt}.{one.letters}" for k, one in self.answers.items())
        handed = (f"{task}?{query}" for task, query in self.handed.items())
        found = {
            NAME: self.name,
            ORDER: str(self.order or ""),
            ANSWERS: " ".join(answers),
            HANDED: " ".join(handed),
        }
        return {key: text for key, text in found.items() if text}

    @property
    def seal(self) -> str:
        """A sum by which a link that was cut off or changed by accident is known."""
        return f"{zlib.crc32(urlencode(self.fields).encode()):08x}"

    @property
    def link(self) -> str:
        """The parameters of a link, the seal last: a link that was cut off has none."""
        return urlencode(self.fields | {SEAL: self.seal}, safe=",:?=/")

    @property
    def file(self) -> str:
        """The same as JSON."""
        return json.dumps(self.fields | {SEAL: self.seal}, ensure_ascii=False, indent=1) + "\n"

    def answer(self, screen: str, questions: int) -> Answers:
        """The answers to a screen's questions, none given at first."""
        return self.answers.get(screen, Answers(NONE * questions))

    def answered(self, screen: str, answers: Answers) -> "Result":
        """With these answers to the questions of a screen."""
        return replace(self, answers={**self.answers, screen: answers})

    def handed_in(self, task: str, query: str) -> "Result":
        """With these settings for a task.

        Raises:
            ValueError: If they are too long for a link.
        """
        result = replace(self, handed={**self.handed, task: query})
        if len(urlencode(result.fields)) > MOST_CHARS:
            raise ValueError(
                f"These settings are too long for a result of at most {MOST_CHARS:,} characters. "
                "Take a shorter text."
            )
        return result


def shuffled(count: int, attempt: int, question: str, order: int = 0) -> list[int]:
    """The options of a question, the right one being 0, as an attempt of a result has them."""
    seed = f"{order} {attempt} {question}" if order else f"{attempt} {question}"
    return random.Random(seed).sample(range(count), count)


def chosen(letter: str, count: int, attempt: int, question: str, order: int = 0) -> int | None:
    """The option that stood under a letter, 0 for the right one; None without an answer."""
    if letter == NONE:
        return None
    return shuffled(count, attempt, question, order)[LETTERS.index(letter)]


def read(
    fields: Mapping[str, str], questions: Mapping[str, int]
) -> tuple[Result, list[Sentence | str]]:
    """Read a result, leaving out what cannot be read.

    Returns:
        The result, and a sentence for each thing that was left out.
    """
    if sum(len(fields.get(key, "")) for key in TOLD) > MOST_CHARS:
        return Result(), [
            say("A result has at most {most:,} characters; this has more.", most=MOST_CHARS)
        ]
    wrong: list[Sentence | str] = []
    answers: dict[str, Answers] = {}
    for entry in fields.get(ANSWERS, "").split():
        try:
            screen, one = _answers(entry, questions)
            answers[screen] = one
        except ValueError as error:
            wrong.append(error.args[0])
    handed: dict[str, str] = {}
    for entry in fields.get(HANDED, "").split():
        task, _mark, query = entry.partition("?")
        if task in TASKS:
            handed[task] = query
        else:
            wrong.append(say("There is no task of this name here: {entry}.", entry=plain(task)))
    name = " ".join(fields.get(NAME, "").split())[:MOST_NAME]
    order = fields.get(ORDER, "")
    if order and not _is_whole_number(order, MOST_ORDERS):
        wrong.append(
            say(
                "The order of the options is a number from 1 to {most}, got {order}.",
                most=MOST_ORDERS,
                order=plain(order),
            )
        )
        order = ""
    return Result(name, answers, handed, int(order or 0)), wrong[:SAID]


def _answers(entry: str, questions: Mapping[str, int]) -> tuple[str, Answers]:
    screen, _dot, rest = entry.partition(".")
    attempt, _dot, letters = rest.partition(".")
    if screen not in questions:
        raise ValueError(f"These are not the answers to a screen's questions: {plain(entry)}.")
    count = questions[screen]
    allowed = {*LETTERS, NONE}
    if len(letters) != count or not {*letters} <= allowed:
        raise ValueError(
            f"{plain(entry)} does not fit the {count} questions of this screen: each answer is a "
            "letter from A to D, or - without one."
        )
    if not _is_whole_number(attempt, MOST_ATTEMPTS):
        raise ValueError(f"{plain(entry)} is of no attempt from 1 to {MOST_ATTEMPTS}.")
    return screen, Answers(letters, int(attempt))


def _is_whole_number(text: str, most: int) -> bool:
    """Whether it is one from 1 to the largest, in plain digits."""
    return text.isascii() and text.isdigit() and len(text) < 9 and 1 <= int(text) <= most


def is_whole(fields: Mapping[str, str], result: Result) -> bool:
    """Whether a link or file is as it was made."""
    return fields.get(SEAL, "") == result.seal


def from_link(line: str) -> dict[str, str]:
    """The fields of a link; from wherever the app ran, nothing of it is opened.

    Raises:
        ValueError: If it is no link to a result.
    """
    try:
        fields = parse_qsl(urlsplit(line[: 4 * MOST_CHARS]).query, max_num_fields=20)
    except ValueError:
        fields = []
    found = {key: value for key, value in fields if key in (*TOLD, SEAL)}
    if not found.keys() & {ANSWERS, HANDED}:
        raise ValueError(
            f"This is no link to a result: {plain(line, 60)}. It has the answers after "
            "'homework?', as the page gives them under Result."
        )
    return found


def from_file(name: str, data: bytes) -> dict[str, str]:
    """The fields of a file.

    Raises:
        ValueError: If it is not a file that this page has made.
    """
    shown = plain(name, 40)
    if len(data) > MOST_BYTES:
        raise ValueError(
            f"{shown} is larger than any result, which has at most {MOST_BYTES:,} bytes."
        )
    try:
        found = json.loads(data.decode("utf-8"))
    except (ValueError, RecursionError):
        found = None
    names = (*TOLD, SEAL)
    if (
        not isinstance(found, dict)
        or not found.keys() & {ANSWERS, HANDED}
        or not all(isinstance(found.get(key, ""), str) for key in names)
    ):
        raise ValueError(
            f"{shown} is not a result. A result is the file that this page gives under Result."
        )
    return {key: found[key] for key in names if key in found}


def score(answers: Answers, ids: Sequence[str], options: int, order: int = 0) -> int:
    """How many answers are right, to questions by their ids with so many options each."""
    found = (
        chosen(letter, options, answers.attempt, name, order)
        for letter, name in zip(answers.letters, ids, strict=True)
    )
    return sum(one == 0 for one in found)
