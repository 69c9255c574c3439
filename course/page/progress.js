// How far this browser has come in the course, on Home and in the contents.

import { kept } from "./progress_store.js";
import { told } from "./words.js";

/** @typedef {{ id: string, title: string, steps: string[], right: Record<string, number> }} Chapter
 * `right`: by the id of a step, the option that is; -1 where the picture judges and 1 is right. */
/** @typedef {{ chapters: Chapter[], words: Record<string, string> }} Course */

/** Steps of a chapter that were seen. @param {Chapter} chapter */
export const seen = ({ id, steps }) =>
  new Set((kept().screens?.[id] ?? []).filter((at) => at >= 1 && at <= steps.length)).size;

/** Questions of a chapter that were answered, and how many of them rightly. @param {Chapter} chapter */
export function answers({ id, right }) {
  const given = kept().answers?.[id] ?? {};
  const asked = Object.keys(right).filter((step) => step in given);
  const isRight = (/** @type {string} */ step) =>
    given[step] === (right[step] < 0 ? 1 : right[step]);
  return { answered: asked.length, right: asked.filter(isRight).length };
}

/** The step that was read last; null where there is none such. @param {Chapter[]} chapters */
export function last(chapters) {
  const { screen, at } = kept().last ?? { screen: "", at: 0 };
  const chapter = chapters.find(({ id }) => id === screen);
  if (!chapter || !(at >= 1 && at <= chapter.steps.length)) return null;
  return { at, title: chapter.title, href: `course/${chapter.id}/${chapter.steps[at - 1]}/` };
}

/** The way on from where this browser has been. @param {Course} course @param {string} css */
export function goOn({ chapters, words }, css) {
  const here = last(chapters);
  return here && link(told(words.on, { title: here.title, step: here.at }), here.href, css);
}

/** @param {string} text @param {string} href @param {string} css */
function link(text, href, css) {
  return Object.assign(document.createElement("a"), { textContent: text, href, className: css });
}

/** The part of Home: the way on, large. @param {{ data: Course, parentElement: Element }} component */
export default function ({ data, parentElement }) {
  const { chapters, words } = data;
  const line = document.createElement("div");
  line.className = "posenc-progress";
  const on = goOn(data, "large");
  const first = `course/${chapters[0].id}/`;
  line.append(...(on ? [on, link(words.again, first, "")] : [link(words.start, first, "large")]));
  parentElement.querySelector(".posenc-progress")?.remove();
  parentElement.append(line);
}
