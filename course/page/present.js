// A step that is shown alone: the keys of a presenter, and the way through a playlist.

import { listen, reset } from "../../static/presenter.js";
import { told } from "./words.js";

/**
 * @param {string} mode "present" or "embed".
 * @param {HTMLElement} course
 * @param {Record<string, string>} words
 */
export function present(mode, course, words) {
  const { list, entries, at } = presented();
  const isPlayed = mode === "present" && entries.length > 0;
  /** @type {Record<string, number>} */
  const ways = { back: at - 1, next: at + 1, first: 1, last: entries.length };
  /** @param {string} way */
  const go = (way) => {
    if (entries[ways[way] - 1] && ways[way] !== at)
      location.assign(entryAddress(list, entries, ways[way]));
  };
  const foot = /** @type {HTMLElement} */ (course.querySelector(".foot"));
  if (isPlayed) {
    foot.insertAdjacentHTML(
      "afterbegin",
      `<div class="list"><button type="button" data-list="back" aria-label="${words.list_back}">←</button>
      <span>${told(words.list_at, { at, count: entries.length })}</span>
      <button type="button" data-list="next" aria-label="${words.list_next}">→</button></div>`,
    );
    for (const button of /** @type {NodeListOf<HTMLButtonElement>} */ (
      foot.querySelectorAll("[data-list]")
    )) {
      const way = button.dataset.list ?? "";
      button.disabled = !entries[ways[way] - 1];
      button.addEventListener("click", () => go(way));
    }
  }
  const leave = () => {
    reset(); // the next lesson begins as the system says
    const url = new URL(location.href);
    for (const name of ["present", "list", "item"]) url.searchParams.delete(name);
    location.assign(url);
  };
  if (mode === "present") {
    foot.insertAdjacentHTML(
      "beforeend",
      `<button type="button" class="look">${words.look}</button>
      <button type="button" class="leave">${words.leave}</button>`,
    );
    foot.lastElementChild?.addEventListener("click", leave);
  }
  listen({
    isEmbedded: mode === "embed",
    isPlayed: () => isPlayed,
    isAsked: () => false, // a chapter asks its questions itself
    go,
    leave,
    look: () => document.documentElement,
  });
}

/** The entries of the list that the address presents, and which is shown, from 1. */
function presented() {
  const query = new URLSearchParams(location.search);
  const list = query.get("list") ?? "";
  const entries = list.split(/\s+/).filter(Boolean);
  const item = Number(query.get("item") ?? 1);
  return {
    list,
    entries,
    at: Math.min(Math.max(Number.isInteger(item) ? item : 1, 1), entries.length),
  };
}

/** Address of an entry that is presented. @param {string} list @param {string[]} entries @param {number} at */
function entryAddress(list, entries, at) {
  const [path, query = ""] = entries[at - 1].split("?");
  const isStep = path.startsWith("course/") && !path.endsWith("/");
  const url = new URL(path === "home" ? "." : path + (isStep ? "/" : ""), document.baseURI);
  url.search = query;
  for (const [name, value] of Object.entries({ present: "1", list, item: String(at) }))
    url.searchParams.set(name, value);
  return url.href;
}
