"""The pages around the chapters: contents, glossary, ten questions."""

import json
from collections.abc import Sequence
from html import escape

from course.chapters import AFTER_ROPE
from course.page.chapter import MARKDOWN
from course.page.document import Page
from course.page.files import script
from course.page.menu import CHAPTERS
from course.page.sketches import sketch
from course.page.voice import Voice
from course.page.words import PLAIN, Chapter, chapters, glossary, quiz, voice_of
from exhibits.homework.result import shuffled
from posenc.words import Sentence, say, say_count

SHUFFLE = 5  # the order of the options: the right one must not always be the first
WORDS = {
    "start": say("Start the course →"),
    "on": say("Go on: {title}, step {step}"),
    "again": say("From the beginning"),
    "of": say("{seen} of {count} steps seen in this browser"),
    "seen": say("seen: {seen} of {count}"),
    "answered": say("{right} of {answered} guesses right"),
    "forget": say("Forget"),
}
"""Interface words of the browser side, by its names for them; it fills the places itself."""
RESULT = {
    "right": say("Right."),
    "wrong": say("No."),
    "some": say("{right} right of {answered} answered; there are {count} questions."),
    "all": say("{right} of {count} right."),
    "again": say("These chapters have what was missing:"),
}


def pages(voice: Voice = PLAIN, *, alone: bool = False) -> list[Page]:
    """The contents, the glossary and the ten questions.

    Args:
        voice: The language of their words.
        alone: Whether the pages stand without the app; ways to its screens are then left out.
    """
    return [
        _contents(voice, alone=alone),
        _glossary(voice_of("glossary", voice)),
        _questions(voice_of("quiz", voice)),
    ]


def progress(voice: Voice = PLAIN) -> dict[str, object]:
    """Chapters and words with which the browser says how far its reader has come."""
    return {
        "chapters": [
            {
                "id": lesson.id,
                "title": lesson.title,
                "steps": [step.id for step in lesson.steps],
                "right": {step.id: step.guess.right for step in lesson.steps if step.guess},
            }
            for lesson in chapters(voice)
        ],
        "words": _templates(WORDS, voice),
    }


def length(voice: Voice = PLAIN) -> Sentence:
    """How many steps the course has and how long it takes."""
    lessons = chapters(voice)
    return say(
        "{chapters} chapters in {steps} short steps, each with a picture that moves along. You "
        "need to know what attention is, and nothing else. Together they take about {minutes} "
        "minutes. Go on with the buttons, the arrow keys or a presenter's remote.",
        chapters=len(lessons),
        steps=sum(len(lesson.steps) for lesson in lessons),
        minutes=sum(lesson.minutes for lesson in lessons),
    )


def _contents(voice: Voice, *, alone: bool) -> Page:
    told = voice.told
    question = say(
        "How does a language model know where a word stands, and how can it read more than it was "
        "trained on?"
    )
    listed = [_entry(at, one, voice, alone=alone) for at, one in enumerate(chapters(voice), 1)]
    return Page(
        path="/course/",
        title=told(say("The course")),
        description=told(question),
        body=f"""\
<div class="text"><h1>{told(say("The course"))}</h1><p>{told(question)} {told(length(voice))}</p>
<div id="progress"></div>
<ol class="chapters">
{"".join(listed[:AFTER_ROPE])}</ol>
<h2>{told(say("After RoPE"))}</h2>
<ol class="chapters" start="{AFTER_ROPE + 1}">
{"".join(listed[AFTER_ROPE:])}</ol>
<p class="ways"><a href="/course/questions/">{told(say("Ten questions at the end →"))}</a>
<a href="/course/glossary/">{told(say("Terms, in two sentences each →"))}</a></p></div>
{_data("progress", progress(voice))}""",
        head=_module("course/page/contents.js"),
        language=voice.language,
    )


