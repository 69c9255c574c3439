// RoPE: one dial: query and key as arrows, the wedge between them, the shadow.

import { START } from "../../page/by_hand.js";
import { widest } from "../../page/formulas/rotation.js";
import { svg } from "../../page/lit/lit.js";
import { mark, seen } from "../../page/parts.js";
import { TURN, arrow, clamp, mix, pie, round, spiral, wrapped, xy } from "../../page/shapes.js";
import {
  TRAINED,
  WORDS,
  content,
  hundredths,
  isNew,
  row as scores,
  sizes,
  speeds,
} from "./head.js";

/** @import { Stage, State } from "../../page/types" */
/** @import { Circle, Room } from "./room.js" */

export const EDGE = 18; // half a name, from the edge of the picture
export const WIDE = 36; // the same, of a name with its score
export const KEY = 8.5; // pixels of a key's arrow: wider than the query's, which may lie on it

/** The shadow of a query, beside its key and away from the query.
 * @param {Circle} c @param {number} key @param {number} query
 */
export function shadowOn(c, key, query) {
  const away = clamp(c.r / 9, 9, 15);
  const side = away * clamp(60 * Math.sin(query - key + 0.02), -1, 1); // where both point alike, to one side
  const [sx, sy] = [side * Math.sin(key), side * Math.cos(key)];
  const [x, y] = round(c, Math.cos(query - key) * c.r, key);
  return { x1: c.x + sx, y1: c.y + sy, x2: x + sx, y2: y + sy, "stroke-width": away * 0.66 };
}

/** @param {Circle} c @param {number} key @param {number} query */
export function shadow(c, key, query) {
  const { x1, y1, x2, y2, "stroke-width": width } = shadowOn(c, key, query);
  return svg`<line stroke="var(--ink)" stroke-width=${width} x1=${x1} y1=${y1} x2=${x2} y2=${y2} />`;
}

/** @param {string} name @param {string} d @param {number} width @param {number} opacity */
export const hand = (name, d, width, opacity = 1) =>
  seen(
    opacity,
    svg`<path stroke=${`var(--${name})`} fill=${`var(--${name})`} stroke-linejoin="round" stroke-width=${width} opacity=${opacity} d=${d} />`,
  );

/** The head of an arc, with its tip where the arc ends.
 * @param {Circle} c @param {number} r @param {number} to @param {number} by @param {number} size
 */
function head(c, r, to, by, size) {
  const back = to - Math.sign(by) * Math.min(Math.abs(by), size / r);
  const base = [-0.55, 0.55].map((side) => xy(round(c, r + side * size, back)));
  return `M${xy(round(c, r, to))}L${base.join("L")}Z`;
}

