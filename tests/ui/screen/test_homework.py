"""The words of the homework: five good questions for a screen, with numbers that are computed."""

import re
from dataclasses import astuple, replace

import frontmatter
import pytest

from course.chapters import COURSE, MOVED
from exhibits.homework.tasks import TASKS
from serving.course import WITHOUT_SCREEN
from ui.screen import homework
from ui.screen.homework import of
from ui.screen.lesson import file_of

COUNTED = 12  # what is counted at a glance may be typed
EXAMPLES = {
    *("120", "130", "20", "30", "15", "40", "60"),  # rows: test_facts
    *("19", "21"),  # 12 + 7 and 12 + 9
    *("16", "256", "512"),  # powers of two
    *(
        "50",
        "100",
        "200",
        "500",
        "3,000",
        "1,000",
        "1,024",
        "4,000",
        "4,001",
        "8,000",
        "12,000",
        "100,000",
    ),
    *(
        "2,048",
        "4,096",
        "8,192",
        "32,768",
        "131,072",
        "10,000",
        "10000",
        "40,000",
        "1,000,000",
    ),  # lengths
    *("128", "126", "115", "64", "44", "200", "400", "2.3", "2.25", "4.75", "0.25", "0.125"),
    *("6.28", "32"),
}
NO_NUMBERS = re.compile(r"\{[^}]*\}|(Llama|GPT|DeepSeek)[ -]V?[\d.]*\d(-\d+B)?|SmolLM2-135M")


def test_the_chapters_come_first_and_every_one_has_homework() -> None:
    assert tuple(homework.screens()[: len(COURSE)]) == COURSE
    acting = {*COURSE} - {*WITHOUT_SCREEN}
    assert {name.split(".")[0] for name in TASKS} == {*acting, "side_by_side", "config", "units"}


@pytest.mark.parametrize("screen", homework.screens())
def test_a_screen_asks_five_questions_each_with_one_right_answer(screen: str) -> None:
    asked = of(screen)
    assert len(asked.questions) == homework.QUESTIONS == len({*asked.ids})
    for one in asked.questions:
        assert len({option.text for option in one.options}) == homework.OPTIONS
        assert len({option.why for option in one.options}) == 4
        assert all(option.why.endswith((".", "?", "`.")) for option in one.options)
        words = [one.question] + [part for option in one.options for part in astuple(option)]
        assert re.findall(r"(?<!\\)\{\w+(?::[^}]*)?\}", " ".join(map(str, words))) == [], one.id
    tasks = [task.id for task in asked.tasks]
    assert tasks == [name for name in TASKS if name.split(".")[0] == screen]


@pytest.mark.parametrize("screen", homework.screens())
def test_a_question_names_a_step_of_the_walk_by_its_id(screen: str) -> None:
    for one in of(screen).questions:
        step = homework.explained(screen, one)
        assert bool(step) == bool(one.step)
        _, now = MOVED.get((screen, one.step), (screen, one.step))
        assert step is None or not step.id or now == step.id


def test_a_step_that_is_not_there_is_refused() -> None:
    question = replace(of("absolute").questions[0], step="gone")
    with pytest.raises(ValueError, match="gone"):
        homework.explained("absolute", question)


@pytest.mark.parametrize("screen", homework.screens())
def test_numbers_in_the_words_are_computed(screen: str) -> None:
    text = file_of(screen, "homework", "en").read_text("utf-8")
    for one in frontmatter.loads(text)["questions"]:
        words = [one["question"]] + [
            part for option in (one["right"], *one["wrong"]) for part in option.values()
        ]
        typed = re.findall(r"\d[\d,.]*\d|\d", NO_NUMBERS.sub("", " ".join(words)))
        for number in {*typed} - EXAMPLES:
            assert number.isdigit(), (one["id"], number)
            assert int(number) <= COUNTED, (one["id"], number)
