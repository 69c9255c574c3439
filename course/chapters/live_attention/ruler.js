// The ruler of the places that the model is told, and the rails that add places.

import { clamp } from "../../page/shapes.js";
import { FAR, GAPS, LAST, SECOND, STOPS, WORDS, placeOf, scaleOf, stopOf } from "./read.js";
import { full, railOf, spot, tickAt, wordAt } from "./room.js";

/** @typedef {import("../../page/types").Stage} Stage */
/** @typedef {import("../../page/types").State} State */
/** @typedef {import("./room.js").Room} Room */

/** @param {Stage} stage @param {() => Room} room */
export function buildRuler(stage, room) {
  const { make, put, show, group, slider, grip, value, say, number, state, set, move, isGuessing } =
    stage;
  const all = group("ruler");
  const threads = WORDS.map(() =>
    make("path", { fill: "none", stroke: "var(--line)", "stroke-width": 1.2 }, all),
  );
  const line = make(
    "path",
    { fill: "none", stroke: "var(--soft)", "stroke-width": 3, "stroke-linecap": "round" },
    all,
  );
  const ticks = WORDS.map(() =>
    make("path", { fill: "none", stroke: "var(--soft)", "stroke-width": 1.5 }, all),
  );
  const places = WORDS.map(() =>
    make("text", { class: "t12 soft", "dominant-baseline": "central" }, all),
  );
  const press = (/** @type {number} */ to) => {
    if (!isGuessing()) set({ press: clamp(to, 0, STOPS) });
  };
  const along = (/** @type {[number, number]} */ [x, y]) => (room().isPhone ? y : x);
  const end = slider(all, {
    label: say("end_label"),
    keys: (by) => press(stopOf(state) - Math.sign(by) * (room().isPhone ? -1 : 1)),
    start: (at) => along(at) - tickAt(room(), state, LAST),
    move: (at, off) => press(STOPS * (1 - (along(at) - off - room().start) / full(room()))),
    end: () => move({ press: stopOf(state) }, 160),
  });
  grip(end, { r: 13 });
  const mark = make(
    "path",
    { fill: "none", stroke: "var(--paper)", "stroke-width": 2, "stroke-linecap": "round" },
    end,
  );

  return (/** @type {State} */ s, /** @type {Room} */ r) => {
    const { isPhone, ruler, slot } = r;
    const from = r.shares + (isPhone ? 22 : 16);
    const half = (from + ruler) / 2;
    const isEven = s.press < 0.02;
    const longest = number(Math.round(placeOf(s, LAST))).length * 6.6;
    const isWhole = isEven && (isPhone || longest < slot);
    const hasNext = !isPhone && (full(r) * scaleOf(s)) / LAST > 20;
    const ends = (/** @type {number} */ i) =>
      i === 0 || (i === 1 && hasNext) || (i === LAST && full(r) * scaleOf(s) > 70);
    const xy = (/** @type {number} */ a, /** @type {number} */ c) =>
      spot(r, a, c)
        .map((one) => one.toFixed(1))
        .join(",");
    const parts =
      s.gap > 0.02
        ? [
            [0, SECOND - 1],
            [SECOND, LAST],
          ]
        : [[0, LAST]];
    put(line, {
      d: parts.map((ends) => `M${ends.map((i) => xy(tickAt(r, s, i), ruler)).join("L")}`).join(""),
    });
    WORDS.forEach((_, i) => {
      const [word, tick] = [wordAt(r, i), tickAt(r, s, i)];
      put(threads[i], {
        d: `M${xy(word, from)}C${xy(word, half)} ${xy(tick, half)} ${xy(tick, ruler - 8)}`,
      });
      put(ticks[i], { d: `M${xy(tick, ruler - 8)}L${xy(tick, ruler + 6)}` });
      const [x, y] = spot(r, tick, ruler + (isPhone ? 14 + 30 * s.end : 22));
      const place = placeOf(s, i);
      const text = isEven ? number(Math.round(place)) : number(place, 1);
      put(places[i], {
        x,
        y,
        "text-anchor": isPhone ? "start" : "middle",
        text: isWhole || ends(i) ? text : "",
      });
    });
    const [x, y] = spot(r, tickAt(r, s, LAST) + (isPhone ? 0 : 22), ruler + (isPhone ? 25 : 0));
    put(end, { transform: `translate(${x.toFixed(1)} ${y.toFixed(1)})` });
    put(mark, { d: isPhone ? "M0,5v-10m-4,4l4,-4l4,4" : "M5,0h-10m4,-4l-4,4l4,4" });
    show(end, s.end);
    value(end, scaleOf(s), 0, 1, say("end_at"));
    show(all, s.ruler * (isPhone ? 1 - s.apart : 1));
  };
}

/**
 * A rail whose knob adds places: to all words ("far"), or before the second sentence ("gap").
 * @param {Stage} stage @param {() => Room} room @param {"far" | "gap"} which
 */
export function buildRail(stage, room, which) {
  const { make, put, show, group, slider, grip, value, say, number, state, set, move, isGuessing } =
    stage;
  const values = which === "far" ? FAR : GAPS;
  const last = values.length - 1;
  const to = (/** @type {number} */ stop) => {
    if (!isGuessing()) set({ [which]: clamp(stop, 0, last) });
  };
  const all = group(which);
  const track = make(
    "line",
    { stroke: "var(--line)", "stroke-width": 4, "stroke-linecap": "round" },
    all,
  );
  const name = make("text", { class: "t14" }, all);
  const texts = values.map(() => make("text", { class: "t12 soft", "text-anchor": "middle" }, all));
  const handle = slider(all, {
    label: say(`${which}_label`),
    keys: (by) => to(Math.round(state[which]) + Math.sign(by)),
    start: ([x]) => x - knobAt(state),
    move: ([x], off) => {
      const rail = railOf(room(), which, state);
      to((last * (x - off - rail.x)) / rail.w);
    },
    end: () => move({ [which]: Math.round(state[which]) }, 160),
  });
  const knobAt = (/** @type {State} */ s) => {
    const rail = railOf(room(), which, s);
    return rail.x + (rail.w * s[which]) / last;
  };
  grip(handle);

  return (/** @type {State} */ s, /** @type {Room} */ r) => {
    const { x, y, w } = railOf(r, which, s);
    put(track, { x1: x, x2: x + w, y1: y, y2: y });
    texts.forEach((node, stop) => {
      const isThere =
        which === "far"
          ? !r.isPhone || stop % 5 === 0
          : stop % (r.isPhone && s.woken > 0.5 ? 6 : 3) === 1 ||
            (stop === 0 && !(r.isPhone && s.woken > 0.5));
      put(node, {
        x: x + (w * stop) / last,
        y: y + (r.isPhone ? 24 : 26),
        text: isThere ? number(values[stop]) : "",
      });
    });
    const isBelow = r.isPhone && which === "far"; // between the two numbers
    const [nameX, nameY, anchor] = isBelow
      ? [x + w / 2, y + 24, "middle"]
      : r.isPhone
        ? [x + w, y - 20, "end"]
        : [x, y - 26, "start"];
    put(name, {
      x: nameX,
      y: nameY,
      "text-anchor": anchor,
      text: say(`${which}_name${r.isPhone && !isBelow ? "_short" : ""}`),
    });
    if (r.isPhone && !isBelow) show(name, 1 - s.line); // the curve's name says it
    put(handle, { transform: `translate(${knobAt(s).toFixed(1)} ${y})` });
    value(handle, values[Math.round(s[which])], 0, values[last], say(`${which}_at`));
    show(all, which === "far" ? s.rail : s.apart);
  };
}
