// What is taken hold of: a token, where a head looks, the edges of the picture, seconds, and switches.

import { svg } from "../../page/lit/lit.js";
import { at as moved, grip, mark, pill } from "../../page/parts.js";
import { clamp } from "../../page/shapes.js";
import { COLUMNS, ROWS, SHEETS, START } from "./ids.js";
import { cellOf, focus, hit, ring, tokenAt } from "./line.js";
import { cornerOf } from "./map.js";
import { ASIDE, at, patchAt, within } from "./room.js";

/** @import { Stage, State } from "../../page/types" */
/** @import { Rect, Room } from "./room.js" */

const LAST = START + ROWS * COLUMNS - 1; // token of the last patch
const NEAR = 26; // pixels around a corner that are its own
const PACE = { least: 0.5, most: 2, step: 0.25 }; // seconds from sheet to sheet

/** @param {Rect} rect @param {[number, number]} point */
const far = ({ x, y, w, h }, [px, py]) =>
  Math.hypot(Math.max(x - px, 0, px - x - w), Math.max(y - py, 0, py - y - h));

/** Where keys lead: to the next token, or up. @param {number} token @param {number} by @param {boolean} isUp */
function upOr(token, by, isUp) {
  if (!isUp) return token + by;
  if (token < START) return token - by;
  const row = cellOf(token)[0] - by;
  return row < 0 || row >= ROWS ? token : token - by * COLUMNS;
}

/** The token of some that is nearest to a point. @param {[number, number]} point @param {number} first @param {number} last @param {(token: number) => Rect} where */
function nearest(point, first, last, where) {
  const tokens = Array.from({ length: last - first + 1 }, (_, i) => first + i);
  const off = tokens.map((token) => far(where(token), point));
  return tokens[off.indexOf(Math.min(...off))];
}

/** The ring around a token; in the line step around its patch of the picture, too. @param {State} s @param {Room} room @param {Stage} stage */
export function token(s, room, { say, set, seen, handle }) {
  const presence = Math.max(s.arcs, s.held, s.dials, s.light);
  if (presence < 0.02) return "";
  const least = s.held > 0.5 ? 0 : START;
  const held = clamp(Math.round(s.at), 0, LAST);
  const { source } = room;
  const placeOf = (/** @type {number} */ token) => tokenAt(room, s, token);
  const inSource = (/** @type {number} */ token) => within(source, ...cellOf(token));
  /** @param {number} token */
  function hold(token) {
    const to = clamp(token, least, LAST);
    set({ at: to });
    seen.add("held");
    if (s.light > 0.5) set(looking(to, s.down, s.across));
  }
  const [r, c] = cellOf(held);
  const name =
    held < START
      ? say("word", { word: say("sentence").split(" ")[held] })
      : say("token_at", { row: r + 1, column: c + 1 });
  const grip = handle({
    label: say("token_label"),
    now: held,
    min: least,
    max: LAST,
    text: name,
    isMute: presence <= 0.5,
    isFree: true,
    keys: (by, isUp) => hold(upOr(Math.round(s.at), by, isUp)),
    move: (point) => {
      const inPicture = s.source > 0.5 && point[1] < room.line.y - 30;
      hold(nearest(point, least, LAST, inPicture ? inSource : placeOf));
    },
  });
  const out = s.dials > 0.5 && held === START + COLUMNS + 2 ? -5 : 0; // within the ring of the key
  const [a, b] = [patchAt(room, s, 0, 0), patchAt(room, s, ROWS - 1, COLUMNS - 1)];
  const at = placeOf(held);
  return mark(
    "q",
    presence,
    svg`<g ${grip}>
      ${hit({ x: a.x, y: a.y, w: b.x + b.w - a.x, h: b.y + b.h - a.y })}
      ${s.source > 0.5 ? hit(source) : ""}
      ${s.held > 0.5 ? Array.from({ length: START }, (_, i) => hit(placeOf(i))) : ""}
      ${s.source < 0.02 || held < START ? "" : svg`<g opacity=${s.source}>${ring(inSource(held), "q", 4, -1)}</g>`}
      ${ring(at, "q", 4, out)}${focus(at, out)}</g>`,
  );
}

