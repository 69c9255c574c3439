// A chapter as a reader has it open, without a browser: its picture is declared, its sliders take
// keys, and what moves has come to rest. Where something stands on the page a browser knows alone.

import assert from "node:assert/strict";

import { drawing } from "../../course/page/stage.js"; // before there is a document
import { reading } from "../../course/page/reading.js";
import { filler, writer } from "../../course/page/words.js";
import { valuesOf } from "../static/close.js";

const LETTER = 0.5; // width of one, of its size
const PHONE = 560; // as course.js
const WAY = 700; // from step to step, in milliseconds, as course.js
const MOMENTS = [0.2, 0.5, 0.8];
export const DESK = { width: 904, height: 624 };
export const HAND = { width: 390, height: 368 }; // the picture on a phone

/** What takes every call of a canvas. */
function ink() {
  const own = { font: "16px x", canvas: { width: 1, height: 1 } };
  const measureText = (text) => ({ width: text.length * LETTER * parseFloat(/[\d.]+px/.exec(own.font)[0]) }); // prettier-ignore
  const pixels = (width, height) => ({ data: new Uint8ClampedArray(4 * width * height) });
  const known = { measureText, createImageData: pixels, getImageData: (x, y, w, h) => pixels(w, h) }; // prettier-ignore
  return new Proxy(own, { get: (_, name) => own[name] ?? known[name] ?? (() => ink()) });
}

const canvas = () => ({ getContext: ink, dataset: {}, style: {} });
globalThis.matchMedia = () => ({ matches: false });
globalThis.document = { createElement: canvas, fonts: { load: () => Promise.resolve() } };
globalThis.Path2D = ink;
const { motion } = await import("../../course/page/state.js");

// ---------------------------------------------------------------- what lit-html's svg`` declares

class Element {
  attributes = {};
  children = [];
  style = { setProperty() {} };
  classList = { add() {} };
  listeners = {};

  constructor(tag) {
    this.tag = tag;
  }
  get role() {
    return this.attributes.role;
  }
  get text() {
    return this.children.map((one) => (typeof one === "string" ? one : one.text)).join("");
  }
  getAttribute(name) {
    return this.attributes[name] ?? null;
  }
  setAttribute(name, value) {
    this.attributes[name] = String(value);
  }
  removeAttribute(name) {
    delete this.attributes[name];
  }
  addEventListener(name, does) {
    this.listeners[name] = does;
  }
  /** It and all below it. */
  *all() {
    yield this;
    for (const one of this.children) if (typeof one !== "string") yield* one.all();
  }
  /** It and all below it that are seen. */
  *seen() {
    const { opacity = 1, display } = this.attributes;
    if (opacity < 0.05 || display === "none") return;
    yield this;
    for (const one of this.children) if (typeof one !== "string") yield* one.seen();
  }
}

const TOKEN = /<(\/?)([\w-]+)((?:"[^"]*"|[^">])*?)(\/?)>|([^<]+)/g;
const ATTRIBUTE = /([\w:-]+)=(?:"([^"]*)"|([^\s"]+))|\0(\d+)\0/g;
const BREAK = /^\s*\n\s*$/; // of the line, between elements
const VALUE = /\0(\d+)\0/;
const isNothing = (value) => value === null || value === undefined || typeof value === "symbol";

/** Elements of a template. Those with a directive last: `kept` has them by where they stand. */
function elements({ strings, values }, kept, where) {
  const text = strings.reduce((before, after, i) => `${before}\0${i - 1}\0${after}`);
  const root = new Element("");
  const open = [root];
  for (const [, ends, tag, attributes, isClosed, words] of text.matchAll(TOKEN))
    if (words) {
      for (const [i, part] of words.split(VALUE).entries())
        if (i % 2) open[0].children.push(...content(values[part], kept, `${where}.${part}`));
        else if (!BREAK.test(part)) open[0].children.push(part);
    } else if (ends) open.shift();
    else {
      const element = made(tag, attributes, values, kept, where);
      open[0].children.push(element);
      if (!isClosed) open.unshift(element);
    }
  return root.children;
}

function made(tag, attributes, values, kept, where) {
  const element = new Element(tag);
  let lasting = element;
  for (const [, name, quoted, plain, directive] of attributes.matchAll(ATTRIBUTE)) {
    if (directive) {
      const { _$litDirective$: Directive, values: told } = values[directive];
      const key = `${where}.${directive}`;
      if (!kept.has(key)) kept.set(key, { lasting: element, one: new Directive() });
      ({ lasting } = kept.get(key));
      kept.get(key).one.update({ element: lasting }, told);
      continue;
    }
    const parts = (quoted ?? plain).split(VALUE).map((part, i) => (i % 2 ? values[part] : part));
    if (!parts.some(isNothing)) element.setAttribute(name, parts.join(""));
  }
  if (lasting === element) return element;
  Object.assign(lasting.attributes, element.attributes);
  lasting.children = element.children = [];
  return lasting;
}

