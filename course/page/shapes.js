// Shapes that several pictures draw: points round a circle, arcs that go round more than once.

export const TURN = 2 * Math.PI;

/** @typedef {{ x: number, y: number, r: number }} Circle */
/** @typedef {[number, number]} Point */

/** @param {number} x @param {number} low @param {number} high */
export const clamp = (x, low, high) => Math.min(high, Math.max(low, x));

/** @param {number} a @param {number} b @param {number} t */
export const mix = (a, b, t) => a + (b - a) * t;

/** @param {number} radians */
export const degrees = (radians) => Math.round((radians * 180) / Math.PI);

/** An angle between -π and π. @param {number} radians */
export const wrapped = (radians) => Math.atan2(Math.sin(radians), Math.cos(radians));

/**
 * Angles go against the clock from the right, as in formulas; y goes down, as on screens.
 * @param {{ x: number, y: number }} centre @param {number} r @param {number} angle
 * @returns {Point}
 */
export const round = ({ x, y }, r, angle) => [x + r * Math.cos(angle), y - r * Math.sin(angle)];

/** A point in a path. @param {Point} point */
export const xy = ([x, y]) => `${x.toFixed(1)},${y.toFixed(1)}`;

/**
 * An arc that may go round more than once, and grows outward then.
 * @param {{ x: number, y: number }} centre
 * @param {number} r
 * @param {number} from Radians.
 * @param {number} by Radians.
 * @param {number} grow Pixels a turn.
 */
export function spiral(centre, r, from, by, grow = 0) {
  const count = Math.max(2, Math.ceil(Math.abs(by) / 0.12));
  const points = Array.from({ length: count + 1 }, (_, i) => {
    const turned = (by * i) / count;
    return xy(round(centre, r + (grow * Math.abs(turned)) / TURN, from + turned));
  });
  return `M${points.join("L")}`;
}

/**
 * @param {{ x: number, y: number }} centre
 * @param {number} r
 * @param {number} from
 * @param {number} by
 * @param {number} grow
 */
export const pie = (centre, r, from, by, grow = 0) =>
  `M${xy([centre.x, centre.y])}L${spiral(centre, r, from, by, grow).slice(1)}Z`;

/**
 * An arrow from the centre of a circle to its rim.
 * @param {Circle} circle
 * @param {number} angle
 * @param {number} head Pixels.
 */
export function arrow(circle, angle, head) {
  const tip = round(circle, circle.r, angle);
  const tipAt = { x: tip[0], y: tip[1] };
  const left = round(tipAt, head, angle + Math.PI - 0.42);
  const right = round(tipAt, head, angle + Math.PI + 0.42);
  const neck = round(circle, circle.r - head * 0.6, angle);
  return `M${xy([circle.x, circle.y])}L${xy(neck)}M${xy(tip)}L${xy(left)}L${xy(right)}Z`;
}
