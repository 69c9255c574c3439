"""Pages around the walks: contents, glossary, ten questions."""

from collections.abc import Sequence
from html import escape

from markdown_it import MarkdownIt

from scripts.site.html import SORRY, page_of, shown
from ui.course.glossary import glossary
from ui.screen import course
from ui.screen.lesson import Lesson, load

MARKDOWN = MarkdownIt()


def contents(screens: Sequence[str]) -> str:
    """HTML of the first page.

    Args:
        screens: Ids of the walks, in the order of the course.
    """
    sections = []
    for number, lesson in enumerate(map(load, screens), 1):
        steps = "".join(
            f'<li><a href="{page_of(lesson.screen, at)}">{escape(step.title)}</a></li>'
            for at, step in enumerate(lesson.walk, 1)
        )
        sections.append(
            f"<section>{_picture(lesson)}<h2>{number}. {escape(lesson.title)}</h2>"
            f"<p>{escape(lesson.question)} "
            f"About {course.minutes(lesson)} minutes.</p><ol>{steps}</ol></section>"
        )
    first = page_of(screens[0], 1)
    return f"""\
<h1>Positional encodings</h1>
<p>Attention does not know in which order its words stand; a positional encoding tells it. Each
chapter walks through one idea, a picture at a time. Arrow keys go on and back.</p>
<p class="sorry">{SORRY}</p>
<nav class="ways"><a rel="next" href="{first}">Begin →</a>
<a href="glossary.html">Glossary</a> <a href="questions.html">Ten questions</a></nav>
<div class="contents">
{"".join(sections)}
</div>"""


def _picture(lesson: Lesson) -> str:
    """A chapter's small picture, which opens it."""
    if not (name := shown(lesson.screen)):
        return ""
    href = page_of(lesson.screen, 1)
    return f'<a href="{href}"><img src="{name}" alt="{escape(lesson.title)}" loading="lazy"></a>'


def all_terms() -> str:
    terms = "".join(
        f'<dt id="{escape(term.id)}"><strong>{escape(term.term)}</strong></dt>'
        f"<dd>{MARKDOWN.render(term.text)}</dd>"
        for term in glossary().values()
    )
    return f"<h1>Glossary</h1><dl>{terms}</dl>"


def questions() -> str:
    asked = []
    for one in load(course.PAGE).more["quiz"]:
        options = sorted([one["right"], *one["wrong"]], key=lambda option: option["text"])
        told = "".join(
            f"<li><strong>{'Yes' if option == one['right'] else 'No'}: "
            f"{escape(option['text'])}.</strong> {escape(option['why'])}</li>"
            for option in options
        )
        choices = "".join(f"<li>{escape(option['text'])}</li>" for option in options)
        asked.append(
            f"<li><p>{escape(one['question'])}</p><ul>{choices}</ul>"
            f"<details><summary>What is so</summary><ul>{told}</ul></details></li>"
        )
    return f"<h1>Ten questions</h1><ol>{''.join(asked)}</ol>"
