"""The walk of a screen: one idea after the other beside the picture, which follows each of them.

A walk is in the screen's lesson. `step` in the address is the step that the reader is at, from 1;
0 is the free screen with all its controls. An address without it is the walk's beginning, unless
it sets a control: then somebody shows something, and the screen is free.
"""

from functools import partial

import streamlit as st

from ui.controls import address
from ui.controls.claims import claimed
from ui.screen import course, homework
from ui.screen.glossary import linked
from ui.screen.lesson import Lesson, Outline, WalkStep
from ui.words import _

STEP = "step"
LEFT_AT = "_walk"  # the step from which the reader went to the free screen


def where(lesson: Lesson) -> int:
    """The step that the reader is at, from 1; 0 on the free screen or one without a walk."""
    count, state = len(lesson.walk), st.session_state
    if not count:
        return 0
    is_new = not address.is_known(STEP)
    start = 1 if address.says_nothing(besides=STEP) else 0
    read = partial(_number, lesson)
    claimed(STEP, _("Step"), start, read, range(count + 1).__contains__, f"0 … {count}")
    # A browser that was here before brings what its controls say, and its address says the rest.
    at = state.setdefault(STEP, address.from_browser(STEP, read, start))
    address.note(STEP, at, at)
    if is_new and at and not lesson.picture:
        address.ask_for(lesson.walk[at - 1].settings)
    return at


def at(lesson: Lesson) -> int:
    """The step that is drawn; 0 on the free screen or one without a walk."""
    return st.session_state[STEP] if lesson.walk else 0


def note(lesson: Lesson) -> None:
    """Write the step into the address, once all controls of the screen are drawn."""
    if lesson.walk:
        step = at(lesson)
        address.note(STEP, step, None if step or address.says_nothing(besides=STEP) else 0)


def panel(lesson: Lesson, at: int) -> None:
    """Draw a step: where one is, its words, its question, and the ways on."""
    step, count = lesson.walk[at - 1], len(lesson.walk)
    with st.container(key="walk"):
        st.caption(_("Step {step} of {count}", step=at, count=count))
        st.header(step.title, anchor=False)
        st.markdown(linked(step.text))
        if step.ask:
            with st.expander(_("Before you go on: {question}", question=step.ask)):
                st.markdown(linked(step.answer))
        with st.container(horizontal=True, key="walk_ways"):
            st.button(
                _("← Back"), key="walk_back", on_click=go, args=(lesson, at - 1), disabled=at == 1
            )
            if at < count:
                st.button(
                    _("Next →"), key="walk_next", type="primary", on_click=go, args=(lesson, at + 1)
                )
            elif (following := course.after(lesson.screen)) is not None:
                title = course.chapter(following).title
                course.link(following, _("Next: {title} →", title=title))
            else:
                course.link_to_page("questions", _("Next: ten questions →"))
        if at == count:
            homework.link(lesson.screen, _("Five questions on this"))
        st.button(
            _("All controls"),
            key="walk_free",
            type="tertiary",
            on_click=leave,
            args=(at,),
            help=_("The same picture with everything that can be set."),
        )
        chapters(lesson.screen)
        _follow(key="walk_follow", data=_seen(lesson, at))


def line(lesson: Lesson, at: int, *, with_text: bool) -> None:
    """A step in one line, for a picture that is shown alone; its words below it if asked for."""
    step, count = lesson.walk[at - 1], len(lesson.walk)
    with st.container(key="walk"):
        with st.container(key="walk_ways", horizontal=True, vertical_alignment="center"):
            st.title(step.title, anchor=False, width="stretch")
            earlier, later = course.before(lesson.screen), course.after(lesson.screen)
            if at == 1 and earlier is not None:
                with st.container(key="walk_back", width="content"):
                    course.link(earlier, "←", len(course.chapter(earlier).walk))
            else:
                way("walk_back", "←", _("Back"), lesson, at - 1)
            st.caption(_("Step {step} of {count}", step=at, count=count), width="content")
            if at == count and later is not None:
                with st.container(key="walk_next", width="content"):
                    course.link(later, "→")
            else:
                way("walk_next", "→", _("Next"), lesson, at + 1)
            if not with_text:  # for keys alone
                way("walk_first", "⇤", _("First step"), lesson, 1)
                way("walk_last", "⇥", _("Last step"), lesson, count)
        if with_text:
            st.markdown(linked(step.text))
        else:
            _asked(lesson, step)
        _follow(key="walk_follow", data=_seen(lesson, at))


def _asked(lesson: Lesson, step: WalkStep) -> None:
    """The question of a step, else of its screen, and the answer, which two keys show."""
    question, options, answer = step.ask, "", step.answer
    if not question and (predict := lesson.predict):
        question, answer = predict.question, f"**{predict.answer}.** {predict.reveal}"
        options = "\n".join(f"- {option}" for option in predict.options)
    if question:
        with st.container(key="alone_ask"):
            st.markdown(f"{linked(question)}\n\n{options}")
            with st.container(key="alone_answer"):
                st.markdown(linked(answer))


