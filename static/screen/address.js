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
let path = location.pathname;
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

/** @param {string} query @param {"pushState" | "replaceState"} write @param {unknown} state */
function show(query, write, state) {
  const search = query && "?" + query;
  if (search !== location.search) {
    history[write](state, "", location.pathname + search + location.hash);
  }
}

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
  const isStep = step !== undefined && step !== data.step;
  step = data.step;
  const embed = location.search
    .slice(1)
    .split("&")
    .filter((parameter) => /^embed/i.test(parameter));
  show([data.query, ...embed].filter(Boolean).join("&"), isStep ? "pushState" : "replaceState", {});
}
