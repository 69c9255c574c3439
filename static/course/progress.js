// How far this browser has come in the course, on Home and in the contents; the server is told where to go on.

import { kept } from "./kept.js";
import { told } from "./words.js";

/** @typedef {{ screen: string, title: string, steps: number, right: Record<string, number> }} Chapter
 * `right`: by the id of a step, the option that is; -1 where the picture judges and 1 is right. */
/** @typedef {{ chapters: Chapter[], words: Record<string, string>, mode: "start" | "contents" }} Course */

const KEPT = "posenc-course";

/** Steps of a chapter that were seen. @param {Chapter} chapter */
export const seen = ({ screen, steps }) =>
  new Set((kept().screens?.[screen] ?? []).filter((at) => at >= 1 && at <= steps)).size;

/** Questions of a chapter that were answered, and how many of them rightly. @param {Chapter} chapter */
export function answers({ screen, right }) {
  const given = kept().answers?.[screen] ?? {};
  const asked = Object.keys(right).filter((step) => step in given);
  const isRight = (/** @type {string} */ step) =>
    given[step] === (right[step] < 0 ? 1 : right[step]);
  return { answered: asked.length, right: asked.filter(isRight).length };
}

/** The step that was read last; null where there is none such. @param {Chapter[]} chapters */
export function last(chapters) {
  const { screen, at } = kept().last ?? { screen: "", at: 0 };
  const chapter = chapters.find((one) => one.screen === screen);
  return chapter && at >= 1 && at <= chapter.steps ? { screen, at, title: chapter.title } : null;
}

/** @param {string} text @param {string} css @param {() => void} act */
function button(text, css, act) {
  const node = document.createElement("button");
  Object.assign(node, { type: "button", className: css, textContent: text, onclick: act });
  return node;
}

/**
 * @param {{ data: Course, parentElement: Element, setTriggerValue: (name: string, value: object) => void }} component
 */
export default function ({ data, parentElement, setTriggerValue }) {
  const { chapters, words, mode } = data;
  const open = (/** @type {string} */ screen, /** @type {number} */ at) =>
    setTriggerValue("on", { screen, at });
  const line = document.createElement("div");
  line.className = `posenc-progress ${mode}`;
  parentElement.querySelector(".posenc-progress")?.remove();
  const here = last(chapters);
  const start = () => open(chapters[0].screen, 1);
  const goOn = (/** @type {string} */ css) =>
    here
      ? [
          button(told(words.on, { title: here.title, step: here.at }), css, () =>
            open(here.screen, here.at),
          ),
        ]
      : [];
  if (mode === "start") {
    line.append(
      ...goOn("large"),
      button(here ? words.again : words.start, here ? "" : "large", start),
    );
    parentElement.append(line);
    return;
  }
  const marks = document.createElement("style");
  document.head.append(marks);
  const close = () => marks.remove();
  const done = chapters.reduce((sum, chapter) => sum + seen(chapter), 0);
  if (!done) return close;
  const bar = document.createElement("progress");
  const all = chapters.reduce((sum, { steps }) => sum + steps, 0);
  const said = told(words.of, { seen: done, count: all });
  Object.assign(bar, { max: all, value: done });
  bar.setAttribute("aria-label", said);
  const text = document.createElement("span");
  text.textContent = said;
  const forget = button(words.forget, "", () => {
    localStorage.removeItem(KEPT);
    line.remove();
    marks.textContent = "";
  });
  line.append(bar, text, ...goOn(""), forget);
  parentElement.append(line);
  marks.textContent = chapters.map((chapter) => mark(chapter, words)).join("\n");
  return close;
}

/** A rule that adds to a chapter's line what was seen of it. @param {Chapter} chapter @param {Record<string, string>} words */
function mark(chapter, words) {
  const count = seen(chapter);
  if (!count) return "";
  const given = answers(chapter);
  const parts = [told(words.seen, { seen: count, count: chapter.steps })];
  if (given.answered) parts.push(told(words.answered, given));
  const text = parts.map((part) => ` · ${part.replace(/["\\\n]/g, "")}`).join("");
  return (
    `.st-key-chapter_${chapter.screen} [data-testid=stCaptionContainer] p::after` +
    ` { content: "${text}"; font-weight: 600; }`
  );
}