/** @param {State} s @param {Room} room @param {Stage} stage @param {number} i */
export function dial(s, room, stage, i) {
  const { say, number } = stage;
  const isFirst = i === 0;
  const presence = isFirst ? 1 : clamp((s.view - 1) * 2, 0, 1);
  if (presence < 0.02) return "";
  const { isPhone } = room;
  const c = room.dials[i];
  const speed = speeds(s)[i];
  const angle = START + speed * s.n; // of the key
  const by = speed * (s.m - s.n);
  const own = content(s)[i];
  const long = Math.min(1, Math.sqrt(sizes(s)[i] / sizes(s)[0])); // of both arrows
  const query = angle + by + own;
  const on = isFirst ? 1 : clamp(s.dials - i, 0, 1);
  const isRed = s.trained > 0.5 && isNew(speed, s.m - s.n);
  const far = clamp(s.view - 1, 0, 1);
  const size = clamp(c.r / (isFirst ? 100 : 34), 0.4, 1);
  const reach = { ...c, r: c.r * mix(1, long, s.real) };
  const tip = Math.min(isFirst ? 18 * clamp(c.r / 110, 0.6, 1) : 11, c.r * 0.4, reach.r * 0.6);
  // The wedge: what the distance adds first, then what the words mean.
  const inner = c.r * 0.5;
  const grow = c.r * Math.min(0.16, 0.4 / Math.max(0.01, Math.abs(by) / TURN));
  const colour = isRed ? "var(--new)" : "var(--ink)";
  // In training the query started from its content, and its shade does.
  const between = by + own * (1 - s.trained);
  const sector =
    Math.abs(between) > 0.01 ? pie(c, inner, angle + own * s.trained, between, grow) : "";
  const wedge = s.shadow * on * (1 - s.row) * (1 - s.real);
  const ends = inner + (grow * Math.abs(by)) / TURN;
  const outer = ends + (isFirst ? 9 : 5);
  const heads = isFirst ? s.split * wedge * clamp(2 - s.view, 0, 1) : 0; // of both arcs
  const short = heads * Math.sign(own) * Math.min(Math.abs(own), 9 / outer); // the stroke ends within its head
  const limit = widest(speed, TRAINED);
  // The shadow of the query, beside the key.
  const isAlone = isFirst ? s.shadow * (2 - Math.max(1, s.view)) : 0;
  const shade = Math.cos(query - angle) * c.r;
  const foot = round(c, shade, angle);
  const back = shade < 0 ? `M${xy(round(c, 0, angle))}L${xy(foot)}` : ""; // the key's line, where no arrow is
  const share = hundredths(i, s);
  const beside = isPhone ? "" : "middle";
  const x = isPhone ? c.x + c.r + 4 : c.x;
  const turn = number(TURN / speed, isFirst ? 1 : 0);
  const [aloneX, aloneY] = round(c, c.r, angle + by);
  return svg`<g opacity=${presence} pointer-events=${isFirst ? "auto" : "none"}>
    <g data-marks="trained">${seen(s.trained, svg`<path fill="var(--wash)" opacity=${s.trained} d=${pie(c, c.r, angle + own, Math.min(TURN, limit))} />`)}</g>
    <g data-marks="dials q k arc bars shadow"><circle fill="none" stroke=${`var(--${isRed ? "new" : "line"})`} stroke-width="1.5" cx=${c.x} cy=${c.y} r=${c.r} /></g>
    ${isFirst ? ghosts(s, c, stage) : ""}
    <g data-marks="wedge arc">${seen(wedge, svg`<path fill=${colour} opacity=${wedge * (isRed ? 0.45 : 0.12)} d=${sector} />`)}</g>
    <g data-marks="new arc"><path stroke="var(--new)" stroke-width=${isFirst ? 8 : 6} fill="none" d=${isRed ? spiral(c, c.r, angle + own + limit, (by % TURN) - limit) : ""} /></g>
    <g data-marks="arc">${seen(wedge, svg`<path fill="none" stroke=${colour} stroke-width=${(isFirst ? 3 : 2) * size} opacity=${wedge} d=${Math.abs(by) > 0.01 ? spiral(c, inner, angle, by, grow) : ""} />`)}</g>
    <g data-marks="content">${seen(s.split * wedge, svg`<path stroke="var(--content)" fill="none" stroke-width=${isFirst ? 7 : 4} opacity=${s.split * wedge} d=${Math.abs(own) > 0.01 ? spiral(c, outer, angle + by, own - short) : ""} />`)}</g>
    ${mark("alone", heads, svg`<line stroke="var(--q)" stroke-width="2" stroke-dasharray="5 5" opacity="0.7" x1=${c.x} y1=${c.y} x2=${aloneX} y2=${aloneY} />`)}
    ${seen(
      heads,
      svg`<g opacity=${heads}>
        <path data-marks="arc" fill="var(--ink)" d=${head(c, ends, angle + by, by, 12)} />
        <path data-marks="content" fill="var(--content)" d=${head(c, outer, query, own, 18)} /></g>`,
    )}
    ${seen(
      isAlone,
      svg`<g data-marks="shadow"><g opacity=${isAlone}>
        <path stroke="var(--soft)" stroke-dasharray="3 4" fill="none" d=${`${back}M${xy(round(c, c.r, query))}L${xy(foot)}`} />
        ${shadow(c, angle, query)}</g></g>`,
    )}
    <g data-marks="k">${hand("k", arrow(reach, angle, tip), (isFirst ? KEY : 5) * size, s.key * (0.2 + 0.8 * on))}</g>
    <g data-marks="q">${hand("q", arrow(reach, query, tip), (isFirst ? 5 : 3) * size, 0.2 + 0.8 * on)}</g>
    ${isFirst ? names(s, room, stage, angle, query) : ""}
    ${seen(
      far,
      svg`<g data-marks="dials">
        <text class=${`t12 ${isRed ? "new" : "soft"} ${beside}`} opacity=${far} x=${x} y=${c.y + (isPhone ? -2 : c.r + 15)}>${say(isPhone ? "turn_short" : "turn_in", { places: turn })}</text>
        ${seen(far * on, svg`<text class=${`t14 ${beside}`} opacity=${far * on} x=${x} y=${c.y + (isPhone ? 13 : c.r + 32)}>${share > 0 ? "+" : ""}${number(share / 100, 2)}</text>`)}</g>`,
    )}</g>`;
}

