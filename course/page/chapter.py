"""A step of a chapter as HTML: its words, room for the picture, and what the browser needs."""

import json
import re
from collections.abc import Mapping
from dataclasses import replace
from decimal import Decimal, InvalidOperation
from functools import cache
from html import escape, unescape
from typing import Any
from urllib.parse import urlencode

from babel import Locale
from markdown_it import MarkdownIt

from course.chapters import FOLDER
from course.page.document import Page
from course.page.files import modules, preview, script
from course.page.menu import CHAPTERS
from course.page.voice import Voice
from course.page.words import PLAIN, STORY, Chapter, Step, after, before, chapter, glossary
from posenc.words import Sentence, say

MARKDOWN = MarkdownIt("commonmark", {"html": False}).enable("table")
MARK = re.compile(r'<a href="(mark|term):(\w+)">(.*?)</a>')
TOLD = re.compile(r"\[\[(\w+)(?:\?([^\]]*))?\]\]")
"""A number that the picture tells, and forms of a word that it asks for."""
CATEGORIES = ("zero", "one", "two", "few", "many", "other")
SCREEN = re.compile(r'<a href="(\w+)">(.*?)</a>')
WORDS = {
    "count": say("{chapter} · step {step} of {count}"),
    "where": say("Step {step} of {count}: {title}"),
    "back": say("← Back"),
    "next": say("Next →"),
    "on": say("Next: {title} →"),
    "on_short": say("Next chapter →"),
    "explore": say("Explore →"),
    "said": say("You said: *{option}*."),
    "watch": say("Watch the picture."),
    "right": say("Right."),
    "wrong": say("Wrong."),
    "missed": say("Not quite."),
    "commit": say("That is my guess"),
    "more": say("More ways"),
    "present": say("Present"),
    "slide": say("Save for a slide (1920 × 1080)"),
    "to_before": say("Previous chapter: {title}"),
    "to_after": say("Next chapter: {title}"),
    "explanation": say("Explanation"),
    "picture": say("Picture"),
    "steps": say("Steps"),
    "by_hand": say("In numbers"),
    "sentence": say("Ann |sees |the |red |boat"),
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
    "added": say("Entry {count} of the [playlist](playlist): {name}"),
    "entry": say("{title}, step {step}: {words}"),
    "list_at": say("{at} of {count}"),
    "list_back": say("Back in the list"),
    "list_next": say("On in the list"),
    "close": say("Close"),
    "look": say("D: light or dark"),
    "leave": say("Leave"),
}
"""Interface words of the browser side, by its names for them; it fills the places itself."""
WAYS = {"add": ("+", say("Add")), "subtract": ("−", say("Subtract")), "turn": ("↻", say("Turn"))}
"""Signs of the three ways to tell attention the places, and what they are called."""
HOMEWORK = say("Five questions on this")
CONTENTS = say("All chapters")
QUESTIONS = say("ten questions")
ADD = say("Add to playlist")


def pages(name: str, voice: Voice = PLAIN, *, alone: bool = False) -> list[Page]:
    """The pages of a chapter: its own, which opens its first step, and one for each step.

    Args:
        name: Its id.
        voice: The language of its words.
        alone: Whether the pages stand without the app; ways to its screens are then left out.
    """
    lesson = chapter(name, voice)
    data = compiled(lesson, alone=alone)
    made = [
        _page(lesson, lesson.steps[0], data, is_whole=True),
        *(_page(lesson, step, data, is_whole=False) for step in lesson.steps),
    ]
    return [replace(page, body=SCREEN.sub(r"\2", page.body)) for page in made] if alone else made


def _page(lesson: Chapter, step: Step, data: Mapping[str, Any], *, is_whole: bool) -> Page:
    told = json.dumps(data, ensure_ascii=False).replace("<", "\\u003c")
    return Page(
        path=lesson.path() if is_whole else lesson.path(step.id),
        title=lesson.voice.told(say("{title}, step by step", title=lesson.title))
        if is_whole
        else f"{step.title} · {lesson.title}",
        description=lesson.question if is_whole else description(lesson, step),
        body=f"""\
{_frame(lesson, step, data)}
{_whole(lesson) if is_whole else ""}
<script type="application/json" id="chapter">{told}</script>""",
        picture=preview(lesson.id),
        head=_head(lesson),
        language=lesson.voice.language,
    )


def _head(lesson: Chapter) -> str:
    names = modules("course/page/chapter.js", f"course/chapters/{lesson.id}/picture.js")
    loaded = "\n".join(f'<link rel="modulepreload" href="{script(name)}">' for name in names)
    return f"""\
{loaded}
<script type="module" src="{script(names[0])}"></script>
<noscript><link rel="stylesheet" href="{script("course/page/words.css")}"></noscript>"""


