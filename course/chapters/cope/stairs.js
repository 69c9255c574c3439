// CoPE: words on a staircase, the counter that climbs it, the query at its foot.

import { svg } from "../../page/lit/lit.js";
import { at, mark, pill, seen as there } from "../../page/parts.js";
import { clamp } from "../../page/shapes.js";
import {
  ASKS,
  BOB,
  COUNT,
  KINDS,
  LAST,
  ROWS,
  SECOND_STOP,
  centre,
  level,
  placesOf,
  short,
  tokenAt,
} from "./room.js";

/** @import { Stage, State } from "../../page/types" */
/** @import { Room } from "./room.js" */

/** The words of the sentence. @param {Stage} stage */
export const sentence = ({ say }) => say("sentence").split(" ");

/** Size of a token's letters. @param {Room} room @param {number} token */
const letters = ({ isPhone, widths }, token) =>
  (isPhone ? 12 : clamp(widths[0] * 0.27, 14, 24)) * (KINDS[token] === "word" ? 1 : 1.5);
const font = (/** @type {number} */ size, /** @type {boolean} */ isMark) =>
  `font: ${isMark ? 700 : 400} ${size}px var(--heading)`;

/** @param {State} s @param {Room} room @param {Stage} stage */
export function floors(s, room, { say, number }) {
  const { isPhone, left, edge } = room;
  const most = Math.max(s.zoom, placesOf(s)[0]);
  const one = (/** @type {unknown} */ _, /** @type {number} */ n) => {
    const y = level(room, n);
    const presence = clamp(most - n + 1, 0, 1) * clamp((y - 30) / 20, 0, 1);
    return there(
      presence,
      svg`<path class="line" opacity=${presence} d=${`M${left},${y}H${edge + 6}`} />
        <text class="t12 soft end" opacity=${presence} x=${edge + (isPhone ? 20 : 30)} y=${y + 4}>${number(n)}</text>`,
    );
  };
  const isAlone = s.side <= 0.02 && s.dial <= 0.02; // else the name has room below the lowest floor only
  const above = level(room, most) - 14;
  const [nameX, nameY] = isPhone
    ? [edge + 20, above]
    : isAlone
      ? [edge + 26, above]
      : [edge + 30, room.ground + 18];
  return svg`<g data-marks="floors">
    ${Array.from({ length: COUNT + 1 }, one)}
    <text class="t12 end" x=${nameX} y=${nameY}>${say(isAlone && !isPhone ? "floor" : "floor_short")}</text></g>`;
}

/** @param {State} s @param {Room} room @param {Stage} stage */
export function stairs(s, room, stage) {
  const places = placesOf(s);
  const seen = (/** @type {number} */ j) => clamp(s.query - j + 1, 0, 1);
  const block = (/** @type {number} */ place, /** @type {number} */ j) => {
    const [x, w, y] = [room.starts[j], room.widths[j], level(room, place)];
    const before = level(room, places[j + 1] ?? 0);
    return there(
      seen(j),
      svg`<g opacity=${seen(j)}>
        <rect fill="var(--wash)" x=${x} y=${y} width=${w + 0.5} height=${Math.max(0, room.ground - y)} />
        <path stroke="var(--soft)" stroke-width="2" d=${`M${x - 0.5},${y}H${x + w + 0.5}`} />
        ${before - y > 0.5 ? svg`<path stroke="var(--content)" stroke-width="4" d=${`M${x + w},${before}V${y}`} />` : ""}</g>`,
    );
  };
  const word = (/** @type {string} */ text, /** @type {number} */ j) =>
    Math.round(s.query) === j
      ? ""
      : svg`<text class="halo middle" opacity=${0.3 + 0.7 * seen(j)} style=${font(letters(room, j), KINDS[j] !== "word")} x=${centre(room, j)} y=${level(room, places[j]) - (room.isPhone ? 6 : 9)}>${text}</text>`;
  return svg`
    <g data-marks="floors doors counter">${places.map(block)}</g>
    <g data-marks="words">${sentence(stage).map(word)}</g>`;
}

/** The stairs with all doors open, where a shut one has lowered them. @param {State} s @param {Room} room @param {Stage} stage */
export function before(s, room, { say }) {
  const places = placesOf(s);
  const isLow = places[0] < LAST + 1 - 0.02;
  const last = places.filter((place, j) => place < LAST + 1 - j - 0.02).length;
  const steps = room.starts
    .slice(0, last)
    .map((x, j) => `${j ? "V" : `M${x},`}${level(room, LAST + 1 - j)}H${x + room.widths[j]}`);
  return mark(
    "before",
    isLow ? s.before : 0,
    svg`<path fill="none" stroke="var(--soft)" stroke-width="1.5" stroke-dasharray="2 4" d=${steps.join("")} />
      ${room.isPhone || !last ? "" : svg`<text class="t12 soft" x=${room.starts[last] + 8} y=${level(room, LAST + 2 - last) - 6}>${say("before")}</text>`}`,
  );
}

