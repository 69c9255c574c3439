// A small picture beside the sentence of a term, for those that are seen sooner than read. No letters: nothing to translate.

import { braces } from "./formulas/distances.js";
import { sigmoid, softmax } from "./formulas/gates.js";
import { slope } from "./formulas/penalties.js";
import { arrow, pie, spiral, xy } from "./shapes.js";

/** @import { Point } from "./shapes.js" */

const [WIDE, HIGH] = [300, 96];
const TOKENS = 6;
const SCORES = [2, 1, 0, -1];
const BUCKETS = 12; // few enough to be told apart
const FAR = 40; // the last distance that is drawn
const SCALE = 7; // pixels of a distance

/** @param {string} d @param {string} look */
const line = (d, look = "") =>
  `<path d="${d}" fill="none" stroke="var(--ink)" stroke-width="2" ${look}/>`;
/** @param {string} d @param {string} colour */
const area = (d, colour) => `<path d="${d}" fill="var(--${colour})"/>`;
/** @param {number} x @param {number} y @param {number} w @param {number} h @param {string} colour */
const box = (x, y, w, h, colour) =>
  area(
    `M${x.toFixed(1)},${y.toFixed(1)}h${w.toFixed(1)}v${h.toFixed(1)}h${(-w).toFixed(1)}Z`,
    colour,
  );
/** @param {{ x: number, y: number, r: number }} circle @param {number} angle @param {string} colour */
const hand = (circle, angle, colour, look = "") =>
  `<path d="${arrow(circle, angle, 12)}" fill="var(--${colour})" stroke="var(--${colour})" stroke-width="3" ${look}/>`;
/** @param {(x: number) => number} f Of 0 to 1, gives -1 to 1. @param {number} middle @param {number} h */
const curve = (f, middle, h) =>
  `M${Array.from({ length: WIDE + 1 }, (_, x) => xy([x, middle - f(x / WIDE) * h])).join("L")}`;
/** @template T @param {number} count @param {(i: number) => T} one */
const each = (count, one) => Array.from({ length: count }, (_, i) => one(i));
const ring = (/** @type {{ x: number, y: number, r: number }} */ { x, y, r }) =>
  `<circle cx="${x}" cy="${y}" r="${r}" fill="none" stroke="var(--soft)"/>`;

const DIAL = { x: 150, y: 48, r: 42 };