/** A way that leads to a patch up to the query's own. @param {number} query Token. @param {number} down @param {number} across */
function looking(query, down, across) {
  const [r, c] = cellOf(query);
  const to = { down: clamp(down, -r, 0), across: clamp(across, -c, COLUMNS - 1 - c) };
  return to.down === 0 && to.across > 0 ? { ...to, across: 0 } : to;
}

/** The ring around the patch that a head looks for. @param {State} s @param {Room} room @param {Stage} stage */
export function look(s, { big }, { say, set, handle }) {
  if (s.light < 0.02) return "";
  const query = clamp(Math.round(s.at), START, LAST);
  const [r, c] = cellOf(query);
  const wanted = query + Math.round(s.down) * COLUMNS + Math.round(s.across);
  /** @param {number} token */
  function lookAt(token) {
    const [toR, toC] = cellOf(clamp(token, START, query));
    set({ down: toR - r, across: toC - c });
  }
  const hold = handle({
    label: say("look_label"),
    now: wanted,
    min: START,
    max: query,
    text: say("look_at", { up: -Math.round(s.down), left: -Math.round(s.across) }),
    isMute: s.light <= 0.5,
    isFree: true,
    keys: (by, isUp) => {
      const to = upOr(wanted, by, isUp);
      if (to <= query) lookAt(to);
    },
    move: (point) => lookAt(nearest(point, START, query, (token) => within(big, ...cellOf(token)))),
  });
  const rect = within(big, r + s.down, c + s.across);
  const out = s.down || s.across ? 0 : -6;
  return mark("k", s.light, svg`<g ${hold}>${hit(rect)}${ring(rect, "k", 4, out)}${focus(rect, out)}</g>`); // prettier-ignore
}

/** The edges of the picture and its corner. @param {State} s @param {Room} room @param {Stage} stage */
export function edges(s, room, { say, set, handle }) {
  if (s.sizes < 0.02) return "";
  const most = s.cost > 0.5 ? 32 : 6;
  /** @param {number} rows @param {number} columns */
  function size(rows, columns) {
    const to = [rows, columns].map((one) => clamp(Math.round(one), 1, most));
    set({ rows: to[0], columns: to[1] });
  }
  const { map, isPhone } = room;
  const rowAt = (/** @type {number} */ y) => (y - map.y) / map.cell - START;
  const columnAt = (/** @type {number} */ x) => (x - map.x) / map.cell - START;
  const from = at(room, START, START);
  const { x, y } = cornerOf(room, s);
  const [wide, high] = [x - from.x, y - from.y];
  const of = { min: 1, max: most, isMute: s.sizes <= 0.5, isFree: true };
  const rows = handle({
    ...of,
    label: say("rows_label"),
    now: Math.round(s.rows),
    text: say("rows_at"),
    keys: (by, isUp) => size(s.rows + (isUp ? -by : by), s.columns),
    move: ([, py]) => size(rowAt(py), s.columns),
  });
  const columns = handle({
    ...of,
    label: say("columns_label"),
    now: Math.round(s.columns),
    text: say("columns_at"),
    keys: (by) => size(s.rows, s.columns + by),
    start: ([px, py]) => (Math.hypot(x - px, y - py) < NEAR ? [x - px, y - py] : null),
    move: ([px, py], corner) => {
      if (corner) size(rowAt(py + corner[1]), columnAt(px + corner[0]));
      else size(s.rows, columnAt(px));
    },
  });
  const long = isPhone ? 18 : 26;
  /** Where there is room for it. @param {number} x @param {number} y @param {number} width @param {number} height */
  const bar = (x, y, width, height) =>
    Math.min(wide, high) < 60
      ? ""
      : svg`<g stroke="var(--paper)" stroke-width="2">${pill({ x, y, width, height, rx: 4, fill: "var(--ink)" })}</g>`;
  return mark(
    "edges",
    s.sizes,
    svg`<g ${rows}>${hit({ x: from.x, y: y - 8, w: wide, h: 24 })}${bar(from.x + wide / 2 - long / 2, y - 4, long, 9)}</g>
      <g ${columns}>${hit({ x: x - 8, y: from.y, w: 24, h: high })}${bar(x - 4, from.y + high / 2 - long / 2, 9, long)}
        <g transform=${moved(x, y)}>${grip({ r: 9 })}</g></g>`,
  );
}