def _frame(lesson: Chapter, step: Step, data: Mapping[str, Any]) -> str:
    """The elements that the browser's side takes over: words, picture, foot."""
    at = lesson.number_of(step.id)
    count = len(lesson.steps)
    words = data["words"]
    ways = data["ways"]
    back = lesson.steps[at - 2].id if at > 1 else ""
    on = lesson.steps[at].id if at < count else ""
    earlier = ways["before"] if at == 1 else {"href": lesson.path(back)}
    later = ways["after"] if at == count else {"href": lesson.path(on)}
    told = words["count"].format(chapter=escape(lesson.title), step=at, count=count)
    return f"""\
<div class="course">
<section class="prose" aria-label="{words["explanation"]}"><p class="count"><span>{told}</span></p>
{step_words(lesson, step, "h1")}</section>
<figure><svg role="group" aria-label="{words["picture"]}"></svg></figure>
<nav class="foot" aria-label="{words["steps"]}">
{_link("back", earlier, words)}<div class="dots"></div>
{_explore(lesson, step, words) if ways["explore"] else ""}{_link("next", later, words)}
</nav>
</div>"""


def _link(name: str, way: Mapping[str, str] | None, words: Mapping[str, str]) -> str:
    href = f'href="{way["href"]}"' if way else "hidden"
    return f'<a class="{name}" {href}>{words[name]}</a>'


def _explore(lesson: Chapter, step: Step, words: Mapping[str, str]) -> str:
    href = escape(f"/{_screen(lesson, step)}")
    return f'<a class="explore" href="{href}">{words["explore"]}</a>'


def _whole(lesson: Chapter) -> str:
    """All words of a chapter, to be read, found and printed without a picture."""
    steps = "".join(
        f'<section id="{step.id}"><p class="at"><a href="{lesson.path(step.id)}">'
        f"{at}</a></p>{step_words(lesson, step, 'h2')}</section>"
        for at, step in enumerate(lesson.steps, 1)
    )
    title = escape(lesson.voice.told(say("Sources")))
    sources = f"<h2>{title}</h2>{MARKDOWN.render(lesson.sources)}" if lesson.sources else ""
    return f"""\
<article class="read"><h1>{escape(lesson.title)}</h1><p>{escape(lesson.question)}</p>
{steps}{sources}</article>"""


@cache
def _numbers(name: str, language: str) -> dict[str, dict[str, dict[str, str]]]:
    """Numbers that the picture tells, by step and time: what `scripts.course_told` has written."""
    found: dict[str, dict[str, dict[str, str]]]
    own, english = (FOLDER / name / f"told{one}.json" for one in (f".{language}", ""))
    found = json.loads((own if own.is_file() else english).read_text("utf-8"))
    return found


def _told(html: str, lesson: Chapter, step: Step, when: str) -> str:
    """HTML with the numbers of the picture as the step opens, "at", or "after" its question."""
    values = _numbers(lesson.id, lesson.voice.language).get(step.id, {}).get(when, {})

    def tell(found: re.Match[str]) -> str:
        written = values.get(found[1], "…")
        return escape(written) if found[2] is None else form_of(written, found[2], lesson.voice)

    return TOLD.sub(tell, html)


def names_told(text: str) -> set[str]:
    """Names of the numbers that the picture tells in a text."""
    return {found[1] for found in TOLD.finditer(text)}


def form_of(written: str, forms: str, voice: Voice) -> str:
    """The form of a word that a number asks for, as `counting` of `words.js` chooses it.

    Args:
        written: The number as the language writes it.
        forms: "word|words", one for each of the language's categories.
        voice: The language.
    """
    rule = Locale.parse(voice.counted, sep="-").plural_form
    thousands, decimal = voice.separators
    plain = written.replace(thousands, "").replace(decimal, ".").replace("−", "-")
    own = [one for one in CATEGORIES if one in rule.tags or one == "other"]
    try:
        category = rule(Decimal(plain))
    except InvalidOperation:
        category = "other"
    every = forms.split("|")
    return every[min(own.index(category), len(every) - 1)]


def step_words(lesson: Chapter, step: Step, heading: str) -> str:
    """The words of a step as they are read without scripts."""
    parts = [f"<{heading}>{escape(step.title)}</{heading}>", _html(step.text)]
    if step.guess:
        options = "".join(f"<li>{_inline(option)}</li>" for option in step.guess.options)
        parts.append(f'<div class="ask">{_html(step.guess.question)}</div>')
        parts.append(f"<ul>{options}</ul>" if options else "")
        reveal = _told(_html(step.guess.reveal), lesson, step, "after")
        parts.append(f'<div class="reveal">{reveal}</div>')
    if step.task:
        parts.append(f'<div class="task">{_html(step.task)}</div>')
    if step.reached and not TOLD.search(step.reached):
        parts.append(f'<div class="said">{_html(step.reached)}</div>')
    return _told("".join(parts), lesson, step, "at")


def description(lesson: Chapter, step: Step) -> str:
    """The first sentences of a step as plain text."""
    text = unescape(re.sub(r"<[^>]+>", "", _told(_html(step.text), lesson, step, "at")))
    words = " ".join(text.split())
    cut = re.match(r".{60,180}?(?:[.?!](?= |$)|[。？！])", words)
    return cut[0] if cut else words[:200]


