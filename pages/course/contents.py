"""Every chapter with its question and how long it takes; how far the reader has come."""

from collections.abc import Mapping
from typing import Any

import streamlit as st

from ui.screen import course, homework
from ui.screen.bones import READING_WIDTH
from ui.screen.lesson import Lesson
from ui.words import _, plural


def show(_lesson: Lesson) -> None:
    """Draw the chapters, and the way on from where this browser has been."""
    chapters = course.chapters()
    steps = sum(len(lesson.walk) for lesson in chapters)
    with st.container(width=READING_WIDTH):
        st.markdown(
            _(
                "{chapters} chapters in {steps} short steps, each beside a picture that follows "
                "it. You need to know what attention is, and nothing else. All of it takes about "
                "{minutes} minutes, at {words} words a minute and half a minute for each picture. "
                "Go on with the buttons, the arrow keys or a presenter's remote.",
                chapters=len(chapters),
                steps=steps,
                minutes=sum(map(course.minutes, chapters)),
                words=course.WORDS_A_MINUTE,
            )
        )
        progress(chapters)
        for number, lesson in enumerate(chapters, 1):
            with st.container(key=f"chapter_{lesson.screen}", gap=None):
                title = _("{number}. {title}", number=number, title=lesson.title)
                course.link(lesson.screen, title)
                st.markdown(lesson.question)
                st.caption(
                    _(
                        "{steps}, about {minutes}",
                        steps=plural("{count} step", "{count} steps", len(lesson.walk)),
                        minutes=plural("{count} minute", "{count} minutes", course.minutes(lesson)),
                    )
                )
                homework.link(lesson.screen, _("Homework: {title}", title=lesson.title))
        course.link_to_page("questions", _("Ten questions at the end →"))
        course.link_to_page("glossary", _("Every term in two sentences →"))


def progress(chapters: list[Lesson]) -> None:
    """How many steps this browser has seen; the server knows nothing of it until it goes on."""
    lengths = {lesson.screen: len(lesson.walk) for lesson in chapters}
    asked = _progress(
        key="progress",
        data={
            "chapters": lengths,
            "titles": {lesson.screen: lesson.title for lesson in chapters},
            "of": _("{seen} of {count} steps seen in this browser"),
            "on": _("Go on: {title}, step {step}"),
            "forget": _("Forget"),
            "seen": _("seen: {seen} of {count}"),
        },
        on_on_change=_nothing,
    )
    if (place := wanted(asked, lengths)) is not None:
        name, step = place
        st.switch_page(course.script_of(name), query_params={"step": str(step)})


def wanted(asked: Any, lengths: Mapping[str, int]) -> tuple[str, int] | None:
    """The chapter and the step that a browser asks for; None where there are none such."""
    place = asked.get("on") if isinstance(asked, Mapping) else None
    if not isinstance(place, Mapping):
        return None
    name, step = place.get("screen"), place.get("at")
    if not isinstance(name, str) or name not in lengths or not isinstance(step, int):
        return None
    return (name, step) if 1 <= step <= lengths[name] else None


def _nothing() -> None: ...


# What a walk has noted in this browser: `screens`, chapter to steps seen, and `last`.
_progress = st.components.v2.component(
    "posenc_progress",
    js="""
    const KEPT = "posenc-course";

    export default function ({ data, parentElement, setTriggerValue }) {
      let kept = {};
      try { kept = JSON.parse(localStorage.getItem(KEPT) ?? "{}") ?? {}; } catch { /* none */ }
      const told = (words, values) =>
        words.replace(/\\{(\\w+)\\}/g, (_, name) => values[name]);
      const seen = (name) => {
        const steps = Array.isArray(kept.screens?.[name]) ? kept.screens[name] : [];
        const count = data.chapters[name];
        return new Set(steps.filter((at) => at >= 1 && at <= count)).size;
      };
      const names = Object.keys(data.chapters);
      const all = names.reduce((sum, name) => sum + data.chapters[name], 0);
      const done = names.reduce((sum, name) => sum + seen(name), 0);
      const leave = () => parentElement.querySelector(".posenc-progress")?.remove();
      leave();
      const marks = document.createElement("style");
      document.head.append(marks);
      if (done) {
        const line = document.createElement("div");
        line.className = "posenc-progress";
        const bar = document.createElement("progress");
        const words = told(data.of, { seen: done, count: all });
        Object.assign(bar, { max: all, value: done });
        bar.setAttribute("aria-label", words);
        const said = document.createElement("span");
        said.textContent = words;
        line.append(bar, said);
        const { screen, at } = kept.last ?? {};
        if (screen in data.chapters && at >= 1 && at <= data.chapters[screen]) {
          const on = document.createElement("button");
          on.textContent = told(data.on, { title: data.titles[screen], step: at });
          on.onclick = () => setTriggerValue("on", { screen, at });
          line.append(on);
        }
        const forget = document.createElement("button");
        forget.textContent = data.forget;
        forget.onclick = () => {
          localStorage.removeItem(KEPT);
          leave();
          marks.textContent = "";
        };
        line.append(forget);
        parentElement.append(line);
        marks.textContent = names.filter(seen).map((name) => {
          const words = told(data.seen, { seen: seen(name), count: data.chapters[name] });
          return `.st-key-chapter_${name} [data-testid=stCaptionContainer] p::after`
            + ` { content: " · ${words.replace(/["\\\\\\n]/g, "")}"; font-weight: 600; }`;
        }).join("\\n");
      }
      return () => marks.remove();
    }
    """,
    css="""
    .posenc-progress { display: flex; flex-wrap: wrap; gap: 0.75rem; align-items: center;
      font-family: var(--st-font); color: var(--st-text-color); padding: 0.25rem 0 0.75rem; }
    .posenc-progress progress { width: 12rem; accent-color: var(--st-primary-color); }
    .posenc-progress button { font: inherit; color: inherit; background: none; cursor: pointer;
      border: 1px solid color-mix(in srgb, currentColor 40%, transparent);
      border-radius: 0.5rem; padding: 0.25rem 0.75rem; }
    """,
    isolate_styles=False,
)
