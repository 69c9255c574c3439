// A chapter of the course: the words of a step, one picture, and the way on. It asks nobody.

import { byHand } from "./by_hand.js";
import { add, homework, left } from "./progress_store.js";
import { render } from "./lit/lit.js";
import { reading } from "./reading.js";
import { backdrop, drawing } from "./stage.js";
import { motion } from "./state.js";
import { counting, filler, proseOf, told, writer } from "./words.js";

/** @import { Chapter, Picture, Stage, Step } from "./types" */
/** @import { Reading } from "./reading.js" */
/** @typedef {ReturnType<typeof frame>} Page */

const RESTS = 400; // ms without a change until what is shown is said aloud
const PHONE = 560; // pixels of a picture that is drawn for a phone
const PAGE = { width: 1280, height: 720 }; // pixels of a window that shows a page as it is
const PRESENTED = { width: 1160, height: 664 }; // those of a page that fills a projector's window
const NEXT = ["ArrowRight", "PageDown"];
const BACK = ["ArrowLeft", "PageUp"];
const TYPED = "input, textarea, select, [contenteditable]";
const OTHERS = `${TYPED}, [role=slider], summary`; // have arrows of their own

/**
 * Take over a page that has the words of a step: the picture, and all other steps.
 * @param {HTMLElement} course Its elements, as `course/page/chapter.py` writes them.
 * @param {Chapter} chapter
 * @param {Picture} picture
 * @param {string} mode How much is shown: "", "present" or "embed".
 */
