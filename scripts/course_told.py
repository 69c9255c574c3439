"""Numbers that pictures tell, for readers without scripts: `python -m scripts.course_told`.

`told.json` of a chapter has those of its words as its steps open, and as they are once a question
is answered; node computes them with the chapter's own picture.
"""

import json
import subprocess
from pathlib import Path

from course.chapters import COURSE, FOLDER
from course.page.chapter import compiled, names_told
from course.page.words import ENGLISH, Chapter, Step, chapter
from serving.course import voice

OF_THE_READER = {"furthest"}
"""Numbers that are of what a reader has drawn."""
SCRIPT = Path(__file__).with_name("told.js")


def names(step: Step) -> dict[str, list[str]]:
    """Names of numbers in the words: as the step opens, and after its question."""
    opening = [step.text, step.task]
    if step.guess:
        opening += [step.guess.question, *step.guess.options]
    return {
        "at": _in(" ".join(opening)),
        "after": _in(step.guess.reveal if step.guess else ""),
    }


def _in(text: str) -> list[str]:
    return sorted(names_told(text) - OF_THE_READER)


def made(lesson: Chapter) -> str:
    """The numbers of a chapter by step, as JSON."""
    asked = compiled(lesson) | {"asked": {step.id: names(step) for step in lesson.steps}}
    told = subprocess.run(
        ["node", SCRIPT], input=json.dumps(asked), capture_output=True, text=True, check=True
    )
    return json.dumps(json.loads(told.stdout), ensure_ascii=False, indent=1) + "\n"


def place(name: str, language: str = ENGLISH) -> Path:
    """Where those of a chapter stand."""
    return FOLDER / name / ("told.json" if language == ENGLISH else f"told.{language}.json")


if __name__ == "__main__":
    for name in COURSE:
        for words in sorted((FOLDER / name).glob("words.*.md")):
            language = words.name.split(".")[1]
            place(name, language).write_text(made(chapter(name, voice(language))), "utf-8")
