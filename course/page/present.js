// A step that is shown alone: the keys of a presenter, and the way through a playlist.

import { listen, reset } from "../../static/presenter.js";
import { told } from "./words.js";

/**
 * @param {string} mode "present" or "embed".
 * @param {HTMLElement} course
 * @param {import("./types").Chapter} chapter
 */
export function present(mode, course, chapter) {
  const { words } = chapter;
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
  const isStep = /^course\/[^/]+\/[^/]/.test(entries[at - 1] ?? "");
  if (isPlayed) {
    const place = `<span>${told(words.list_at, { at, count: entries.length })}</span>`;
    /** @param {string} way @param {string} label @param {string} text */
    const button = (way, label, text) =>
      `<button type="button" class="${isStep ? way : ""}" data-list="${way}" aria-label="${label}">${text}</button>`;
    const [back, next] = [
      button("back", words.list_back, isStep ? words.back : "←"),
      button("next", words.list_next, isStep ? words.next : "→"),
    ];
    // The chapter's own ways lead out of an entry that is a step; one that is all of it they go through.
    chapter.ways = { ...chapter.ways, before: null, after: null };
    foot.classList.toggle("of-list", isStep);
    foot.insertAdjacentHTML(
      "afterbegin",
      `<div class="list">${back} ${place} ${isStep ? "" : next}</div>`,
    );
    if (isStep) foot.insertAdjacentHTML("beforeend", next);
    for (const button of /** @type {NodeListOf<HTMLButtonElement>} */ (
      foot.querySelectorAll("[data-list]")
    )) {
      const way = button.dataset.list ?? "";
      button.disabled = !entries[ways[way] - 1];
      button.addEventListener("click", () => go(way));
    }
  }
  const leave = () => {
    reset();
    const url = new URL(location.href);
    for (const name of isPlayed ? ["present", "item"] : ["present", "list", "item"])
      url.searchParams.delete(name);
    if (isPlayed) url.pathname = new URL("playlist", document.baseURI).pathname;
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