export function open(course, chapter, picture, mode = "") {
  const { steps, words, labels } = chapter;
  const page = frame(course, words);
  const { prose, figure, back, next, live } = page;
  const here = reading(chapter, picture);
  const { state, seen } = here;
  let isDirty = true;
  let isDragged = false;
  let isUnsaid = false; // what a task that was reached has come to
  let resting = 0;
  /** @type {Set<string>} */
  let lit = new Set();
  const address = addressOf(chapter);
  const foot = footOf(page, chapter, mode, address.pathOf);
  const size = sizeOf(course, mode, redraw);
  const pointed = pointedIn(prose, redraw);
  const number = writer(chapter.separators);
  const fill = filler(chapter);
  const form = counting(chapter);

  function redraw() {
    isDirty = true;
  }
  function changed() {
    redraw();
    clearTimeout(resting);
    resting = setTimeout(rest, RESTS);
  }

  // ---------------------------------------------------------------- the picture

  const way = motion(state, changed);
  const drawn = drawing(page.svg, {
    isGuessing: here.isGuessing,
    dragged: (is) => {
      isDragged = is;
      changed();
    },
    arrive: () => {
      way.advance(Infinity);
      paint();
    },
  });
  /** @param {string} name */
  const numberOf = (name) => picture.told[name](state, stage);
  /** @type {Stage} */
  const stage = {
    ...drawn,
    ...backdrop(figure, () => Math.min(devicePixelRatio * size(), 2)),
    svg: page.svg,
    state,
    seen,
    number,
    step: () => here.step().id,
    isGuessing: here.isGuessing,
    set: way.set,
    move: (values, ms) => way.move(values, ms),
    say: (name, values = {}) => fill(labels[name], (one) => values[one] ?? numberOf(one)),
  };
  const draw = picture.build(stage);

  function paint() {
    isDirty = false;
    const rect = figure.getBoundingClientRect();
    if (!rect.width || !rect.height) return;
    const [width, height] = [rect.width / size(), rect.height / size()];
    drawn.put(page.svg, { viewBox: `0 0 ${width} ${height}` }); // written again, all of it is laid out again
    render(draw(state, { width, height, isPhone: width < PHONE }), page.svg);
    drawn.put(figure, { "aria-busy": String(way.isMoving()) });
    drawn.light(pointed(), lit);
    tell();
    settle();
  }

  /** @param {number} now */
  function onFrame(now) {
    requestAnimationFrame(onFrame);
    way.advance(now);
    if (isDirty) paint();
  }

  // ---------------------------------------------------------------- words

  function write() {
    const { also = [], byHand: hasNumbers = true } = here.ofPicture();
    const numbers = `<button type="button" class="termed" data-by-hand>${words.by_hand}</button>`;
    prose.innerHTML = proseOf(chapter, here, picture.byHand && hasNumbers ? numbers : "");
    prose.querySelector(".count")?.append(page.present, page.more);
    const marks = /** @type {NodeListOf<HTMLElement>} */ (prose.querySelectorAll("[data-mark]"));
    lit = new Set([...also, ...Array.from(marks, ({ dataset }) => dataset.mark ?? "")]);
    foot(here);
    prose.scrollTop = 0;
    redraw(); // other words light other marks
    tell();
  }

  // Numbers in the words follow the picture in the same frame; what is said of a task that was
  // reached keeps those with which it was last true, unless it is true of whatever is shown.
  function tell() {
    const told = here.isTrue() ? "[data-told]" : "[data-told]:not(.reached *)";
    for (const place of prose.querySelectorAll(told)) {
      const { told: name = "", forms } = /** @type {HTMLElement} */ (place).dataset;
      const text = forms === undefined ? numberOf(name) : form(numberOf(name), forms);
      if (place.textContent !== text) place.textContent = text;
    }
    if (page.explore && picture.explored)
      drawn.put(page.explore, { href: explored(here.step().explore, picture.explored(state)) });
  }

  /** Say aloud what a hand has come to. */
  function rest() {
    if (isDragged) return;
    if (way.isMoving()) {
      resting = setTimeout(rest, RESTS);
      return;
    }
    const reached = (isUnsaid && prose.querySelector(".reached")?.textContent) || "";
    live.textContent = `${stage.say(picture.spoken(state))} ${reached}`.trim();
    isUnsaid = false;
  }

  // ---------------------------------------------------------------- steps, answers, tasks

  /**
   * @param {number} to
   * @param {{ isNew?: boolean, isFirst?: boolean }} how Whether the address gets an entry of its own.
   */
  function openStep(to, { isNew = true, isFirst = false } = {}) {
    const target = here.begin(to);
    if (!target) return;
    isUnsaid = false;
    prose.classList.remove("has-reached");
    pointed(true);
    if (!isFirst) address.set(here, isNew);
    write();
    way.move(target, isFirst ? 0 : 700);
    const where = { title: here.step().title, chapter: chapter.title };
    live.textContent = told(words.where, { ...where, step: to + 1, count: steps.length });
  }

  /** @param {number} option */
  function choose(option) {
    const answer = here.choose(option);
    if (!answer) return;
    write();
    way.move(answer.to, answer.ms);
  }

  /** What waits until nothing moves and no hand drags: the answer, and the task. */
  function settle() {
    if (isDragged || way.isMoving()) return;
    if (here.reveal()) write();
    if (!here.reach()) return;
    tell();
    const reached = /** @type {HTMLElement} */ (prose.querySelector(".reached"));
    reached.hidden = false;
    prose.classList.add("has-reached");
    prose.querySelector(".task")?.classList.add("done");
    reached.scrollIntoView({ block: "nearest" });
    isUnsaid = true;
  }

  const goNext = () => (here.at() < steps.length - 1 ? openStep(here.at() + 1) : leave(next));
  const goBack = () => (here.at() > 0 ? openStep(here.at() - 1) : leave(back));

  /** @param {HTMLAnchorElement} link To another chapter. */
  function leave(link) {
    if (!link.hidden) location.assign(link.href);
  }

  // ---------------------------------------------------------------- a playlist that is presented

  function openEntry() {
    const was = mode === "present" && left();
    openStep(was ? was.at : address.asked(), { isFirst: true });
    if (!was) return;
    address.set(here, false); // the step that was left, which may be another than the entry's
    for (const one of was.seen) seen.add(one);
    way.set(was.state);
  }

  function leaveEntry() {
    way.advance(Infinity);
    left({ at: here.at(), state, seen: [...seen] });
  }

  // ---------------------------------------------------------------- the reader

  /** @param {MouseEvent} event */
  function onClick(event) {
    const choice = /** @type {HTMLElement | null} */ (target(event).closest("[data-choice]"));
    const term = /** @type {HTMLElement | null} */ (target(event).closest("[data-term]"));
    const link = /** @type {HTMLAnchorElement | null} */ (target(event).closest("a[href]"));
    const isPlain = !event.ctrlKey && !event.metaKey && !event.shiftKey;
    if (choice) choose(Number(choice.dataset.choice));
    else if (term) showTerm(page, chapter, term);
    else if (picture.byHand && target(event).closest("[data-by-hand]"))
      note(page, byHand(words, picture.byHand, stage), "wide");
    else if (target(event).closest("[data-slide]")) void slide(page, chapter, here);
    else if (link && isPlain && (link === next || link === back)) {
      event.preventDefault();
      if (link === next) goNext();
      else goBack();
    } else if (link?.dataset.way === "homework")
      link.href = `homework?on=${chapter.id}&${homework()}`;
    else if (link?.dataset.way === "add") {
      event.preventDefault();
      addStep(page, chapter, here);
    } else page.term.hidden = true;
  }

  course.addEventListener("click", onClick);
  prose.addEventListener("keydown", (event) => {
    const term = target(event).closest("[data-term]");
    if (event.key === "Enter" && term) showTerm(page, chapter, /** @type {HTMLElement} */ (term));
  });
  page.term.addEventListener("keydown", (event) => {
    if (event.key === "Escape") page.term.hidden = true;
  });
  page.dots.addEventListener("click", (event) => {
    const dot = /** @type {HTMLElement | null} */ (target(event).closest("[data-step]"));
    if (!dot) return;
    openStep(Number(dot.dataset.step));
    /** @type {HTMLElement} */ (page.dots.querySelector("[aria-current]")).focus();
  });
  onKeys(mode, {
    next: goNext,
    back: goBack,
    first: () => openStep(0),
    last: () => openStep(steps.length - 1),
    answer: () => here.isGuessing() && choose(here.step().guess?.right ?? -1),
  });
  addEventListener("popstate", () => openStep(address.asked(), { isNew: false }));
  if (mode === "present") addEventListener("pagehide", leaveEntry);
  new ResizeObserver(redraw).observe(figure);
  figure.addEventListener("transitionend", ({ propertyName }) => {
    if (propertyName === "color") redraw(); // a canvas has the colours of before
  });

  openEntry();
  onFrame(performance.now());
}