def _entry(number: int, lesson: Chapter, voice: Voice, *, alone: bool) -> str:
    steps = "".join(
        f'<li><a href="{lesson.path(step.id)}">{escape(step.title)}</a></li>'
        for step in lesson.steps
    )
    length = say(
        "{steps}, about {minutes}",
        steps=say_count("{count} step", "{count} steps", len(lesson.steps)),
        minutes=say_count("{count} minute", "{count} minutes", lesson.minutes),
    )
    homework = (
        "" if alone else f' · <a href="/homework?on={lesson.id}">{voice.told(say("Homework"))}</a>'
    )
    title = voice.told(CHAPTERS[lesson.id].label)
    own = "" if lesson.voice == voice else f' lang="{lesson.voice.language}"'
    return f"""\
<li id="{lesson.id}"><a class="sketch" href="{lesson.path()}" tabindex="-1" aria-hidden="true">\
{sketch(lesson.id)}</a><div><h2><a href="{lesson.path()}">{number}. {escape(title)}</a></h2>
<p{own}>{escape(lesson.question)}</p>
<details><summary>{voice.told(length)}<span class="seen"></span></summary>\
<ol{own}>{steps}</ol></details>\
<p class="more">{homework.removeprefix(" · ")}</p></div></li>
"""


def _glossary(voice: Voice) -> Page:
    terms = "".join(
        f'<dt id="{term.id}">{escape(term.term)}</dt><dd>{MARKDOWN.render(term.text)}</dd>'
        for term in glossary(voice).values()
    )
    title = voice.told(say("Glossary"))
    description = voice.told(
        say("Terms of the course in two sentences each, roughly in the order of the chapters.")
    )
    return Page(
        path="/course/glossary/",
        title=title,
        description=description,
        body=f'<div class="text"><h1>{title}</h1><p>{description}</p><dl>{terms}</dl></div>',
        language=voice.language,
    )


def _questions(voice: Voice) -> Page:
    asked = quiz(voice)
    body = "".join(_question(at, one, voice) for at, one in enumerate(asked, 1))
    titles = {name: voice.told(entry.label) for name, entry in CHAPTERS.items()}
    data = {
        "screens": [{"title": titles[one["screen"]], "id": one["screen"]} for one in asked],
        "words": _templates(RESULT, voice),
    }
    title = voice.told(say("Ten questions"))
    description = voice.told(
        say("Ten questions at the end of the course, each answer with its reason.")
    )
    return Page(
        path="/course/questions/",
        title=title,
        description=description,
        body=f'<div class="text quiz"><h1>{title}</h1><p>{description}</p>'
        f'<ol>{body}</ol><div class="result" role="status"></div></div>{_data("quiz", data)}',
        head=_module("course/page/quiz.js"),
        language=voice.language,
    )


def _question(number: int, one: dict[str, object], voice: Voice) -> str:
    """A question with its options in an order of its own; the reasons are under a fold."""
    options: Sequence[dict[str, str]] = [one["right"], *one["wrong"]]  # type: ignore[list-item, misc]
    order = shuffled(len(options), SHUFFLE, str(one["id"]))
    choices = "".join(
        f'<li><label><input type="radio" name="{one["id"]}" value="{"ABCD"[place]}"'
        f"{' data-right' if option == 0 else ''}> {escape(options[option]['text'])}</label>"
        f'<p class="why" hidden>{escape(options[option]["why"])}</p></li>'
        for place, option in enumerate(order)
    )
    yes, no, so = map(voice.told, (say("Yes"), say("No"), say("What is so")))
    told = "".join(
        f"<li><strong>{yes if at == 0 else no}: {escape(option['text'])}.</strong> "
        f"{escape(option['why'])}</li>"
        for at, option in enumerate(options)
    )
    return (
        f'<li id="{one["id"]}"><fieldset><legend>{escape(str(one["question"]))}</legend>'
        f"<ul>{choices}</ul></fieldset>"
        f"<noscript><details><summary>{so}</summary><ul>{told}</ul></details>"
        "</noscript></li>"
    )


def _templates(words: dict[str, Sentence], voice: Voice) -> dict[str, str]:
    """Texts as the browser fills them."""
    return {name: voice.told(Sentence(sentence.template, {})) for name, sentence in words.items()}


def _data(name: str, data: object) -> str:
    told = json.dumps(data, ensure_ascii=False).replace("<", "\\u003c")
    return f'<script type="application/json" id="{name}-data">{told}</script>'


def _module(name: str) -> str:
    return f'<script type="module" src="{script(name)}"></script>'
