// What this browser remembers of the course: the steps seen, the last one, and what was answered.

const KEPT = "posenc-course";

/** @typedef {{ screens?: Record<string, number[]>, last?: { screen: string, at: number },
 *              answers?: Record<string, Record<string, number>> }} Kept */

/** @returns {Kept} */
export function kept() {
  try {
    return JSON.parse(localStorage.getItem(KEPT) ?? "{}") ?? {};
  } catch {
    return {}; // a browser that keeps nothing
  }
}

/** @param {Kept} values */
function keep(values) {
  try {
    localStorage.setItem(KEPT, JSON.stringify({ ...kept(), ...values }));
  } catch {
    // a browser that keeps nothing
  }
}

/** Forget how far this browser has come. */
export function forget() {
  try {
    localStorage.removeItem(KEPT);
  } catch {
    // a browser that keeps nothing
  }
}

/** @param {string} screen @param {number} at From 1. */
export function noteStep(screen, at) {
  const { screens = {} } = kept();
  const seen = new Set([...(screens[screen] ?? []), at]);
  keep({ screens: { ...screens, [screen]: [...seen] }, last: { screen, at } });
}

/** @param {string} screen @param {string} step @param {number} answer */
export function noteAnswer(screen, step, answer) {
  const { answers = {} } = kept();
  keep({ answers: { ...answers, [screen]: { ...answers[screen], [step]: answer } } });
}

/** @param {string} screen @param {string} step @returns {number | null} */
export const answerOf = (screen, step) => kept().answers?.[screen]?.[step] ?? null;

/** The homework that this tab has answered, as a query: "answers=rope.1.A----". */
export function homework() {
  try {
    return sessionStorage.getItem("posenc-homework") ?? ""; // what static/screen/homework.js keeps
  } catch {
    return "";
  }
}

// ---------------------------------------------------------------- playlists

const LIST = "posenc-playlist"; // what static/screen/playlist.js keeps

/** Make an address the last entry of the reader's playlist. @param {string} entry @returns {number} Of entries. */
export function add(entry) {
  try {
    const lines = (localStorage.getItem(LIST) ?? "").split("\n").filter((line) => line.trim());
    localStorage.setItem(LIST, [...lines, entry].join("\n"));
    return lines.length + 1;
  } catch {
    return 0; // a browser that keeps nothing
  }
}

const LEFT = "posenc-left";

/** @typedef {{ at: number, state: import("./types").State, seen: any[] }} Left */

/**
 * How the steps of a playlist were left while it is presented, until the tab is closed.
 * Keep how the entry that the address names is left; without that, what was kept of it.
 * @param {Left} [now]
 * @returns {Left | null} Null where no list is presented, or its entry was not left yet.
 */
export function left(now) {
  const query = new URLSearchParams(location.search);
  const [list, item] = [query.get("list"), query.get("item")];
  if (!list || !item) return null;
  try {
    const kept = JSON.parse(sessionStorage.getItem(LEFT) ?? "{}");
    const entries = kept.list === list ? kept.entries : {};
    if (!now) return entries[item] ?? null;
    entries[item] = now;
    sessionStorage.setItem(LEFT, JSON.stringify({ list, entries }));
    return now;
  } catch {
    return null; // a browser that keeps nothing
  }
}