/** What an event began with. @param {Event} event */
const target = (event) => /** @type {Element} */ (event.composedPath()[0]);

/** Each step has an address and a title. @param {Chapter} chapter */
function addressOf({ id, title, steps }) {
  const site = document.title.split(" · ").at(-1);
  /** @param {number} step */
  const pathOf = (step) => new URL(`course/${id}/${steps[step].id}/`, document.baseURI).pathname;
  return {
    pathOf,

    /** @param {Reading} here @param {boolean} isNew Whether it gets an entry of its own. */
    set(here, isNew) {
      const url = pathOf(here.at()) + location.search;
      if (isNew) history.pushState(null, "", url);
      else history.replaceState(null, "", url);
      document.title = [here.step().title, title, site].join(" · ");
    },

    /** Index of the step that the address names; the first where it names the chapter. */
    asked() {
      const name = location.pathname.split("/").at(-2);
      const at = steps.findIndex((step) => step.id === name);
      return Math.max(0, at);
    },
  };
}

/**
 * A larger window gets larger letters and more room; a projector's, seen from the last row, the
 * same page, as large as it becomes.
 * @param {HTMLElement} course @param {string} mode @param {() => void} changed
 * @returns {() => number} How many times as large the page is.
 */
function sizeOf(course, mode, changed) {
  let times = 1;
  function magnify() {
    const isPresented = mode === "present";
    const { width, height } = isPresented ? PRESENTED : PAGE;
    const fits = Math.max(1, Math.min(innerWidth / width, innerHeight / height));
    const wanted = document.documentElement.style.getPropertyValue("--posenc-size") || 1;
    times = isPresented ? fits * Number(wanted) : fits ** 0.75;
    course.style.setProperty("--times", times.toFixed(3));
    changed();
  }
  addEventListener("resize", magnify);
  addEventListener("posenc-look", magnify); // the presenter's keys + and -
  magnify();
  return () => times;
}

