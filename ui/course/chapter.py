"""A chapter whose walk is one picture in the browser (`static/course/`): its words, compiled.

`compiled` is plain data: Streamlit hosts it here, `make static` writes it into a page.
"""

import re
from collections.abc import Mapping
from string import Formatter
from typing import Any
from urllib.parse import parse_qs, urlencode

import streamlit as st
from markdown_it import MarkdownIt

from posenc.words import Sentence, say
from ui.charts import stage
from ui.charts.served import STATIC, component, nothing
from ui.controls import address
from ui.course.glossary import glossary
from ui.memory import memory
from ui.screen import course, homework, playlist, walk
from ui.screen.lesson import Lesson, WalkStep
from ui.words import _, language, separators, translate

ADD = "add"
"""Parameter of a link that adds to the playlist; the browser says which step of the chapter."""
MARKDOWN = MarkdownIt("commonmark", {"html": False}).enable("table")
MARK = re.compile(r'<a href="(mark|term):(\w+)">(.*?)</a>')
WORDS = {
    "count": say("{chapter} · step {step} of {count}"),
    "where": say("Step {step} of {count}: {title}"),
    "back": say("← Back"),
    "next": say("Next →"),
    "on": say("Next: {title} →"),
    "on_short": say("Next chapter →"),
    "said": say("You said: *{option}*."),
    "right": say("Right."),
    "wrong": say("Wrong."),
    "commit": say("That is my guess"),
    "more": say("More ways"),
    "explanation": say("Explanation"),
    "picture": say("Picture"),
    "steps": say("Steps"),
    "by_hand": say("In numbers"),
    "sentence": say("Ann sees the red boat"),
    "by_hand_why": say(
        "Whatever the step shows: the same five words, with the same two numbers each, stand in "
        "every chapter, so that its encoding can be compared with the others."
    ),
    "by_hand_key": say("key"),
    "by_hand_place": say("place"),
    "by_hand_content": say("content"),
    "by_hand_position": say("position"),
    "by_hand_score": say("score"),
    "by_hand_share": say("share"),
    "by_hand_sum": say(
        "The last word asks, with the query {query}. *Content* is q·k ÷ √2; *position* is what "
        "this encoding changes; the *score* is their sum. A softmax makes *shares* of the scores: "
        "e to the power of each, divided by the sum of all."
    ),
}
"""Interface words of the browser side, by its names for them; it fills the places itself."""


def compiled(lesson: Lesson, ways: Mapping[str, Any]) -> dict[str, Any]:
    """A chapter as the browser draws it: `Chapter` of `static/course/types.d.ts`."""
    steps = [_step(step) for step in lesson.walk]
    used = set(re.findall(r'data-term="(\w+)"', "".join(map(str, steps))))
    return {
        "screen": lesson.screen,
        "title": lesson.title,
        "picture": lesson.picture,
        "language": language(),
        "separators": separators(language()),
        "steps": steps,
        "labels": dict(lesson.labels),
        "words": {name: _inline(with_places(words)) for name, words in WORDS.items()},
        "terms": {
            name: {"term": term.term, "text": _inline(term.text)}
            for name, term in glossary().items()
            if name in used
        },
        "ways": {
            **dict.fromkeys(
                ("before", "after", "contents", "homework", "controls", "present", "add")
            ),
            **ways,
        },
    }


def _step(step: WalkStep) -> dict[str, Any]:
    guess = step.guess and {
        "question": _html(step.guess.question),
        "options": [_inline(option) for option in step.guess.options],
        "right": step.guess.right,
        "reveal": _html(step.guess.reveal),
    }
    return {
        "id": step.id,
        "title": step.title,
        "text": _html(step.text),
        "guess": guess,
        "task": _html(step.task),
        "reached": _html(step.reached),
        "query": urlencode(
            {key: address.written(value) for key, value in step.settings.items()} | {walk.STEP: 0},
            doseq=True,
        ),
    }


def with_places(sentence: Sentence) -> str:
    """A text in the reader's language whose places the browser fills."""
    names = [name for _text, name, _form, _kind in Formatter().parse(sentence.template) if name]
    values = {name: f"{{{name}}}" for name in names}
    return translate(Sentence(sentence.template, values))


def _html(text: str) -> str:
    """Markdown as HTML; links to marks of the picture and to terms act as buttons."""
    return MARK.sub(_button, MARKDOWN.render(text))


def _inline(text: str) -> str:
    return MARK.sub(_button, MARKDOWN.renderInline(text))


def _button(found: re.Match[str]) -> str:
    kind, name, words = found.groups()
    css = "mark" if kind == "mark" else "termed"
    return f'<span role="button" tabindex="0" class="{css}" data-{kind}="{name}">{words}</span>'


def is_open(screen: str) -> bool:
    """Whether the reader is in the walk of a screen."""
    return walk.where(course.chapter(screen)) > 0


def show(screen: str) -> None:
    """Draw the chapter over the whole page, and follow where the reader goes from it."""
    lesson = course.chapter(screen)
    at = walk.at(lesson)
    address.note(walk.STEP, at, None, packed=lesson.walk[at - 1].id)
    address.leave_to_browser()
    data = compiled(lesson, ways(lesson))
    with stage.alone("course"):
        asked = _mount(
            data={"chapter": data, "mode": stage.mode()}, key="course", on_way_change=nothing
        )
    way = asked.get("way") if isinstance(asked, Mapping) else None
    if isinstance(way, Mapping):
        _go(way)
    if not stage.mode():
        playlist.keep()


def ways(lesson: Lesson) -> dict[str, Any]:
    """Where one goes from a chapter, as addresses of the app."""
    screen = lesson.screen
    before = course.before(screen)
    after = course.after(screen)
    return {
        "before": before and _way(before, len(course.chapter(before).walk)),
        "after": _way(after, 1)
        if after
        else {"title": _("ten questions"), "href": f"{course.PAGE}?part=questions"},
        "contents": {"title": _("Contents"), "href": f"{course.PAGE}?part=contents"},
        "homework": screen in homework.screens()
        and {
            "title": _("Five questions on this"),
            "href": f"homework?{homework.query_for(screen)}",
        },
        "controls": {"title": _("All controls"), "href": f"{lesson.free}?{walk.STEP}=0"},
        "present": {"title": _("Present"), "href": f"{screen}?{stage.PRESENT}=1"},
        "add": {"title": _("Add to playlist"), "href": f"{playlist.SCREEN}?{ADD}={screen}"},
    }


def _way(screen: str, step: int) -> dict[str, str]:
    return {"title": course.chapter(screen).title, "href": f"{screen}?{walk.STEP}={step}"}


def _go(way: Mapping[str, Any]) -> None:
    """Open the page that a link leads to, without loading the app anew."""
    href = way.get("href")
    at = way.get("at")
    if not isinstance(href, str):
        return
    screen, _sign, query = href.partition("?")
    try:
        asked = parse_qs(query, keep_blank_values=True, max_num_fields=playlist.MOST_FIELDS)
    except ValueError:
        return  # no chapter of ours has such a link
    if isinstance(at, int):
        memory()[walk.LEFT_AT] = at
    if screen == playlist.SCREEN and ADD in asked and walk.STEP in asked:
        playlist.add(f"{asked[ADD][0]}?{walk.STEP}={asked[walk.STEP][0]}")
    elif screen in address.names():
        linked = address.linked(screen, asked)
        st.switch_page(course.script_of(screen), query_params=linked)


_css = (STATIC / "course" / "course.css").read_text("utf-8")
_mount = component("course", "course/streamlit.js", _css, isolated=True)
