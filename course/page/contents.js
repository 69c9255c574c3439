// The contents: what this browser has seen of each chapter, and the way on.

import { forget } from "./progress_store.js";
import { answers, goOn, seen } from "./progress.js";
import { told } from "./words.js";

/** @import { Course } from "./progress.js" */

/** @type {Course} */
const course = JSON.parse(document.querySelector("#progress-data")?.textContent ?? "");
const place = /** @type {HTMLElement} */ (document.querySelector("#progress"));

function write() {
  const { chapters, words } = course;
  for (const chapter of chapters) {
    const count = seen(chapter);
    const given = answers(chapter);
    const parts = count ? [told(words.seen, { seen: count, count: chapter.steps.length })] : [];
    if (given.answered) parts.push(told(words.answered, given));
    const said = /** @type {Element} */ (document.querySelector(`#${chapter.id} .seen`));
    said.textContent = parts.map((part) => ` · ${part}`).join("");
  }
  const done = chapters.reduce((sum, chapter) => sum + seen(chapter), 0);
  place.replaceChildren(...(done ? line(done) : []));
}

/** @param {number} done Steps. @returns {Element[]} */
function line(done) {
  const { chapters, words } = course;
  const all = chapters.reduce((sum, { steps }) => sum + steps.length, 0);
  const text = document.createElement("span");
  text.textContent = told(words.of, { seen: done, count: all });
  const bar = document.createElement("progress");
  Object.assign(bar, { max: all, value: done, ariaLabel: text.textContent });
  const button = document.createElement("button");
  Object.assign(button, { type: "button", textContent: words.forget });
  button.onclick = () => {
    forget();
    write();
  };
  const on = goOn(course, "");
  return [bar, text, ...(on ? [on] : []), button];
}

write();