function content(value, kept, where) {
  if (isNothing(value)) return [];
  if (value.strings) return elements(value, kept, where);
  if (value._$litDirective$) return content(value.values[1](), kept, where); // guard
  if (typeof value === "object")
    return [...value].flatMap((one, i) => content(one, kept, `${where}.${i}`));
  return [String(value)];
}

// ---------------------------------------------------------------- the page

/**
 * @param {string} name Of the chapter. @param {string} id Of the step.
 * @param {{ width: number, height: number }} room Of the picture, in pixels.
 * @param {string} words Which: "chapters" or "made_up".
 */
export async function opened(name, id, { width, height } = DESK, words = "chapters") {
  const chapter = valuesOf(words)[name];
  const { default: picture } = await import(`../../course/chapters/${name}/picture.js`);
  const fill = filler(chapter);
  const box = { width, height, isPhone: width < PHONE };
  const here = reading(chapter, picture);
  const { state, seen } = here;
  const svg = new Element("svg");
  const kept = new Map();
  const way = motion(state, () => undefined);
  let isDragged = false;
  let isReached = false;

  const drawn = drawing(svg, {
    dragged: (is) => (isDragged = is),
    arrive,
    isGuessing: here.isGuessing,
  });
  let at = chapter.steps.findIndex((step) => step.id === id);
  const told = (one) => picture.told[one](state, stage);
  const stage = {
    ...drawn,
    svg,
    state,
    seen,
    number: writer(chapter.separators),
    step: () => here.step().id,
    isGuessing: here.isGuessing,
    set: way.set,
    move: (values, ms) => way.move(values, ms),
    say: (label, values = {}) => fill(chapter.labels[label], (one) => values[one] ?? told(one)),
    canvas,
    dense: () => 1,
    clear: () => undefined,
    colours: (all) => () => all.map(() => [0, 0, 0]),
  };
  const draw = picture.build(stage);

  function arrive() {
    way.advance(Infinity);
    svg.children = elements(draw(state, box), kept, "");
    if (isDragged) return;
    here.reveal();
    isReached = here.reach() || isReached;
  }

  /** Elements that are seen, in all of the picture or below a mark. @param {string} [marks] */
  function shown(marks) {
    const all = [...svg.seen()];
    if (!marks) return all;
    const holders = all.filter((one) => one.getAttribute("data-marks") === marks);
    return [...new Set(holders.flatMap((one) => [...one.seen()]))];
  }

  /** Those that keys move. @param {string} [label] How their names begin. */
  function sliders(label = "") {
    const all = shown().filter((one) => one.role === "slider");
    const free = all.filter((one) => one.getAttribute("tabindex") === "0");
    const found = free.filter((one) => one.getAttribute("aria-label").startsWith(label));
    const names = all.map((one) => one.getAttribute("aria-label"));
    assert.ok(found.length || !label, `${label} is none of ${names}`);
    return found;
  }

  way.set(here.begin(at));
  arrive();
  await Promise.resolve(); // the letters have come
  arrive();
  return {
    stage,
    picture,
    chapter,
    shown,
    sliders,
    told,
    isReached: () => isReached,
    asked: () => here.step().guess,
    /** What is written, in all of the picture or below a mark. @param {string} [marks] */
    texts: (marks) => shown(marks).flatMap((one) => (one.tag === "text" ? [one.text] : [])),

    /** What a slider says beside its name. @param {string} label @param {string} what */
    says: (label, what = "valuetext") => sliders(label)[0].getAttribute(`aria-${what}`),

    /** As quick as a hand can. @param {string | Element} on @param {string} key @param {number} times */
    press(on, key, times = 1) {
      const [name, ...modifiers] = key.split("+").reverse();
      for (let i = 0; i < times; i++)
        (typeof on === "string" ? sliders(on)[0] : on).listeners.keydown({
          key: name,
          shiftKey: modifiers.includes("Shift"),
          preventDefault: () => undefined,
          stopPropagation: () => undefined,
        });
      arrive();
    },

    /** Go on to the next step: all elements as they are drawn at moments of the way. */
    next() {
      way.move(here.begin((at += 1)), WAY);
      const began = performance.now();
      const frames = MOMENTS.map((share) => {
        way.advance(began + share * WAY);
        svg.children = elements(draw(state, box), kept, "");
        return [...svg.all()];
      });
      arrive();
      return frames.flat();
    },

    /** @param {number} [option] The right one where none is named. */
    answer(option) {
      const { to, ms } = here.choose(option ?? here.step().guess.right);
      way.move(to, ms);
      arrive();
    },
  };
}
