// Writes the address of what is shown, and asks again where the server does not know it any more.
//
// A server that was started anew, or another one behind the same name, knows no part of the screen
// and ignores its moves: the page then asks for the whole screen with all that its controls say,
// and once more for what was moved while that was drawn. While the line is broken nothing can be
// asked, but Streamlit's page keeps the address that is shown then, and brings it to the new server.

import { main, watch } from "../streamlit.js";

/** @typedef {{ whole?: boolean, language: string, elsewhere: string[], query: string,
 *   step: number, link: number }} Shown */

let ask = () => {};
let isWatched = false;
// Of the page that was opened: the reader may be on the next one before this is here.
let path = new URL(performance.getEntriesByType("navigation")[0].name).pathname;
/** @type {number | undefined} */
let step;
/** @type {number | undefined} */
let link;

function watchLine() {
  isWatched = true;
  let wasConnected = false;
  let wasRunning = false;
  let isNew = false; // a line, until the first run that it has brought has ended
  let isFirst = true;
  watch(({ isConnected, isRunning }) => {
    const cameBack = !isFirst && isConnected && !wasConnected;
    const broke = wasConnected && !isConnected;
    const ended = isNew && wasRunning && !isRunning;
    isFirst = false;
    wasConnected = isConnected;
    wasRunning = isRunning;
    isNew = cameBack || (isNew && !ended);
    if (broke || cameBack || ended) ask();
  });
}

// What was moved there and back stands in the history as its step and is none: the next step takes
// its place, and Back passes over it.

/** The address of such a step, which is that of the one before. @type {string | undefined} */
let idle;

/** @param {string} query @param {boolean} isStep */
function show(query, isStep) {
  const search = query && "?" + query;
  if (search === location.search) return;
  const before = history.state?.before;
  const isNew = isStep && before !== location.search;
  const state = { before: isNew ? location.search : before };
  const address = location.pathname + search + location.hash;
  if (isNew) history.pushState(state, "", address);
  else history.replaceState(state, "", address);
  idle = state.before === search ? address : undefined;
}

addEventListener("popstate", () => {
  const was = idle;
  idle = undefined;
  if (was === location.pathname + location.search + location.hash) history.back();
});

/** @param {{ data: Shown, setStateValue: (name: string, value: unknown) => void }} component */
export default function ({ data, setStateValue }) {
  if (data.whole) ask = () => setStateValue("again", [location.search, Date.now()]);
  if (!isWatched) watchLine();
  // For voices that read the page; set again, it would have every style computed anew.
  const root = document.documentElement;
  if (root.lang !== data.language) root.lang = data.language;
  // The reader may be on another screen already.
  if (data.elsewhere.includes(location.pathname.split("/").pop() ?? "")) return;
  const isLink = link !== undefined && link !== data.link; // one to the screen on which it stood
  if (path !== location.pathname || isLink) main()?.scrollTo(0, 0);
  path = location.pathname;
  link = data.link;
  const isStep = step !== undefined && data.step > step;
  step = data.step;
  const embed = location.search
    .slice(1)
    .split("&")
    .filter((parameter) => /^embed/i.test(parameter));
  show([data.query, ...embed].filter(Boolean).join("&"), isStep);
}