/** Where the query has been. @param {State} s @param {Circle} c @param {Stage} stage */
const ghosts = (s, c, { seen: places }) =>
  mark(
    "q",
    s.ghosts,
    [...places]
      .filter((place) => place <= 12)
      .map((place) => {
        const to = START + s.bend + place;
        const [x1, y1] = round(c, c.r * 0.12, to);
        const [x2, y2] = round(c, c.r, to);
        const [x, y] = round(c, c.r + 16, to);
        return svg`<line stroke="var(--q)" stroke-width="2" opacity="0.4" x1=${x1} y1=${y1} x2=${x2} y2=${y2} />
          <text class="q t14 halo middle central" x=${x} y=${y}>${place}</text>`;
      }),
  );

/** Of the row: its word, and where there is room its score, as long as its shadow. @param {State} s @param {Room} room @param {Stage} stage @param {number} i */
export function keyName(s, { isPhone }, { say, number }, i) {
  const word = say(`${WORDS[i]}_word`);
  return isPhone ? word : say("key_score", { word, score: number(scores(s)[i] * Math.SQRT2, 2) });
}

/** The letters at the tips of the first dial. @param {State} s @param {Room} room @param {Stage} stage @param {number} angle @param {number} query */
function names(s, room, stage, angle, query) {
  const { step } = stage;
  const c = room.dial;
  const isRow = s.row > 0.5; // there each key has the name of its word, and the ring that of the query
  const narrow = Math.max(0.16, 20 / (c.r + 18)); // radians in which two letters do not fit
  const close = Math.max(0, narrow - Math.abs(wrapped(query - angle))) / 2;
  const push = s.key * close * (wrapped(query - angle) < 0 ? -1 : 1);
  const edge = isRow ? (room.isPhone ? EDGE : WIDE) : EDGE / 2;
  const most = isRow && room.isPhone ? room.panel.x - 28 : room.width - EDGE / 2;
  return ["k", "q"].map((name, j) => {
    const out = step() === "content" && j ? 30 : 18 + 22 * s.ghosts + 8 * s.row;
    const [x, y] = round(c, c.r + out, j ? query + push : angle - push);
    const opacity = j && isRow ? 0 : (j || s.key) * clamp(2 - s.view, 0, 1);
    return svg`<g data-marks=${name}>${seen(opacity, svg`<text class=${`${name} ${isRow ? "t14" : "name"} halo middle central`} opacity=${opacity} x=${clamp(x, edge, most)} y=${y}>${!j && isRow ? keyName(s, room, stage, 1) : name}</text>`)}</g>`;
  });
}