def table(step: WalkStep) -> str:
    """The table in the words of a step that speaks of no picture; "" without one."""
    lines = [line for line in step.text.splitlines() if line.startswith("|")]
    return "" if step.outline else linked("\n".join(lines))


def way(key: str, sign: str, name: str, lesson: Lesson, to: int) -> None:
    """A button that opens a step, if there is one."""
    there = 1 <= to <= len(lesson.walk)
    st.button(sign, key=key, help=name, on_click=go, args=(lesson, to), disabled=not there)


def chapters(screen: str) -> None:
    """Links to the contents and to the chapters before and behind this one."""
    earlier, later = course.before(screen), course.after(screen)
    with st.container(horizontal=True, key="walk_chapters"):
        if earlier is not None:
            course.link(earlier, _("← {title}", title=course.chapter(earlier).title))
        course.link_to_page("contents", _("Contents"))
        if later is not None:
            course.link(later, _("{title} →", title=course.chapter(later).title))


def way_back(lesson: Lesson) -> None:
    """On the free screen: one press to the step that was left, or to the first."""
    at = st.session_state.get(LEFT_AT, 1)
    words = _("Walk: step {step} of {count}", step=at, count=len(lesson.walk))
    if lesson.picture:
        course.link(lesson.screen, words, at)
    elif lesson.walk:
        st.button(words, key="walk_return", on_click=go, args=(lesson, at))


def go(lesson: Lesson, at: int) -> None:
    """Open a step with its settings; for callbacks."""
    address.start_over(dict(lesson.walk[at - 1].settings) | {STEP: at})
    address.step()


def leave(at: int) -> None:
    """To the free screen, as the step has set it; for callbacks."""
    st.session_state[LEFT_AT] = at
    address.put(STEP, 0)
    address.step()


def _number(lesson: Lesson, raw: list[str]) -> int:
    """The step that an address names by its number or its id."""
    ids = [step.id for step in lesson.walk if step.id]
    return ids.index(raw[-1]) + 1 if raw[-1] in ids else int(raw[-1])


def _seen(lesson: Lesson, at: int) -> dict[str, object]:
    step, count = lesson.walk[at - 1], len(lesson.walk)
    outline = step.outline or Outline("")
    said = _("Step {step} of {count}: {title}", step=at, count=count, title=step.title)
    at_step = {"screen": lesson.screen, "at": at, "title": step.title, "said": said}
    return at_step | {"key": outline.key, "x": outline.x, "y": outline.y}