/**
 * The mark that is pointed at in the words, by moving alone: words that are written below a pointer
 * at rest light nothing.
 * @param {HTMLElement} prose @param {() => void} changed
 * @returns {(isForgotten?: boolean) => string}
 */
function pointedIn(prose, changed) {
  let pointed = "";
  for (const [on, off] of [
    ["pointermove", "pointerout"],
    ["focusin", "focusout"],
  ]) {
    prose.addEventListener(on, (event) => {
      const mark = /** @type {HTMLElement | null} */ (target(event).closest?.("[data-mark]"));
      const name = mark?.dataset.mark ?? pointed;
      if (name !== pointed) changed();
      pointed = name;
    });
    prose.addEventListener(off, () => {
      pointed = "";
      changed();
    });
  }
  return (isForgotten = false) => (isForgotten ? (pointed = "") : pointed);
}

/**
 * The address of a step's screen with what a hand has come to, for those of its settings.
 * @param {string} address @param {Record<string, number>} state
 */
export function explored(address, state) {
  const [path, query] = address.split("?");
  const asked = new URLSearchParams(query);
  for (const [name, value] of Object.entries(state))
    if (asked.has(name)) asked.set(name, String(value));
  return `${path}?${asked}`;
}

/**
 * The foot of a step: the ways on and back, its dots, and what else there is.
 * @param {Page} page @param {Chapter} chapter @param {string} mode @param {(step: number) => string} pathOf
 */
function footOf(page, chapter, mode, pathOf) {
  const { back, next, explore, dots, foot, present, more, links } = page;
  const { steps, words, ways } = chapter;
  const asked = new URLSearchParams(location.search).get("lang");
  const spoken = asked ? `?lang=${encodeURIComponent(asked)}` : "";
  /** @param {HTMLAnchorElement} link @param {string} href */
  function setWay(link, href) {
    link.hidden = !href;
    link.href = href + (mode ? location.search : href.includes("?") ? "" : spoken);
  }
  /** @param {number} at */
  function dotsOf(at) {
    const dot = (/** @type {Step} */ step, /** @type {number} */ i) => {
      const now = i === at ? ' aria-current="step"' : "";
      const label = `${i + 1}: ${step.title.replace(/"/g, "&quot;")}`;
      return `<button type="button" data-step="${i}" aria-label="${label}" title="${label}"${now}><i></i></button>`;
    };
    return steps.map(dot).join("");
  }
  const { contents, homework, add, before, after } = ways;
  /** @type {Record<string, string>} */
  const said = { before: words.to_before, after: words.to_after };
  const others = Object.entries({ before, contents, after, homework, add }).flatMap(
    ([name, way]) => {
      if (!way) return [];
      const title = name in said ? told(said[name], { title: way.title }) : way.title;
      return [`<a href="${way.href}" data-way="${name}">${title}</a>`];
    },
  );

  return (/** @type {Reading} */ here) => {
    const at = here.at();
    const isLast = at === steps.length - 1;
    setWay(back, at > 0 ? pathOf(at - 1) : (before?.href ?? ""));
    setWay(next, isLast ? (after?.href ?? "") : pathOf(at + 1));
    const [long, short] =
      isLast && after
        ? [told(words.on, { title: after.title }), words.on_short]
        : [words.next, words.next];
    next.innerHTML = `<span class="long">${long}</span><span class="short">${short}</span>`;
    next.ariaLabel = long;
    if (explore) explore.setAttribute("href", here.step().explore);
    if (explore && mode) explore.target = "_blank"; // of a frame in somebody's page
    dots.innerHTML = dotsOf(at);
    foot.style.setProperty("--done", `${(100 * (at + 1)) / steps.length}%`);
    present.hidden = Boolean(mode);
    present.href = `${pathOf(at)}?present=1`;
    const slide = `<button type="button" data-slide>${words.slide}</button>`;
    links.innerHTML = [slide, ...others].join("");
    more.open = false;
  };
}

/**
 * Keys belong to what has the focus. While presenting, those of pages, which remotes send, always
 * go on, and so do arrows unless the reader has come there by Tab: after a drag they go on too.
 * @param {string} mode @param {Record<"next" | "back" | "first" | "last" | "answer", () => void | false>} does
 */
