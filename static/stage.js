// What a picture that is shown alone answers to: the keys of a presenter, in somebody's slides too.

import { left } from "./course/left.js";
import { app } from "./streamlit.js";

// Whatever was clicked or dragged, a key goes on with the lesson. What the reader has come to by Tab
// keeps its own keys, but for those of pages, which remotes send.
const PAGES = { PageDown: "next", PageUp: "back" };
const WAYS = {
  ...PAGES,
  ArrowRight: "next",
  ArrowLeft: "back",
  ArrowDown: "next",
  ArrowUp: "back",
  Home: "first",
  End: "last",
};
const SLIDES = { next: "next", back: "prev" }; // in reveal.js
const IN_SLIDES = ["ArrowRight", "ArrowLeft", "PageDown", "PageUp", " "];
const ASKED = ["q", "a"]; // a chapter answers these itself
const TYPED = "input:not([type=range], [type=radio]), textarea, [contenteditable]";
const MOVED = "input, select, [role=slider], [role=radio]"; // have arrows of their own
const PRESSED = "button, a, summary"; // and the space bar
const LARGER = 1.15,
  LARGEST = 2,
  SMALLEST = 0.6;

const room = { isDark: null, size: 1 }; // of this projector, from screen to screen
let byTab = false;

addEventListener("pointerdown", () => (byTab = false), true);
addEventListener("keydown", ({ key }) => (byTab ||= key === "Tab"), true);

function wayOf(event) {
  const { key, shiftKey } = event;
  const [target] = event.composedPath(); // also of the course, which has a tree of its own
  if (key in PAGES) return PAGES[key];
  const way = key === " " ? (shiftKey ? "back" : "next") : WAYS[key];
  if (!way || target.closest?.(TYPED)) return "";
  const isOwn = byTab && target.closest?.(key === " " ? `${MOVED}, ${PRESSED}` : MOVED);
  return isOwn ? "" : way;
}

const press = (name) =>
  document.querySelector(`.st-key-${name} :is(button:not([disabled]), a)`)?.click();

const { classList } = document.documentElement;

const blank = (isBlank) => classList.toggle("posenc-blank", isBlank);

// The question in the place of the picture, and then its answer too.
const ask = (isAsked, isAnswered) => {
  classList.toggle("posenc-ask", isAsked);
  classList.toggle("posenc-answer", isAsked && isAnswered);
};

function show() {
  const { style } = document.documentElement;
  classList.toggle("posenc-dark", room.isDark === true);
  classList.toggle("posenc-light", room.isDark === false);
  if (room.size === 1) style.removeProperty("--posenc-size");
  else style.setProperty("--posenc-size", room.size);
  dispatchEvent(new Event("posenc-look"));
}

// Light becomes dark and back, whatever the reader's system says.
function flip() {
  room.isDark = !getComputedStyle(app() ?? document.body).colorScheme.includes("dark");
  show();
}

function resize(times) {
  room.size = times ? Math.min(Math.max(room.size * times, SMALLEST), LARGEST) : 1;
  show();
}

const DOES = {
  escape: () => press("present_leave"),
  d: flip,
  f: () =>
    document.fullscreenElement
      ? document.exitFullscreen()
      : document.documentElement.requestFullscreen(),
  b: () => blank(!classList.contains("posenc-blank")),
  q: () => ask(!classList.contains("posenc-ask"), false),
  a: () => ask(true, !classList.contains("posenc-answer")),
  "+": () => resize(LARGER),
  "-": () => resize(1 / LARGER),
  0: () => resize(0),
};
Object.assign(DOES, { ".": DOES.b, "=": DOES["+"] }); // remotes send a point

function inPresenting(event) {
  const way = document.querySelector(".st-key-list_back") && wayOf(event);
  if (way) return () => (blank(false), ask(false), press(`list_${way}`));
  const isWritten = event.target.closest?.(byTab ? `${TYPED}, select` : TYPED);
  const key = event.key.toLowerCase();
  const isHere = !ASKED.includes(key) || document.querySelector(".st-key-alone_ask");
  return !isWritten && isHere && DOES[key];
}

// Whoever has clicked into a picture among slides still goes on with them. The page around gets
// reveal.js's own message; pages that do not know it ignore it.
function inSlides(event) {
  const method = IN_SLIDES.includes(event.key) && SLIDES[wayOf(event)];
  return method && (() => parent.postMessage(JSON.stringify({ method }), "*"));
}

export default function ({ data }) {
  const find = data.embedded ? inSlides : inPresenting;
  const onKey = (event) => {
    const does = !event.ctrlKey && !event.altKey && !event.metaKey && find(event);
    if (!does) return;
    event.preventDefault();
    event.stopImmediatePropagation(); // the picture's own keys, and a chapter's while a list is played
    does();
  };
  addEventListener("keydown", onKey, true);
  if (room.isDark !== null || room.size !== 1) show();
  return () => {
    removeEventListener("keydown", onKey, true);
    setTimeout(() => isStaged() || leave()); // between two screens it is nowhere for a moment
  };
}

// Whether static/stage.css is there.
const isStaged = () =>
  getComputedStyle(document.documentElement).getPropertyValue("--posenc-staged") !== "";

function leave() {
  Object.assign(room, { isDark: null, size: 1 });
  left.clear();
  blank(false);
  ask(false);
  show();
}
