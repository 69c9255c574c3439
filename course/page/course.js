// A chapter of the course: the words of a step, one picture, and the way on. It asks nobody.

import { byHand } from "./by_hand.js";
import { add, answerOf, homework, left, noteAnswer, noteStep } from "./kept.js";
import { render } from "./lit/lit.js";
import { drawing } from "./stage.js";
import { motion } from "./state.js";
import { fill, reasonOf, told, withPlaces, writer } from "./words.js";

/** @typedef {import("./types").Chapter} Chapter */
/** @typedef {import("./types").Picture} Picture */
/** @typedef {import("./types").State} State */
/** @typedef {import("./types").Step} Step */

const RESTS = 400; // ms without a change until what is shown is said aloud
const PHONE = 560; // pixels of a picture that is drawn for a phone
const PAGE = { width: 1280, height: 720 }; // pixels of a window that shows a page as it is
const PRESENTED = { width: 1160, height: 664 }; // those of a page that fills a projector's window
const NEXT = ["ArrowRight", "PageDown"];
const BACK = ["ArrowLeft", "PageUp"];
const ENDS = ["Home", "End"]; // while presenting
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
  const { steps, words } = chapter;
  const number = writer(chapter.separators);
  const page = frame(course, words);
  const { prose, svg, figure, dots, back, next, explore, live } = page;
  const site = document.title.split(" · ").at(-1);

  /** @type {State} */
  const state = { ...picture.start, guessing: 0 };
  const seen = new Set();
  let at = -1;
  let isDragged = false;
  let isReached = false;
  let unsaid = ""; // of a task that was reached
  /** @type {number | null} */
  let answer = null;
  let isRevealed = false;
  let pointed = "";
  /** @type {Set<string>} */
  let lit = new Set();
  let isDirty = true;
  let times = 1; // as large as the page is
  let resting = 0;
  const changed = () => {
    isDirty = true;
    clearTimeout(resting);
    resting = setTimeout(rest, RESTS);
  };
  const way = motion(state, changed);
  const drawn = drawing(svg, {
    dragged: (is) => {
      isDragged = is;
      changed();
    },
    arrive: () => {
      way.advance(Infinity);
      paint();
    },
  });

  /** @type {import("./types").Stage} */
  const stage = {
    ...drawn,
    svg,
    state,
    seen,
    number,
    step: () => steps[at].id,
    isGuessing: () => steps[at].guess !== null && answer === null,
    set: way.set,
    move: (values, ms) => way.move(values, ms),
    say: (name, values = {}) => fill(chapter.labels[name], (one) => values[one] ?? numberOf(one)),
    canvas,
    dense,
    clear,
  };
  /** @param {string} name */
  const numberOf = (name) => picture.told[name](state, stage);
  /** @type {HTMLCanvasElement | null} */
  let below = null;
  const draw = picture.build(stage);

  function canvas(marks = "") {
    if (!below) {
      below = document.createElement("canvas");
      if (marks) below.dataset.marks = marks;
      figure.prepend(below);
    }
    return below;
  }

  function dense() {
    return Math.min(devicePixelRatio * times, 2);
  }

  /** @param {CanvasRenderingContext2D} ink @param {{ width: number, height: number }} box */
  function clear(ink, { width, height }) {
    const ratio = dense();
    const [w, h] = [Math.round(width * ratio), Math.round(height * ratio)];
    if (ink.canvas.width !== w) ink.canvas.width = w;
    if (ink.canvas.height !== h) ink.canvas.height = h;
    ink.setTransform(ratio, 0, 0, ratio, 0, 0);
    ink.clearRect(0, 0, width, height);
  }

  const here = () => steps[at];
  const ofPicture = () => picture.steps[here().id];
  const numbers = () =>
    picture.byHand && ofPicture().byHand !== false
      ? `<button type="button" class="termed" data-by-hand>${words.by_hand}</button>`
      : "";

  /**
   * @param {number} to
   * @param {{ isNew?: boolean, isFirst?: boolean }} how Whether the address gets an entry of its own.
   */
  function openStep(to, { isNew = true, isFirst = false } = {}) {
    if (to === at || !steps[to]) return;
    at = to;
    const { guess } = here();
    answer = guess && answerOf(chapter.id, here().id);
    isRevealed = answer !== null;
    isReached = false;
    unsaid = "";
    prose.classList.remove("has-reached");
    pointed = "";
    seen.clear();
    ofPicture().seen?.forEach((one) => seen.add(one));
    noteStep(chapter.id, at + 1);
    if (!isFirst) setAddress(isNew);
    const { at: own = {}, after = {} } = ofPicture();
    const target = { ...picture.start, ...own, ...(isRevealed ? after : {}) };
    write();
    way.move({ ...target, guessing: stage.isGuessing() ? 1 : 0 }, isFirst ? 0 : 700);
    live.textContent = told(words.where, where());
  }

  const where = () => ({
    title: here().title,
    chapter: chapter.title,
    step: at + 1,
    count: steps.length,
  });

  /** Each step has an address and a title. @param {boolean} isNew */
  function setAddress(isNew) {
    const url = pathOf(at) + location.search;
    if (isNew) history.pushState(null, "", url);
    else history.replaceState(null, "", url);
    document.title = [here().title, chapter.title, site].join(" · ");
  }

  /** @param {number} step */
  const pathOf = (step) =>
    new URL(`course/${chapter.id}/${steps[step].id}/`, document.baseURI).pathname;

  /** Index of the step that the address names; the first where it names the chapter. */
  function asked() {
    const name = location.pathname.split("/").at(-2);
    return Math.max(
      0,
      steps.findIndex(({ id }) => id === name),
    );
  }

  // A larger window gets larger letters and more room; a projector's, seen from the last row, the
  // same page, as large as it becomes.
  function magnify() {
    const isPresented = mode === "present";
    const { width, height } = isPresented ? PRESENTED : PAGE;
    const fits = Math.max(1, Math.min(innerWidth / width, innerHeight / height));
    const wanted = document.documentElement.style.getPropertyValue("--posenc-size") || 1;
    times = isPresented ? fits * Number(wanted) : fits ** 0.75;
    course.style.setProperty("--times", times.toFixed(3));
    isDirty = true;
  }

  // ---------------------------------------------------------------- a playlist that is presented

  function openEntry() {
    const was = mode === "present" && left();
    openStep(was ? was.at : asked(), { isFirst: true });
    if (!was) return;
    setAddress(false); // the step that was left, which may be another than the entry's
    for (const one of was.seen) seen.add(one);
    way.set(was.state);
  }

  function leaveEntry() {
    way.advance(Infinity);
    left({ at, state, seen: [...seen] });
  }

  // ---------------------------------------------------------------- words

  function write() {
    const { title, text, guess, task } = here();
    const isOpen = stage.isGuessing();
    const isAnswered = guess !== null && !isOpen;
    prose.innerHTML = withPlaces(
      `<p class="count"><span>${told(words.count, where())}</span>${numbers()}</p><h1 tabindex="-1">${title}</h1>${text}` +
        (guess && isOpen ? asking(guess) : "") +
        (guess && isAnswered ? answered(guess) : "") +
        (task && !isOpen && (isRevealed || !guess) ? `<div class="task">${task}</div>` : "") +
        `<div class="reached" hidden>${here().reached}</div>`,
    );
    prose.querySelector(".count")?.append(page.more);
    lit = new Set(ofPicture().also);
    for (const mark of prose.querySelectorAll("[data-mark]"))
      lit.add(/** @type {HTMLElement} */ (mark).dataset.mark ?? "");
    isDirty = true;
    const { before, after } = chapter.ways;
    setWay(back, at > 0 ? pathOf(at - 1) : (before?.href ?? ""));
    setWay(next, at < steps.length - 1 ? pathOf(at + 1) : (after?.href ?? ""));
    const [long, short] =
      at < steps.length - 1 || !after
        ? [words.next, words.next]
        : [told(words.on, { title: after.title }), words.on_short];
    next.innerHTML = `<span class="long">${long}</span><span class="short">${short}</span>`;
    next.ariaLabel = long;
    if (explore) explore.setAttribute("href", here().explore);
    if (explore && mode) explore.target = "_blank"; // of a frame in somebody's page
    writeDots();
    writeMore();
    prose.scrollTop = 0;
    isDirty = true; // other words light other marks
    tell();
  }

  /** @param {import("./types").Guess} guess */
  function asking({ question, options }) {
    const choices = options.map(
      (option, i) => `<button type="button" data-choice="${i}">${option}</button>`,
    );
    if (!options.length)
      choices.push(`<button type="button" data-choice="0">${words.commit}</button>`);
    return `<div class="ask">${question}</div><div class="choices">${choices.join("")}</div>`;
  }

  /** @param {import("./types").Guess} guess */
  function answered({ options, right, reveal, wrong }) {
    const isRight = options.length ? answer === right : answer === 1;
    const said = options.length ? told(words.said, { option: options[answer ?? 0] }) : "";
    const no = options.length ? words.wrong : words.missed;
    const verdict = `<b>${isRight ? words.right : no}</b> ${reasonOf({ right, wrong }, answer)}`;
    const css = isRevealed && !isRight ? "answer is-wrong" : "answer";
    return `<p class="${css}">${said} ${isRevealed ? verdict : ""}</p> ${isRevealed ? reveal : ""}`;
  }

  /** @param {HTMLAnchorElement} link @param {string} href */
  function setWay(link, href) {
    link.hidden = !href;
    link.href = mode ? href + location.search : href;
  }

  function writeDots() {
    dots.innerHTML = steps
      .map((step, i) => {
        const now = i === at ? ' aria-current="step"' : "";
        const label = `${i + 1}: ${step.title.replace(/"/g, "&quot;")}`;
        return `<button type="button" data-step="${i}" aria-label="${label}" title="${label}"${now}><i></i></button>`;
      })
      .join("");
    page.foot.style.setProperty("--done", `${(100 * (at + 1)) / steps.length}%`);
  }

  function writeMore() {
    const { contents, homework, present, add, before, after } = chapter.ways;
    const named = { homework, before, contents, after, present, add };
    page.links.innerHTML = Object.entries(named)
      .map(([name, way]) => way && `<a href="${way.href}" data-way="${name}">${way.title}</a>`)
      .filter(Boolean)
      .join("");
    page.more.open = false;
    page.more.hidden = !page.links.innerHTML;
  }

  // Numbers in the words follow the picture in the same frame; what is said of a task that was
  // reached keeps those with which it was last true, unless it is true of whatever is shown.
  function tell() {
    const { goal, follows } = ofPicture();
    const isTrue = !isReached || follows || goal?.(state, seen);
    const told = isTrue ? "[data-told]" : "[data-told]:not(.reached *)";
    for (const place of prose.querySelectorAll(told)) {
      const { told: name = "" } = /** @type {HTMLElement} */ (place).dataset;
      const text = numberOf(name);
      if (place.textContent !== text) place.textContent = text;
    }
  }

  // ---------------------------------------------------------------- guesses and tasks

  /** @param {number} option */
  function choose(option) {
    const { guess, id } = here();
    if (!guess || answer !== null) return;
    const { after = {}, slow = 1200, isRight } = ofPicture();
    answer = guess.options.length ? option : Number(isRight?.(state) ?? false);
    noteAnswer(chapter.id, id, answer);
    write();
    way.move({ ...after, guessing: 0 }, slow);
  }

  /** What waits until nothing moves and no hand drags: the answer, and the task. */
  function settle() {
    if (isDragged || way.isMoving()) return;
    if (answer !== null && !isRevealed) {
      isRevealed = true;
      write();
    }
    const { goal } = ofPicture();
    if (isReached || stage.isGuessing() || !goal?.(state, seen)) return;
    tell();
    isReached = true;
    const reached = /** @type {HTMLElement} */ (prose.querySelector(".reached"));
    reached.hidden = false;
    prose.classList.add("has-reached");
    prose.querySelector(".task")?.classList.add("done");
    reached.scrollIntoView({ block: "nearest" });
    unsaid = reached.textContent ?? "";
  }

  /** Say aloud what a hand has come to. */
  function rest() {
    if (isDragged) return;
    if (way.isMoving()) {
      resting = setTimeout(rest, RESTS);
      return;
    }
    live.textContent = `${stage.say(picture.spoken(state))} ${unsaid}`.trim();
    unsaid = "";
  }

  // ---------------------------------------------------------------- the reader

  const goNext = () => (at < steps.length - 1 ? openStep(at + 1) : leave(next));
  const goBack = () => (at > 0 ? openStep(at - 1) : leave(back));

  /** @param {HTMLAnchorElement} link To another chapter. */
  function leave(link) {
    if (!link.hidden) location.assign(link.href);
  }

  // Keys belong to what has the focus. While presenting, those of pages, which remotes send, always
  // go on, and so do arrows unless the reader has come there by Tab: after a drag they go on too.
  let isByTab = false;
  const onPointer = () => (isByTab = false);

  /** @param {KeyboardEvent} event */
  function onKey(event) {
    isByTab ||= event.key === "Tab";
    if (event.defaultPrevented || event.ctrlKey || event.altKey || event.metaKey) return;
    const from = /** @type {Element} */ (event.composedPath()[0]);
    const isOwn = from.closest?.(OTHERS) && (!mode || isByTab || from.closest(TYPED));
    if (isOwn && !(mode && event.key.startsWith("Page"))) return;
    const key = mode && event.key === " " ? (event.shiftKey ? "PageUp" : "PageDown") : event.key;
    if (NEXT.includes(key)) goNext();
    else if (BACK.includes(key)) goBack();
    else if (mode && key === "a" && stage.isGuessing()) choose(here().guess?.right ?? -1);
    else if (mode && ENDS.includes(key)) openStep(key === "Home" ? 0 : steps.length - 1);
    else return;
    event.preventDefault();
  }

  /** @param {Event} event */
  const target = (event) => /** @type {Element} */ (event.composedPath()[0]);

  /** @param {MouseEvent} event */
  function onClick(event) {
    const choice = target(event).closest("[data-choice]");
    const term = target(event).closest("[data-term]");
    const link = /** @type {HTMLAnchorElement | null} */ (target(event).closest("a[href]"));
    const isPlain = !event.ctrlKey && !event.metaKey && !event.shiftKey;
    if (choice) choose(Number(/** @type {HTMLElement} */ (choice).dataset.choice));
    else if (term) showTerm(/** @type {HTMLElement} */ (term));
    else if (picture.byHand && target(event).closest("[data-by-hand]"))
      note(byHand(words, picture.byHand, stage), "wide");
    else if (link && isPlain && (link === next || link === back)) {
      event.preventDefault();
      if (link === next) goNext();
      else goBack();
    } else if (link?.dataset.way === "present") link.href = `${pathOf(at)}?present=1`;
    else if (link?.dataset.way === "homework")
      link.href = `homework?on=${chapter.id}&${homework()}`;
    else if (link?.dataset.way === "add") {
      event.preventDefault();
      addHere();
    } else page.term.hidden = true;
  }

  /** This step becomes the last entry of the playlist that the browser keeps. */
  function addHere() {
    const count = add(`course/${chapter.id}/${here().id}`);
    const name = told(words.entry, { title: chapter.title, step: at + 1, words: here().title });
    page.more.open = false;
    note(told(words.added, { count, name }));
  }

  /** @param {HTMLElement} place */
  function showTerm(place) {
    const id = place.dataset.term ?? "";
    const { term, text } = chapter.terms[id];
    note(`<b>${term}</b> ${text}`);
    const drawn = import("./sketches.js").then(({ sketch }) => sketch(id));
    const here = page.term.firstElementChild;
    const add = (/** @type {string} */ html) =>
      here?.isConnected && page.term.insertAdjacentHTML("beforeend", html);
    void drawn.then(add, () => {}); // where there is no network the words are enough
  }

  /** @param {string} html @param {string} size */
  function note(html, size = "") {
    page.term.className = `term ${size}`;
    page.term.innerHTML = html;
    page.term.hidden = false;
    page.term.focus();
  }

  // By moving alone: words that are written below a pointer at rest light nothing.
  for (const [on, off] of [
    ["pointermove", "pointerout"],
    ["focusin", "focusout"],
  ]) {
    prose.addEventListener(on, (event) => {
      const mark = /** @type {HTMLElement | null} */ (target(event).closest?.("[data-mark]"));
      const name = mark?.dataset.mark ?? pointed;
      isDirty ||= name !== pointed;
      pointed = name;
    });
    prose.addEventListener(off, () => {
      pointed = "";
      isDirty = true;
    });
  }
  course.addEventListener("click", onClick);
  prose.addEventListener("keydown", (event) => {
    const term = target(event).closest("[data-term]");
    if (event.key === "Enter" && term) showTerm(/** @type {HTMLElement} */ (term));
  });
  page.term.addEventListener("keydown", (event) => {
    if (event.key === "Escape") page.term.hidden = true;
  });
  dots.addEventListener("click", (event) => {
    const dot = /** @type {HTMLElement | null} */ (target(event).closest("[data-step]"));
    if (!dot) return;
    openStep(Number(dot.dataset.step));
    /** @type {HTMLElement} */ (dots.querySelector("[aria-current]")).focus();
  });
  addEventListener("popstate", () => openStep(asked(), { isNew: false }));
  if (mode === "present") addEventListener("pagehide", leaveEntry);
  document.addEventListener("keydown", onKey, true);
  document.addEventListener("pointerdown", onPointer, true);
  const sized = new ResizeObserver(() => (isDirty = true));
  sized.observe(figure);
  figure.addEventListener("transitionend", ({ propertyName }) => {
    if (propertyName === "color") isDirty = true; // a canvas has the colours of before
  });
  addEventListener("resize", magnify);
  addEventListener("posenc-look", magnify); // the presenter's keys + and -

  /** @param {number} now */
  function onFrame(now) {
    requestAnimationFrame(onFrame);
    way.advance(now);
    if (isDirty) paint();
  }

  function paint() {
    isDirty = false;
    const rect = figure.getBoundingClientRect();
    if (!rect.width || !rect.height) return;
    const [width, height] = [rect.width / times, rect.height / times];
    drawn.put(svg, { viewBox: `0 0 ${width} ${height}` }); // written again, all of it is laid out again
    render(draw(state, { width, height, isPhone: width < PHONE }), svg);
    drawn.put(figure, { "aria-busy": String(way.isMoving()) });
    drawn.light(pointed, lit);
    tell();
    settle();
  }

  magnify();
  openEntry();
  onFrame(performance.now());
}

/**
 * The elements of a chapter: words, picture, foot; and what only a browser with scripts has.
 * @param {HTMLElement} course
 * @param {Record<string, string>} words
 */
function frame(course, words) {
  course.insertAdjacentHTML(
    "beforeend",
    `<div class="term" role="note" tabindex="-1" hidden></div>
    <div class="live" role="status"></div>
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
    more: /** @type {HTMLDetailsElement} */ (find(".more")),
    links: /** @type {HTMLElement} */ (find(".more div")),
  };
}