function onKeys(mode, does) {
  let isByTab = false;
  /** @param {KeyboardEvent} event */
  function onKey(event) {
    isByTab ||= event.key === "Tab";
    if (event.defaultPrevented || event.ctrlKey || event.altKey || event.metaKey) return;
    const from = target(event);
    const isOwn = from.closest?.(OTHERS) && (!mode || isByTab || from.closest(TYPED));
    if (isOwn && !(mode && event.key.startsWith("Page"))) return;
    const key = mode && event.key === " " ? (event.shiftKey ? "PageUp" : "PageDown") : event.key;
    if (NEXT.includes(key)) does.next();
    else if (BACK.includes(key)) does.back();
    else if (mode && key === "a") {
      if (does.answer() === false) return;
    } else if (mode && key === "Home") does.first();
    else if (mode && key === "End") does.last();
    else return;
    event.preventDefault();
  }
  document.addEventListener("keydown", onKey, true);
  document.addEventListener("pointerdown", () => (isByTab = false), true);
}

// ---------------------------------------------------------------- notes over the picture

/** @param {Page} page @param {string} html @param {string} size */
function note({ term }, html, size = "") {
  term.className = `term ${size}`;
  const close = /** @type {Element} */ (term.firstElementChild);
  term.innerHTML = html;
  term.prepend(close);
  term.hidden = false;
  term.focus();
}

/** @param {Page} page @param {Chapter} chapter @param {HTMLElement} place Where it stands in the words. */
function showTerm(page, chapter, place) {
  const id = place.dataset.term ?? "";
  const { term, text } = chapter.terms[id];
  note(page, `<b>${term}</b> ${text}`);
  const drawn = import("./sketches.js").then(({ sketch }) => sketch(id));
  const here = page.term.lastElementChild;
  const add = (/** @type {string} */ html) =>
    here?.isConnected && page.term.insertAdjacentHTML("beforeend", html);
  void drawn.then(add, () => {}); // where there is no network the words are enough
}

/** This step becomes the last entry of the playlist that the browser keeps. @param {Page} page @param {Chapter} chapter @param {Reading} here */
function addStep(page, { id, title, words }, here) {
  const count = add(`course/${id}/${here.step().id}`);
  const name = told(words.entry, { title, step: here.at() + 1, words: here.step().title });
  page.more.open = false;
  note(page, told(words.added, { count, name }));
}

/** What saves a picture comes when it is asked for. @param {Page} page @param {Chapter} chapter @param {Reading} here */
async function slide({ svg, more }, { id }, here) {
  more.open = false;
  const { saveSlide } = await import("../../static/slide.js");
  await saveSlide(svg, here.step().title, `${id}-${here.step().id}`);
}

/**
 * The elements of a chapter: words, picture, foot; and what only a browser with scripts has.
 * @param {HTMLElement} course
 * @param {Record<string, string>} words
 */
function frame(course, words) {
  course.insertAdjacentHTML(
    "beforeend",
    `<div class="term" role="note" tabindex="-1" hidden>
      <button type="button" aria-label="${words.close}">×</button></div>
    <div class="live" role="status"></div>
    <a class="alone">${words.present}</a>
    <details class="more"><summary aria-label="${words.more}">⋯</summary><div></div></details>`,
  );
  /** @param {string} selector */
  const find = (selector) => course.querySelector(selector);
  return {
    prose: /** @type {HTMLElement} */ (find(".prose")),
    figure: /** @type {HTMLElement} */ (find("figure")),
    svg: /** @type {SVGSVGElement} */ (find("svg")),
    foot: /** @type {HTMLElement} */ (find(".foot")),
    back: /** @type {HTMLAnchorElement} */ (find(".back")),
    next: /** @type {HTMLAnchorElement} */ (find(".next")),
    explore: /** @type {HTMLAnchorElement | null} */ (find(".explore")),
    dots: /** @type {HTMLElement} */ (find(".dots")),
    term: /** @type {HTMLElement} */ (find(".term")),
    live: /** @type {HTMLElement} */ (find(".live")),
    present: /** @type {HTMLAnchorElement} */ (find(".alone")),
    more: /** @type {HTMLDetailsElement} */ (find(".more")),
    links: /** @type {HTMLElement} */ (find(".more div")),
  };
}
