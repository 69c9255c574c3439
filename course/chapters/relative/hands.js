// What is dragged: query, key, the ruler's end, the length of the text; and a switch.

import { clamp } from "../../page/shapes.js";
import { lineY } from "./page.js";
import {
  LONG_TEXT,
  PAGE,
  SHORTEST,
  WORDS,
  lengthTrack,
  lengthX,
  placeX,
  seenWords,
  stripX,
} from "./room.js";
import { reading } from "./table.js";
import { measuredAt } from "./shares.js";

/** @typedef {import("../../page/types").Stage} Stage */
/** @typedef {import("../../page/types").State} State */
/** @typedef {import("./room.js").Room} Room */
/** @typedef {import("./room.js").Laid} Laid */

/** In which steps a hand is there. */
const WHERE = {
  q: ["slide", "anywhere", "row", "number"],
  key: ["row", "sines", "number"],
  end: ["clip", "sines"],
  back: ["braces"],
  query: ["far"],
  length: ["far", "measured"],
  window: ["measured"],
};

/**
 * @param {Stage} stage
 * @param {number[]} nouns
 * @param {() => Room} room
 * @param {() => Laid[]} page
 */
export function buildHands(stage, nouns, room, page) {
  const {
    make,
    put,
    show,
    group,
    say,
    slider,
    ring,
    value,
    number,
    state,
    set,
    move,
    seen,
    step,
    isGuessing,
  } = stage;
  const is = (/** @type {keyof typeof WHERE} */ hand) => WHERE[hand].includes(step());

  // ---------------------------------------------------------------- places

  /** @param {"i" | "key"} which @param {number} to */
  function place(which, to) {
    if (isGuessing()) return;
    const was = Math.round(state.i);
    const isMasked = state.mask > 0.5;
    if (which === "key") set({ key: clamp(to, 0, isMasked ? state.i : WORDS - 1) });
    else {
      const i = clamp(to, 0, WORDS - 1);
      set({ i, key: isMasked ? Math.min(state.key, i) : state.key });
      const [from, until] = [Math.min(was, Math.round(i)), Math.max(was, Math.round(i))];
      for (let row = from; row <= until; row++)
        if (step() === "slide" || (step() === "anywhere" && nouns.includes(row))) seen.add(row);
    }
  }
  const places = () => ({ i: Math.round(state.i), key: Math.round(state.key) });
  function settle() {
    if (isGuessing()) return;
    if (step() === "number") seen.add(-reading(state));
    move(places(), 120);
  }
  /** @param {number} x */
  const placeAt = (x) => (x - room().left) / room().cell - 0.5;

  /** On a phone the two tags lie on each other: the finger means the nearer. @param {"i" | "key"} which @param {number} x */
  function nearest(which, x) {
    const away = (/** @type {"i" | "key"} */ one) => Math.abs(x - placeX(room(), state[one]));
    return is("key") && away("key") < away("i") ? "key" : is("key") ? "i" : which;
  }

  /** @param {"i" | "key"} which @param {"q" | "k"} mark */
  function tag(which, mark) {
    const handle = slider(group(mark), {
      label: say(`${mark}_label`),
      keys: (by) => {
        place(which, Math.round(state[which]) + by);
        settle();
      },
      start: ([x]) => {
        const its = nearest(which, x);
        return { its, off: x - placeX(room(), state[its]) };
      },
      move: ([x], { its, off }) => place(its, placeAt(x - off)),
      end: settle,
    });
    const reach = make("rect", { fill: "transparent" }, handle);
    const body = make("rect", {}, handle);
    ring(body);
    const name = make(
      "text",
      {
        "text-anchor": "middle",
        "dominant-baseline": "central",
        style: "fill:#fff;font-weight:700",
      },
      handle,
      mark,
    );
    return { handle, reach, body, name };
  }
  const tags = { key: tag("key", "k"), i: tag("i", "q") };

  // ---------------------------------------------------------------- the ruler's end

  const limit = (/** @type {number} */ k) => {
    if (!isGuessing()) set({ k: clamp(k, 1, WORDS - 1) });
  };
  const end = slider(group("ruler count"), {
    label: say("end_label"),
    keys: (by) => limit(Math.round(state.k) - Math.sign(by)),
    move: ([x]) => limit(state.i - (x - room().left) / room().cell),
    end: () => move({ k: Math.round(state.k) }, 120),
  });
  make("rect", { x: -22, y: -30, width: 44, height: 60, fill: "transparent" }, end);
  const endBar = ring(make("rect", { rx: 5, fill: "var(--ink)" }, end));

  // ---------------------------------------------------------------- words of the page

  /** The word of the page that is nearest. @param {[number, number]} at */
  function wordAt([x, y]) {
    const distances = page().map((word) => {
      const down = Math.max(0, Math.abs(y - lineY(room(), word)) - room().lineHigh / 2);
      return Math.max(word.x - x, x - word.x - word.w, 0) + 3 * down;
    });
    return distances.indexOf(Math.min(...distances));
  }
  const goBack = (/** @type {number} */ back) => {
    if (!isGuessing()) set({ back: clamp(Math.round(back), 1, Math.round(state.query)) });
  };
  const goTo = (/** @type {number} */ query) => {
    if (!isGuessing()) set({ query: clamp(Math.round(query), Math.round(state.back), PAGE - 1) });
  };
  const onWord = (/** @type {"q" | "k"} */ mark, /** @type {any} */ hand) => {
    const handle = slider(group(mark), hand);
    const reach = make("rect", { fill: "transparent" }, handle);
    const look = { rx: 6, fill: "transparent", stroke: `var(--${mark})`, "stroke-width": 2.5 };
    const box = ring(make("rect", look, handle));
    return { handle, reach, box };
  };
  const back = onWord("k", {
    label: say("back_label"),
    keys: (/** @type {number} */ by) => goBack(state.back - by),
    move: (/** @type {[number, number]} */ at) => goBack(Math.round(state.query) - wordAt(at)),
  });
  const query = onWord("q", {
    label: say("query_label"),
    keys: (/** @type {number} */ by) => goTo(Math.round(state.query) + by),
    move: (/** @type {[number, number]} */ at) => goTo(wordAt(at)),
  });
  const along = slider(group("braces strip"), {
    label: say("strip_label"),
    keys: (by) => goBack(state.back - by),
    move: ([x]) => {
      const one = stripX(room(), 0, seenWords(state)) - stripX(room(), 1, seenWords(state));
      goBack(Math.floor((stripX(room(), 0, seenWords(state)) - x) / one));
    },
  });
  const alongArea = make("rect", { fill: "transparent" }, along);
  put(along, { tabindex: -1 }); // the key has the same keys

  // ---------------------------------------------------------------- the length of the text

  const stretch = (/** @type {number} */ length) => {
    if (isGuessing()) return;
    const { from, to } = lengthTrack(room(), state);
    set({ length: clamp(length, from, to) });
  };
  const rest = () => {
    if (step() === "measured") move({ length: measuredAt(state.length) }, 140);
  };
  const lengthGroup = group("length curve");
  const rail = make(
    "line",
    { stroke: "var(--line)", "stroke-width": 4, "stroke-linecap": "round" },
    lengthGroup,
  );
  const railName = make("text", { class: "t14 soft", "text-anchor": "end" }, lengthGroup);
  const length = slider(lengthGroup, {
    label: say("length_label"),
    keys: (by) => {
      stretch(state.length * (step() === "measured" ? 2 ** Math.sign(by) : 1.15 ** by));
      rest();
    },
    start: ([x]) => x - lengthX(room(), state, state.length),
    move: ([x], off) => {
      const track = lengthTrack(room(), state);
      stretch(track.from * (track.to / track.from) ** clamp((x - off - track.x) / track.w, 0, 1));
    },
    end: rest,
  });
  make("rect", { x: -36, y: -22, width: 72, height: 44, fill: "transparent" }, length);
  const pill = { x: -32, y: -15, width: 64, height: 30, rx: 15, fill: "var(--ink)" };
  const knob = ring(make("rect", pill, length));
  const knobText = make(
    "text",
    {
      "text-anchor": "middle",
      "dominant-baseline": "central",
      style: "fill:var(--paper);font-weight:600",
    },
    length,
  );

  // ---------------------------------------------------------------- switches

  /** @param {string} mark @param {() => void} press */
  function toggle(mark, press) {
    const node = make("g", { role: "switch", tabindex: 0, style: "cursor: pointer" }, group(mark));
    const press_it = () => isGuessing() || press();
    node.addEventListener("click", press_it);
    node.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      press_it();
    });
    const box = make(
      "rect",
      { rx: 9, stroke: "var(--ink)", "stroke-width": 1.5, height: 36, y: -18 },
      node,
    );
    const text = make("text", { "text-anchor": "middle", "dominant-baseline": "central" }, node);
    return (
      /** @type {{ x: number, y: number, w: number, isOn: boolean, words: string }} */ at,
    ) => {
      put(node, {
        transform: `translate(${at.x} ${at.y})`,
        "aria-checked": String(at.isOn),
        "aria-label": at.words,
      });
      put(box, { width: at.w, fill: at.isOn ? "var(--ink)" : "var(--paper)" });
      put(text, { x: at.w / 2, text: at.words, style: `fill:var(--${at.isOn ? "paper" : "ink"})` });
      return node;
    };
  }
  const window = toggle("window", () => move({ window: state.window > 0.5 ? 0 : 1 }, 900));

  return (/** @type {State} */ s) => {
    const at = room();
    const { isPhone, isTight, cell, band, ruler, width } = at;
    const isIdle = isGuessing();
    // The tags above their words; where it is tight they frame the ruler's cell.
    const near = Math.abs(placeX(at, s.i) - placeX(at, s.key)) < 32;
    for (const [
      which,
      { handle, reach, body, name },
    ] of /** @type {["i" | "key", ReturnType<typeof tag>][]} */ (Object.entries(tags))) {
      const mark = which === "i" ? "q" : "k";
      const [w, h] = isTight ? [cell + 3, band] : [30, 24]; // its number fits into the frame
      const y = isTight ? ruler : which === "key" && near && is("key") ? 13 : 40;
      put(handle, { transform: `translate(${placeX(at, s[which]).toFixed(1)} ${y})` });
      put(handle, { style: isIdle ? "pointer-events: none" : undefined });
      put(reach, { x: -22, width: 44, y: isTight ? -48 : -16, height: isTight ? 72 : 44 });
      put(body, { x: -w / 2, y: -h / 2, width: w, height: h, rx: isTight ? 3 : 7 });
      put(body, {
        fill: isTight ? "none" : `var(--${mark}-fill)`,
        stroke: isTight ? `var(--${mark})` : "none",
        "stroke-width": 2.5,
      });
      put(name, { opacity: isTight ? 0 : 1, y: 1 });
      const last = which === "key" && s.mask > 0.5 ? Math.round(s.i) : WORDS - 1;
      value(handle, Math.round(s[which]), 0, last, say(`${mark}_at`));
      show(handle, is(which === "i" ? "q" : "key") ? 1 - s.page : 0);
    }
    const barW = isPhone ? 8 : 10;
    put(end, {
      transform: `translate(${(placeX(at, s.i - s.k) - cell / 2 - barW / 2).toFixed(1)} ${ruler})`,
    });
    put(endBar, { x: -barW / 2, y: -band / 2 - 6, width: barW, height: band + 12 });
    value(end, Math.round(s.k), 1, WORDS - 1, say("end_at"));
    show(end, is("end") ? 1 - s.page : 0);

    const n = Math.round(s.query);
    const words = page();
    const there = clamp(s.page * 3 - 2, 0, 1) * (1 - s.chart);
    for (const [
      { handle, reach, box },
      word,
      isThere,
    ] of /** @type {[ReturnType<typeof onWord>, number, boolean][]} */ ([
      [back, n - Math.round(s.back), true],
      [query, n, is("query")],
    ])) {
      const its = words[Math.max(0, word)];
      const w = Math.max(its.w + (isPhone ? 6 : 12), 24);
      const h = Math.max(at.lineHigh * 0.86, isPhone ? 14 : 22);
      const [x, y] = [its.x + its.w / 2 - w / 2, lineY(at, its) - h / 2];
      put(box, { x: x.toFixed(1), y: y.toFixed(1), width: w, height: h });
      put(reach, { x: x - 10, y: y - 10, width: w + 20, height: h + 20 });
      show(handle, isThere && word >= 0 ? there : 0);
    }
    const isBack = is("back");
    put(back.handle, {
      tabindex: isBack ? 0 : -1,
      style: isBack && !isIdle ? undefined : "pointer-events: none",
    });
    value(back.handle, Math.round(s.back), 1, n, say("back_value"));
    value(query.handle, n + 1, Math.round(s.back) + 1, PAGE, say("query_value"));
    put(alongArea, { x: at.stripX, y: at.strip - 12, width: at.stripW, height: at.stripHigh + 30 });
    show(along, isBack ? there : 0);

    const track = lengthTrack(at, s);
    put(rail, { x1: track.x, x2: track.x + track.w, y1: at.track, y2: at.track });
    put(railName, {
      x: track.x - 44,
      y: at.track + 5,
      text: isPhone || s.chart > 0.3 ? "" : say("words"),
    });
    const whole = Math.min(lengthX(at, s, s.length), width - 33); // not cut at the edge
    put(length, { transform: `translate(${whole.toFixed(1)} ${at.track})` });
    put(knob, { y: isPhone ? -13 : -15, height: isPhone ? 26 : 30 });
    put(knobText, { text: number(s.length), y: 1 });
    value(
      length,
      Math.round(s.length),
      s.chart > 0.5 ? SHORTEST : PAGE,
      s.chart > 0.5 ? track.to : LONG_TEXT,
      say("length_value", { length: number(s.length) }),
    );
    put(length, { style: isIdle ? "pointer-events: none" : undefined });
    show(lengthGroup, is("length") ? Math.max(s.far, s.chart) : 0);
    show(
      window({
        x: width - (isPhone ? 148 : 232),
        y: isPhone ? 20 : 28,
        w: isPhone ? 140 : 196,
        isOn: s.window > 0.5,
        words: say(isPhone ? "window_short" : "window"),
      }),
      is("window") && !isIdle ? s.lines : 0,
    );
  };
}