/** @type {Record<string, () => string>} */
const SKETCHES = {
  dot_product: () => {
    const from = { x: 60, y: 78, r: 190 };
    const query = { ...from, r: 120 };
    const shade = 120 * Math.cos(0.6);
    return (
      line(`M60,84h${shade}`, 'style="stroke-width: 8"') +
      line(`M${60 + shade},78v${-120 * Math.sin(0.6)}`, 'stroke-dasharray="3 4"') +
      hand(from, 0, "k") +
      hand(query, 0.6, "q")
    );
  },
  softmax: () => {
    const shares = softmax(SCORES);
    const scores = SCORES.map((score, i) =>
      box(20 + 28 * i, 60 - Math.max(0, score) * 18, 18, Math.max(2, Math.abs(score) * 18), "ink"),
    );
    const parts = shares.map((share, i) =>
      box(180 + 28 * i, 88 - share * 80, 18, share * 80, "attention"),
    );
    return scores.join("") + line("M14,60h116M142,50h20m-6-5l6,5l-6,5M174,88h116") + parts.join("");
  },
  causal_mask: () =>
    each(TOKENS, (i) =>
      each(TOKENS, (j) => box(102 + 16 * j, 16 * i, 14, 14, j > i ? "line" : "attention")).join(""),
    ).join(""),
  sinusoidal: () =>
    each(3, (i) => line(curve((x) => Math.sin((40 * x) / 3.2 ** i), 16 + 32 * i, 12))).join(""),
  radian: () =>
    ring(DIAL) +
    area(pie(DIAL, DIAL.r, 0, 1), "line") +
    line(`M${DIAL.x},${DIAL.y}h${DIAL.r}`, 'style="stroke-width: 5"') +
    line(spiral(DIAL, DIAL.r, 0, 1), 'style="stroke-width: 5"'),
  rotation: () =>
    ring(DIAL) +
    hand(DIAL, 0.3, "q", 'opacity="0.3"') +
    line(spiral(DIAL, 20, 0.3, 1.4)) +
    hand(DIAL, 1.7, "q"),
  pair: () => {
    const dial = { ...DIAL, x: 230 };
    const at = 0.6;
    return (
      line("M30,48h62") +
      box(40, 48 - 60 * Math.cos(at) * 0.6, 16, 60 * Math.cos(at) * 0.6, "q") +
      box(66, 48 - 60 * Math.sin(at) * 0.6, 16, 60 * Math.sin(at) * 0.6, "q") +
      line("M118,48h40m-7-5l7,5l-7,5") +
      ring(dial) +
      hand(dial, at, "q")
    );
  },
  learned_table: () =>
    each(4, (i) =>
      each(10, (j) =>
        box(70 + 16 * j, 18 * i, 14, 16, (i * 7 + j * 3) % 5 < 2 ? "soft" : "line"),
      ).join(""),
    ).join("") + line("M70,76h158v16h-158Z", 'stroke-dasharray="3 4"'),
  bucket: () =>
    braces(BUCKETS, FAR - 1)
      .filter(({ from }) => from < FAR)
      .map(({ from, to }) => {
        const end = Math.min(to, FAR - 1) + 1;
        return line(`M${10 + from * SCALE + 1},40v10H${10 + end * SCALE - 1}v-10`);
      })
      .join("") + each(FAR, (i) => box(10 + i * SCALE + 2, 28, 3, 3, "soft")).join(""),
  slope: () =>
    [1, 2, 4].map((head) => line(`M10,8L290,${(8 + 160 * slope(head)).toFixed(1)}`)).join(""),
  window: () => each(12, (i) => box(6 + 24 * i, 38, 20, 20, i < 8 ? "line" : "attention")).join(""),
  trained_length: () =>
    each(12, (i) => box(6 + 24 * i, 38, 20, 20, i < 8 ? "attention" : "new")).join("") +
    line("M197,26v44"),
  base: () =>
    [1.4, 0.7]
      .map((angle, i) => {
        const dial = { ...DIAL, x: 75 + 150 * i };
        return (
          ring(dial) + area(pie(dial, DIAL.r, 0.3, angle), "line") + hand(dial, 0.3 + angle, "q")
        );
      })
      .join(""),
  ramp: () => line("M10,86H100L200,14H290"),
  temperature: () =>
    [2, 1, 0.5]
      .map((warm, k) =>
        softmax(SCORES.map((score) => score / warm))
          .map((share, i) =>
            box(14 + 100 * k + 18 * i, 88 - share * 80, 14, share * 80, "attention"),
          )
          .join(""),
      )
      .join("") + line("M8,88h284"),
  kerple: () =>
    line("M290,8L10,88", 'stroke-dasharray="3 4"') +
    line(curve((x) => 1 - (1.6 * Math.log(21 - 20 * x)) / Math.log(21), 48, 38)),
  sandwich: () =>
    line("M290,8L10,88", 'stroke-dasharray="3 4"') +
    line(curve((x) => 1.8 * x - 0.9 + 0.08 * Math.sin(40 * x), 48, 38)),
  fire: () =>
    [1, 0.55]
      .map((part) => line(curve((x) => 1 - 2 * Math.min(1, (1 - x) / part) ** 0.4, 48, 38)))
      .join(""),
  xpos: () =>
    each(3, (i) => {
      const dial = { ...DIAL, x: 50 + 100 * i };
      return ring(dial) + hand({ ...dial, r: dial.r * 0.72 ** i }, 0.4 + 0.9 * i, "k");
    }).join(""),
  bleu: () =>
    each(16, (i) =>
      box(
        22 + 33 * (i % 8),
        i < 8 ? 14 : 58,
        26,
        22,
        i % 8 > 1 && i % 8 < 6 ? "attention" : "line",
      ),
    ).join("") + line("M101,36v22M134,36v22M167,36v22M200,36v22", 'stroke-dasharray="3 4"'),
  perplexity: () =>
    [2, 4, 8]
      .map((choices, n) =>
        each(choices, (i) =>
          box(30 + 100 * n + (i % 4) * 18, 26 + (i >> 2) * 24, 14, 18, "attention"),
        ).join(""),
      )
      .join(""),
  gate: () =>
    [1, 0.6, 0]
      .map(
        (open, i) =>
          box(72 + 56 * i, 84 - 68 * open, 40, 68 * open, "content") +
          line(`M${72 + 56 * i},16h40v68h-40Z`),
      )
      .join(""),
  sigmoid: () =>
    line(curve((x) => 2 * sigmoid(12 * x - 6) - 1, 48, 38)) +
    line("M0,10h300M0,86h300", 'style="stroke: var(--line)"'),
  gqa: () =>
    each(8, (i) => {
      const [x, group] = [31 + 34 * i, 82 + 136 * (i >> 2)];
      return (
        line(`M${x},22L${group},76`, 'style="stroke: var(--line)"') +
        `<circle cx="${x}" cy="20" r="9" fill="var(--q)"/><circle cx="${group}" cy="76" r="11" fill="var(--k)"/>`
      );
    }).join(""),
};

export const SKETCHED = Object.keys(SKETCHES);

/** The picture of a term, "" where there is none. @param {string} term */
export const sketch = (term) => {
  const inside = SKETCHES[term]?.();
  return inside ? `<svg viewBox="0 0 ${WIDE} ${HIGH}" aria-hidden="true">${inside}</svg>` : "";
};