/** The ends of a sentence that is to come to one floor; all of it once it is there. @param {State} s @param {Room} room */
export function pair(s, room) {
  const places = placesOf(s);
  const h = room.isPhone ? 20 : 32;
  const top = (/** @type {number} */ token) =>
    level(room, places[token]) - h - (room.isPhone ? 1 : 0);
  const frame = (/** @type {number} */ token) => {
    const w = Math.max(room.widths[token], 26) - (room.isPhone ? 0 : 4);
    return svg`<rect class="frame" rx="8" x=${centre(room, token) - w / 2} y=${top(token)} width=${w} height=${h} />`;
  };
  const [from, to] = [room.starts[BOB], room.starts[SECOND_STOP] + room.widths[SECOND_STOP]];
  const whole = () =>
    svg`<rect class="frame" rx="8" x=${from} y=${top(BOB)} width=${to - from} height=${h} />`;
  return mark("pair", s.pair, isSame(s) ? whole() : [BOB, SECOND_STOP].map(frame));
}

/** @param {State} s */
export function isSame(s) {
  const places = placesOf(s);
  return Math.abs(places[BOB] - places[SECOND_STOP]) < 0.02;
}

/** @param {State} s @param {Room} room @param {Stage} stage */
export function counter(s, room, stage) {
  if (s.counter < 0.02) return "";
  const { say, number, set, move, handle } = stage;
  const { isPhone } = room;
  const places = placesOf(s);
  const from = Math.min(LAST, Math.ceil(s.walker - 1e-6));
  const to = Math.max(0, from - 1);
  const climb = clamp((from - s.walker - 0.35) / 0.3, 0, 1); // the riser stands between two words
  const height = places[from] + (places[to] - places[from]) * climb;
  const r = isPhone ? 14 : 19;
  const token = Math.round(s.walker);
  const walk = (/** @type {number} */ to) => set({ walker: clamp(to, 0, LAST) });
  const hold = handle({
    label: say("counter_label"),
    now: token,
    min: 0,
    max: LAST,
    text: say("counter_at", { word: sentence(stage)[token] }),
    isOff: s.walk <= 0.5,
    isFree: true,
    keys: (by) => walk(Math.round(s.walker) + by),
    start: ([x]) => x - centre(room, s.walker),
    move: ([x], off) => walk(tokenAt(room, x - off)),
    end: () => move({ walker: Math.round(s.walker) }, 140),
  });
  const y = level(room, height) - (isPhone ? 24 : 38) - r;
  return svg`<g data-marks="counter sum"><g ${hold} opacity=${s.counter} transform=${at(centre(room, s.walker), y)}>
    <path stroke="var(--content)" stroke-width="2" d=${`M0,${r}v${isPhone ? 3 : 6}`} />
    <circle r="24" fill="transparent" />
    <circle fill="var(--content)" r=${r} /><circle class="ring" r=${r} />
    <text class="paper middle" y="5" style=${`font-size: ${isPhone ? 12.5 : 16}px`}>${short(number, places[token], s.pile > 0.5 && !isPhone ? 2 : 1)}</text></g></g>`;
}

/** The token that asks; in one step it can be dragged. @param {State} s @param {Room} room @param {Stage} stage */
export function query(s, room, stage) {
  const { say, seen, set, move, handle } = stage;
  const { isPhone } = room;
  const texts = sentence(stage);
  function ask(/** @type {number} */ to) {
    const query = clamp(to, 0, LAST);
    if (query === s.query) return;
    for (let i = Math.min(s.query, query); i <= Math.max(s.query, query); i++) seen.add(i);
    set({ query, q: ASKS[query], walker: Math.min(s.walker, query) });
    move({ gates: ROWS[query] }, 300);
  }
  const token = Math.round(s.query);
  const isMark = KINDS[token] !== "word";
  const hold = handle({
    label: say("query_label"),
    now: token,
    min: 0,
    max: LAST,
    text: say("query_at", { word: texts[token], drawn: seen.size }),
    isOff: s.pile <= 0.5,
    keys: (by) => ask(s.query + by),
    move: ([x]) => ask(Math.round(tokenAt(room, x))),
  });
  const height = isPhone ? 21 : 31;
  const width = Math.max(room.widths[token] - 2, isMark ? 20 : 32);
  const x = centre(room, s.query);
  const y = level(room, placesOf(s)[token]) - height - (isPhone ? 2 : 4);
  const style = font(letters(room, token) - (isPhone ? 0 : 2), isMark);
  const grip = `M${x - 7},${y - 8}h14M${x - 4},${y - 11}l-4,3l4,3M${x + 4},${y - 11}l4,3l-4,3`;
  return svg`<g data-marks="q"><g ${hold}>
    <rect fill="transparent" x=${x - 26} y=${y - 10} width="52" height=${height + 20} />
    ${pill({ x: x - width / 2, y, width, height, rx: 8, fill: "var(--q-fill)" })}
    <text class="white middle" style=${style} x=${x} y=${y + height * 0.69}>${texts[token]}</text>
    ${s.pile > 0.5 ? svg`<path fill="none" stroke="var(--q)" stroke-width="2.2" stroke-linecap="round" d=${grip} />` : ""}</g></g>`;
}