def compiled(lesson: Chapter, *, alone: bool = False) -> dict[str, Any]:
    """A chapter as the browser draws it: `Chapter` of `types.d.ts`."""
    steps = [_step(lesson, step, alone=alone) for step in lesson.steps]
    used = set(re.findall(r'data-term="(\w+)"', "".join(map(str, steps))))
    return {
        "id": lesson.id,
        "title": lesson.title,
        "language": lesson.voice.counted,
        "separators": list(lesson.voice.separators),
        "steps": steps,
        "labels": dict(lesson.labels),
        "words": {name: _template(lesson, words) for name, words in WORDS.items()}
        | {"count": _count(lesson)},
        "terms": {
            name: {"term": term.term, "text": _inline(term.text)}
            for name, term in glossary(lesson.voice).items()
            if name in used
        },
        "ways": _ways(lesson, alone=alone),
    }


def _count(lesson: Chapter) -> str:
    """The line above a title, with the sign of the chapter's way."""
    if not lesson.way:
        return _template(lesson, WORDS["count"])
    sign, name = WAYS[lesson.way][0], lesson.voice.told(WAYS[lesson.way][1])
    shown = f'<b class="way" role="img" aria-label="{name}" title="{name}">{sign}</b>'
    return f"{shown} {_template(lesson, WORDS['count'])}"


def _template(lesson: Chapter, words: Sentence) -> str:
    """A text as the browser fills it."""
    return _inline(lesson.voice.told(Sentence(words.template, {})))


def _step(lesson: Chapter, step: Step, *, alone: bool) -> dict[str, Any]:
    guess = step.guess and {
        "question": _html(step.guess.question),
        "options": [_inline(option) for option in step.guess.options],
        "right": step.guess.right,
        "reveal": _html(step.guess.reveal),
        "wrong": [_inline(why) for why in step.guess.wrong],
    }
    told = {
        "id": step.id,
        "title": step.title,
        "text": _html(step.text),
        "guess": guess,
        "task": _html(step.task),
        "reached": _html(step.reached),
        "explore": _screen(lesson, step),
    }
    if alone:  # a link to a screen of the app, which is not here
        told |= {name: SCREEN.sub(r"\2", str(told[name])) for name in ("text", "task", "reached")}
    return told


def _screen(lesson: Chapter, step: Step) -> str:
    """Address of the screen that shows the same, from the root of the site; "" for none.

    It says which step leads there, to which the screen leads back.
    """
    screen = step.screen or lesson.screen
    asked = {key: _written(value) for key, value in step.settings.items()}
    asked[STORY] = f"{lesson.id}/{step.id}"
    return f"{screen}?{urlencode(asked, doseq=True, safe='/')}" if screen else ""


def _written(value: Any) -> Any:
    """A setting as the address of a screen has it."""
    if isinstance(value, bool):
        return str(value).lower()
    return f"{value:.15g}" if isinstance(value, float) else value


def _ways(lesson: Chapter, *, alone: bool) -> dict[str, Any]:
    """Where one goes from a chapter."""
    told = lesson.voice.told
    earlier = before(lesson.id)
    later = after(lesson.id)
    ways = {
        "before": earlier and _way(lesson, chapter(earlier), chapter(earlier).steps[-1].id),
        "after": _way(lesson, chapter(later))
        if later
        else {"title": told(QUESTIONS), "href": "course/questions/"},
        "contents": {"title": told(CONTENTS), "href": "course/"},
        "homework": None,
        "add": None,
        "explore": None,
    }
    if not alone:
        ways["homework"] = {"title": told(HOMEWORK), "href": f"homework?on={lesson.id}"}
        ways["add"] = {"title": told(ADD), "href": "playlist"}
        if lesson.screen:
            ways["explore"] = {"title": told(WORDS["explore"]), "href": lesson.screen}
    return ways


def _way(lesson: Chapter, to: Chapter, step: str = "") -> dict[str, str]:
    """The way from one chapter to another, in the language of the first."""
    title = lesson.voice.told(CHAPTERS[to.id].label)
    return {"title": title, "href": _href(to, step)}


def _href(lesson: Chapter, step: str = "") -> str:
    """An address as scripts take it: from the root of the site, which is the base of the page."""
    return lesson.path(step).lstrip("/")


def _html(text: str) -> str:
    """Markdown as HTML; links to marks of the picture and to terms act as buttons."""
    return MARK.sub(_button, MARKDOWN.render(text))


def _inline(text: str) -> str:
    return MARK.sub(_button, MARKDOWN.renderInline(text))


def _button(found: re.Match[str]) -> str:
    kind, name, words = found.groups()
    css = "mark" if kind == "mark" else "termed"
    return f'<span role="button" tabindex="0" class="{css}" data-{kind}="{name}">{words}</span>'
