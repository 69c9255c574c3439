"""The homework of a screen: its questions and tasks, and what this session has answered so far.

The words are in pages/<screen>/homework.<language>.md, those of a chapter without a screen in the
chapter's folder: `questions`, each with what is `right` and what is `wrong` and why, and `tasks`,
each with its `goal`, a `hint`, and the `settings` to begin with. Numbers are names of
`exhibits.answers` in braces. `id`, `step` (the id of the chapter's step to read again) and
`settings` are the same in every language.

What was answered is the state of the page Homework. While a task is done on a screen, `task` says
which, and `for` carries the rest of the homework, so that a reload there loses nothing.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, urlencode

import frontmatter
import streamlit as st

from course.chapters import COURSE, FOLDER
from course.page.words import Step, step_at, told_all
from exhibits.homework import result
from exhibits.homework.result import Result
from exhibits.homework.tasks import TASKS
from ui.controls import address
from ui.memory import memory
from ui.screen import course
from ui.screen.lesson import PAGES, file_of, teller
from ui.words import language

PAGE, ON = "homework", "on"
TASK, FOR = "exercise", "for"  # `task` is a control of the lab
AT_WORK = "_app_task"  # in memory: the task that is done on its screen
QUESTIONS = 5  # of each screen
OPTIONS = 4  # of each question


@dataclass(frozen=True)
class Option:
    """An answer that can be given, and why it is right or wrong."""

    text: str
    why: str


@dataclass(frozen=True)
class Question:
    """A question with its options, the right one first."""

    id: str
    question: str
    options: tuple[Option, ...]
    step: str
    """Id of the chapter's step that explains the answer; "" for none."""


@dataclass(frozen=True)
class Task:
    """Something to be set on the screen; `exhibits.homework.tasks` checks it."""

    id: str
    """Key of `TASKS`: "rope.same_angles"."""
    goal: str
    hint: str
    settings: Mapping[str, Any]
    """Control to the value to begin with."""


@dataclass(frozen=True)
class Homework:
    """The questions and tasks of a screen."""

    questions: tuple[Question, ...]
    tasks: tuple[Task, ...]

    @property
    def ids(self) -> list[str]:
        """Ids of the questions."""
        return [one.id for one in self.questions]


def of(screen: str) -> Homework:
    """The homework of a screen in the reader's language."""
    spoken = language()
    path = file_of(screen, "homework", spoken)
    return _read(path, spoken, path.stat().st_mtime_ns)


@cache
def _read(path: Path, spoken: str, _changed: int) -> Homework:
    post: Any = told_all(frontmatter.load(str(path)).metadata, teller(spoken))
    screen = path.parent.name
    return Homework(
        tuple(
            Question(
                one["id"],
                one["question"],
                tuple(Option(**option) for option in (one["right"], *one["wrong"])),
                str(one.get("step", "")),
            )
            for one in post["questions"]
        ),
        tuple(
            Task(f"{screen}.{one['id']}", one["goal"], one["hint"], one.get("settings", {}))
            for one in post.get("tasks", [])
        ),
    )


def explained(screen: str, question: Question) -> Step | None:
    """The step of the chapter that explains a question.

    Raises:
        ValueError: If the chapter has no such step.
    """
    if not question.step:
        return None
    lesson, at = step_at(screen, question.step)
    if not at:
        raise ValueError(
            f"{screen}: {question.id!r} names {question.step!r}, no step of the chapter"
        )
    return lesson.steps[at - 1]


def screens() -> list[str]:
    """Screens with homework: the chapters in the order of the course, then the others."""
    found = {path.parent.name for home in (PAGES, FOLDER) for path in home.glob("*/homework.en.md")}
    return [name for name in COURSE if name in found] + sorted(found - {*COURSE})


def counts() -> dict[str, int]:
    """Screen to how many questions it has; their words are not read for it."""
    return dict.fromkeys(screens(), QUESTIONS)


def task_link(task: Task, answered: Result, own: Result, label: str) -> None:
    """A link to the screen of a task, as it was handed in or as it begins; `own` goes along."""
    screen = task.id.split(".")[0]
    query: dict[str, list[str]] = {}
    if task.id in answered.handed:
        for key, value in parse_qsl(answered.handed[task.id], keep_blank_values=True):
            query.setdefault(key, []).append(value)
    else:
        query |= {key: address.written(value) for key, value in task.settings.items()}
    query |= {TASK: [task.id], FOR: [urlencode(own.fields)]}
    course.page_link(screen, label, query)


def settle(*, is_news: bool) -> None:
    """Settle which task is done; for the start of a whole run."""
    if is_news:
        task, carried = (st.query_params.get(key, "") for key in (TASK, FOR))
        memory()[AT_WORK] = (task[:80], carried[: 4 * result.MOST_CHARS]) if task else None


def parameters(screen: str) -> dict[str, str | None]:
    """Parameters for a screen's address that name the task being done there."""
    at_work = memory().get(AT_WORK)
    if not at_work or at_work[0].split(".")[0] != screen:
        return {TASK: None, FOR: None}
    return {TASK: at_work[0], FOR: at_work[1] or None}


def at_work(screen: str) -> tuple[Task | None, Result] | None:
    """The task that is done on this screen, None for one that is not known, and the homework."""
    if parameters(screen)[TASK] is None:
        return None
    name, carried = memory()[AT_WORK]
    fields = dict(parse_qsl(carried, max_num_fields=None))
    tasks = of(screen).tasks if name in TASKS else ()
    found = next((task for task in tasks if task.id == name), None)
    return found, result.read(fields, counts())[0]


def back(answered: Result, screen: str) -> None:
    """From a task to the page Homework; ends the run."""
    memory()[AT_WORK] = None
    query = {ON: screen} | answered.fields
    st.switch_page(course.script_of(PAGE), query_params=query)
