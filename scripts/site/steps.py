"""A page for each step of a walk whose pictures are those of its screen."""

from collections.abc import Callable, Sequence
from html import escape

from scripts.site.drawn import Drawn, Picture
from scripts.site.html import page_of, written
from ui.screen.lesson import Lesson, load


def body(
    lesson: Lesson, at: int, drawn: Drawn, links: str, figure: Callable[[Picture, bool], str]
) -> str:
    """HTML of a step.

    Args:
        lesson: Of the walk.
        at: Which step, from 1.
        drawn: What the app shows.
        links: To the steps around, as HTML.
        figure: HTML of a picture, given that and whether the step speaks of it.
    """
    step = lesson.walk[at - 1]
    ask = ""
    if step.ask:
        ask = f"<details><summary>Before you go on: {escape(step.ask)}</summary>"
        ask += f"{written(step.answer, '../')}</details>"
    readouts = "".join(
        f"<div><dt>{escape(label)}</dt><dd>{escape(value)}</dd></div>"
        for label, value in drawn.readouts
    )
    spoken = step.outline.key if step.outline else ""
    # What the step speaks of comes first: nobody has to look for it.
    pictures = sorted(drawn.pictures, key=lambda picture: picture.key != spoken)
    marked = spoken if len(pictures) > 1 else ""
    figures = "\n".join(figure(picture, picture.key == marked) for picture in pictures)
    tables = "".join(written(table, "../") for table in drawn.tables)
    is_drawn = any(picture.key == spoken for picture in pictures)
    shown = figures + tables if is_drawn else tables + figures
    return f"""\
<div class="step">
<div class="words">
<p class="where">{escape(lesson.title)}, step {at} of {len(lesson.walk)}</p>
<h1>{escape(step.title)}</h1>
{written(step.text, "../")}
{ask}
<nav class="ways">{links}</nav>
</div>
<div>
{shown}
{f'<dl class="readouts">{readouts}</dl>' if readouts else ""}
</div>
</div>"""


def ways(screens: Sequence[str], screen: str, at: int) -> str:
    """Links to the steps around a step, as HTML."""
    count = len(load(screen).walk)
    place = screens.index(screen)
    ways = []
    if at > 1:
        ways.append(_way("prev", page_of(screen, at - 1), "← Back"))
    elif place:
        before = load(screens[place - 1])
        ways.append(_way("prev", page_of(before.screen, len(before.walk)), f"← {before.title}"))
    if at < count:
        ways.append(_way("next", page_of(screen, at + 1), "Next →"))
    elif place + 1 < len(screens):
        later = load(screens[place + 1])
        ways.append(_way("next", page_of(later.screen, 1), f"Next: {later.title} →"))
    else:
        ways.append(_way("next", "questions.html", "Next: ten questions →"))
    return " ".join(ways)


def _way(rel: str, page: str, words: str) -> str:
    return f'<a rel="{rel}" href="../{page}">{escape(words)}</a>'