# Outlines the part that the step speaks of, and goes by arrow keys and presenters' remotes, which
# send the keys of pages.
_follow = st.components.v2.component(
    "posenc_walk",
    js="""
    const EDGE = 4;  // pixels between the part and its outline
    const KEPT = "posenc-course";
    const LOOKS = 10;  // what stands above the part may still grow
    const HEAD = 64;  // pixels of the app's header
    const ONE_COLUMN = "(max-width: 640px)";
    const KEYS = { ArrowRight: "next", PageDown: "next", ArrowLeft: "back", PageUp: "back" };
    const OTHERS = "input, textarea, select, [contenteditable], [role=slider], [role=radio], "
      + "[role=tab], [role=combobox], .posenc-chart *";

    function onKey(event) {
      const way = KEYS[event.key];
      const taken = event.defaultPrevented || event.ctrlKey || event.altKey || event.metaKey;
      if (!way || taken || event.target.closest?.(OTHERS)) return;
      const to = document.querySelector(`.st-key-walk_${way} button:not([disabled])`)
        ?? (way === "next" && document.querySelector(".st-key-walk_ways a"));
      if (!to) return;
      event.preventDefault();
      to.click();
    }

    // The rectangle of numbers on the axes, in pixels of the chart.
    function part(target, { x, y }) {
      const plot = target.querySelector(".js-plotly-plot");
      const { xaxis, yaxis } = plot?._fullLayout ?? {};
      if (!xaxis || !yaxis) return null;
      const ends = (axis, values) => {
        const at = values ? values.map((value) => axis.d2p(value)) : [0, axis._length];
        return [Math.min(...at), Math.max(...at)].map((p) =>
          axis._offset + Math.min(Math.max(p, 0), axis._length));
      };
      const [left, right] = ends(xaxis, x), [top, bottom] = ends(yaxis, y);
      const from = plot.getBoundingClientRect(), to = target.getBoundingClientRect();
      return { left: left + from.left - to.left, top: top + from.top - to.top,
               width: right - left, height: bottom - top };
    }

    function outlined(data) {
      const target = data.key && document.querySelector(`.st-key-${data.key}`);
      if (!target) return "";
      const here = `.st-key-${data.key}`;
      const line = "outline: 3px solid light-dark(#d55e00, #e69f00); border-radius: 6px;"
        + " scroll-margin: 5rem 0 1.5rem;";
      if (!data.x && !data.y) return `${here} { ${line} outline-offset: ${EDGE}px; }`;
      const box = part(target, data);
      if (!box) return "";
      const { left, top, width, height } = box;
      return `${here} { position: relative; } ${here}::after { content: ""; position: absolute;`
        + ` pointer-events: none; ${line} left: ${left - EDGE}px; top: ${top - EDGE}px;`
        + ` width: ${width + 2 * EDGE}px; height: ${height + 2 * EDGE}px; }`;
    }

    // What the step speaks of comes into view, once it is there.
    function lookAt(data, stepped) {
      const place = `.st-key-${data.key}`;
      const target = data.key && document.querySelector(place);
      if (!target) return !data.key;
      const isPicture = target.querySelector(".posenc-chart, .posenc-picture");
      if (isPicture && !target.querySelector("svg")) return false;
      const { top, bottom, height } = target.getBoundingClientRect();
      const words = document.querySelector(".st-key-walk")?.getBoundingClientRect();
      if (!words) return true;  // the reader went back to the free screen
      const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
      const behavior = still ? "instant" : "smooth";
      if (words.right > target.getBoundingClientRect().left) {  // they stand above it
        if (!stepped) return true;
        // The words from their beginning if both have room; else the picture, and what of them has.
        const ways = document.querySelector(".st-key-walk_ways").getBoundingClientRect();
        const down = Math.max(words.top - HEAD, Math.min(bottom + 2 * EDGE - ways.top, top - HEAD));
        if (Math.abs(down) > EDGE)
          document.querySelector("[data-testid=stMain]").scrollBy({ top: down, behavior });
        return true;
      }
      const block = height > innerHeight - 160 ? "start" : "nearest";
      if (top < 0 || bottom > innerHeight) target.scrollIntoView({ block, behavior });
      return true;
    }

    // In one column the picture that is outlined comes directly behind the words.
    function lift(key) {
      const words = document.querySelector(".st-key-walk")?.closest("[data-testid=stColumn]");
      const column = words?.nextElementSibling;
      const target = key && column?.querySelector(`.st-key-${key}`);
      for (const block of document.querySelectorAll("[data-lifted]"))
        if (!target || !block.contains(target)) {
          block.style.order = "";
          delete block.dataset.lifted;
        }
      if (!target) return;
      for (let block = target; block !== column; block = block.parentElement)
        if (["stVerticalBlock", "stHorizontalBlock"].includes(block.parentElement.dataset.testid)) {
          block.style.order = -1;
          block.dataset.lifted = "";
        }
    }

    // For the contents of the course: what this browser has seen, and where it was last.
    function note({ screen, at }) {
      try {
        const kept = JSON.parse(localStorage.getItem(KEPT) ?? "{}") ?? {};
        const seen = kept.screens?.[screen] ?? [];
        kept.screens = { ...kept.screens, [screen]: [...new Set([...seen, at])] };
        kept.last = { screen, at };
        localStorage.setItem(KEPT, JSON.stringify(kept));
      } catch { /* a browser that keeps nothing */ }
    }

    // A step that follows another is heard.
    function tell(said) {
      let heard = document.querySelector(".posenc-step");
      if (!heard) {
        heard = document.createElement("div");
        heard.className = "posenc-step";
        heard.setAttribute("role", "status");
        document.body.append(heard);
      } else if (heard.textContent !== said) heard.textContent = said;
    }

    export default function ({ data }) {
      note(data);
      tell(data.said);
      if (!window.posencWalk) document.addEventListener("keydown", onKey);
      const style = document.createElement("style");
      document.head.append(style);
      const draw = () => {
        // In one column the bar at the foot names the step, whose words may be out of sight.
        const named = `.st-key-walk_ways { --step: ${JSON.stringify(data.title)}; } `;
        const rules = named + outlined(data);
        if (style.textContent !== rules) style.textContent = rules;
      };
      draw();
      const walk = window.posencWalk ??= {}, here = `${data.screen} ${data.at}`;
      const stepped = !!walk.at?.startsWith(`${data.screen} `);  // and not opened
      if (walk.at !== here) Object.assign(walk, { at: here, looks: 0, stepped });
      const own = () => { walk.looks = LOOKS; };  // the reader moves the page
      addEventListener("wheel", own, { passive: true });
      addEventListener("touchmove", own, { passive: true });
      // The picture comes, is zoomed, changes its width. A step that was left ends by itself.
      const timer = setInterval(() => {
        if (walk.at !== here) { stop(); return; }
        draw();
        lift(matchMedia(ONE_COLUMN).matches ? data.key : "");
        if (walk.looks < LOOKS && lookAt(data, walk.stepped)) walk.looks += 1;
      }, 200);
      const stop = () => {
        clearInterval(timer);
        style.remove();
        removeEventListener("wheel", own);
        removeEventListener("touchmove", own);
      };
      return () => { stop(); lift(""); };
    }
    """,
    isolate_styles=False,
)
