// The keys of a presenter, for a picture that is shown alone: a projector's, and in somebody's slides.

// Whatever was clicked or dragged, a key goes on with the lesson. What the reader has come to by Tab
// keeps its own keys, but for those of pages, which remotes send.
/** @typedef {Record<string, string>} Ways */

/** @type {Ways} */
const PAGES = { PageDown: "next", PageUp: "back" };
/** @type {Ways} */
const WAYS = {
  ...PAGES,
  ArrowRight: "next",
  ArrowLeft: "back",
  ArrowDown: "next",
  ArrowUp: "back",
  Home: "first",
  End: "last",
};
/** @type {Ways} */
const SLIDES = { next: "next", back: "prev" }; // in reveal.js
const IN_SLIDES = ["ArrowRight", "ArrowLeft", "PageDown", "PageUp", " "];
const ASKED = ["q", "a"]; // a chapter answers these itself
const TYPED = "input:not([type=range], [type=radio]), textarea, [contenteditable]";
const MOVED = "input, select, [role=slider], [role=radio]"; // have arrows of their own
const PRESSED = "button, a, summary"; // and the space bar
const LOOK = ".look, .st-key-present_look button"; // says the key D
const LARGER = 1.15,
  LARGEST = 2,
  SMALLEST = 0.6;

const KEPT = "posenc-room";
const room = { size: 1, ...kept() }; // letters of this projector, from page to page
let byTab = false;

function kept() {
  try {
    return JSON.parse(sessionStorage.getItem(KEPT) ?? "{}");
  } catch {
    return {}; // a browser that keeps nothing
  }
}

addEventListener("pointerdown", () => (byTab = false), true);
addEventListener("keydown", ({ key }) => (byTab ||= key === "Tab"), true);

/** @param {KeyboardEvent} event */
function wayOf(event) {
  const { key, shiftKey } = event;
  const target = /** @type {Element} */ (event.composedPath()[0]); // also of a component, which has a tree of its own
  if (key in PAGES) return PAGES[key];
  const way = key === " " ? (shiftKey ? "back" : "next") : WAYS[key];
  if (!way || target.closest?.(TYPED)) return "";
  const isOwn = byTab && target.closest?.(key === " " ? `${MOVED}, ${PRESSED}` : MOVED);
  return isOwn ? "" : way;
}

const { classList } = document.documentElement;

const blank = (/** @type {boolean} */ isBlank) => classList.toggle("posenc-blank", isBlank);

// The question in the place of the picture, and then its answer too.
const ask = (/** @type {boolean} */ isAsked, isAnswered = false) => {
  classList.toggle("posenc-ask", isAsked);
  classList.toggle("posenc-answer", isAsked && isAnswered);
};

function show() {
  try {
    sessionStorage.setItem(KEPT, JSON.stringify(room));
  } catch {
    // a browser that keeps nothing
  }
  const { style } = document.documentElement;
  if (room.size === 1) style.removeProperty("--posenc-size");
  else style.setProperty("--posenc-size", String(room.size));
  dispatchEvent(new Event("posenc-look"));
}

/** @param {number} times */
function resize(times) {
  room.size = times ? Math.min(Math.max(room.size * times, SMALLEST), LARGEST) : 1;
  show();
}

/**
 * Whoever has clicked into a picture among slides still goes on with them. The page around gets
 * reveal.js's own message; pages that do not know it ignore it.
 * @param {KeyboardEvent} event
 */
function inSlides(event) {
  const method = IN_SLIDES.includes(event.key) && SLIDES[wayOf(event)];
  return method ? () => parent.postMessage(JSON.stringify({ method }), "*") : undefined;
}

/**
 * Answer to the keys, until what is returned is called.
 * @param {{ isEmbedded: boolean, isPlayed: () => unknown, isAsked: () => unknown,
 *   go: (way: string) => void, leave: () => void, look: () => Element }} page Whether it is in somebody's
 *   page, a list is played and it has a question of its own; what goes on in the list ("next", "back",
 *   "first", "last") and what leaves; whose colours it has.
 */
export function listen(page) {
  // As with the button of the header, which does it.
  const flip = () => dispatchEvent(new CustomEvent("posenc-flip", { detail: page.look() }));
  /** @type {Record<string, () => unknown>} */
  const does = {
    escape: page.leave,
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
  Object.assign(does, { ".": does.b, "=": does["+"] }); // remotes send a point

  /** @param {KeyboardEvent} event */
  function inPresenting(event) {
    const way = page.isPlayed() ? wayOf(event) : "";
    if (way) return () => (blank(false), ask(false), page.go(way));
    const target = /** @type {Element} */ (event.target);
    const isWritten = target.closest?.(byTab ? `${TYPED}, select` : TYPED);
    const key = event.key.toLowerCase();
    return isWritten || (ASKED.includes(key) && !page.isAsked()) ? undefined : does[key];
  }

  const find = page.isEmbedded ? inSlides : inPresenting;
  /** @param {KeyboardEvent} event */
  const onKey = (event) => {
    const isPlain = !event.ctrlKey && !event.altKey && !event.metaKey;
    const does = isPlain ? find(event) : undefined;
    if (!does) return;
    event.preventDefault();
    event.stopImmediatePropagation(); // the picture's own keys, and a chapter's while a list is played
    does();
  };
  /** @param {MouseEvent} event */
  const onClick = ({ target }) => /** @type {Element} */ (target).closest?.(LOOK) && flip();
  addEventListener("keydown", onKey, true);
  addEventListener("click", onClick);
  if (room.size !== 1) show();
  return () => {
    removeEventListener("keydown", onKey, true);
    removeEventListener("click", onClick);
  };
}

// As it was before anything was presented, but for the look.
export function reset() {
  room.size = 1;
  blank(false);
  ask(false);
  show();
}