/** The last sheet, by when it was filmed. @param {State} s @param {Room} room @param {Stage} stage */
export function pace(s, room, { say, set, seen, handle }) {
  const { isPhone } = room;
  const to = (/** @type {number} */ seconds) => {
    set({ seconds: clamp(Math.round(seconds / PACE.step) * PACE.step, PACE.least, PACE.most) });
    if (s.seconds === 2) seen.add("slow");
  };
  const hold = handle({
    label: say("pace_label"),
    now: s.seconds,
    min: PACE.least,
    max: PACE.most,
    text: say("pace"),
    isMute: s.pile <= 0.5,
    keys: (by) => to(s.seconds + by * PACE.step),
    move: ([x]) => {
      const first = patchAt(room, { ...s, seconds: 0 }, 0, COLUMNS - 1, SHEETS - 1);
      to((x - first.x - first.w) / ASIDE[Number(isPhone)][0] / 4);
    },
  });
  const last = patchAt(room, s, 1, COLUMNS - 1, SHEETS - 1);
  const lowest = patchAt(room, s, ROWS - 1, 0);
  return mark(
    "pace",
    s.pile,
    svg`<g ${hold} transform=${moved(last.x + last.w, last.y + last.h)}>${grip()}</g>
      <text class="halo bold" x=${lowest.x} y=${lowest.y + lowest.h + (isPhone ? 18 : 30)}>${say("pace")}</text>
      <text class="halo t14" x=${lowest.x} y=${lowest.y + lowest.h + (isPhone ? 35 : 52)}>${say("same_place")}</text>`,
  );
}

/** A switch at the foot with a stop for each way. @param {State} s @param {Room} room @param {Stage} stage */
export function stops(s, room, stage) {
  if (s.stops < 0.02) return "";
  const { say, set, move, handle } = stage;
  const { stops: at, isPhone } = room;
  const now = Math.round(s.il);
  const turnTo = (/** @type {number} */ to) => {
    const stop = clamp(Math.round(to), 0, 1);
    if (stop !== s.il) move({ il: stop }, 500);
  };
  const hold = handle({
    label: say("il_label"),
    now,
    min: 0,
    max: 1,
    text: say(`il_${now}`),
    isMute: s.stops <= 0.5,
    keys: (by) => turnTo(Math.round(s.il) + Math.sign(by)),
    move: ([x]) => set({ il: clamp((x - at.x) / at.w, 0, 1) }),
    end: () => turnTo(s.il),
  });
  const x = (/** @type {number} */ stop) => at.x + at.w * stop;
  const all = [0, 1];
  const text = (/** @type {number} */ i) => {
    const [place, css] = i ? [at.x + at.w + 11, "end"] : [at.x - 11, ""];
    return svg`<text pointer-events="none" class=${`t14 ${css} ${i === now ? "heavy" : ""}`} x=${place} y=${at.y + (isPhone ? 25 : 31)}>${say(`il_${i}`)}</text>`;
  };
  return mark(
    "stops",
    s.stops,
    svg`<path class="line" stroke-width="3" d=${`M${at.x},${at.y}h${at.w}${all.map((i) => `M${x(i)},${at.y - 5}v10`).join("")}`} />
      <g ${hold}>${hit({ x: at.x - 40, y: at.y - 16, w: at.w + 80, h: 54 })}
        <g transform=${moved(x(s.il), at.y)}>${grip()}</g></g>
      ${all.map(text)}`,
  );
}
