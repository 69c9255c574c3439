// Where an answer may lie: rings with a question mark, until it is given.

/** @typedef {import("./shapes").Point} Point */

const MOST = 3;
const R = 11;

/** @param {import("./types").Stage} stage @param {Element} parent */
export function buildAsked({ make, put, show, state }, parent) {
  const all = make("g", {}, parent);
  const rings = Array.from({ length: MOST }, () => {
    const ring = make("g", {}, all);
    const look = { r: R, fill: "var(--paper)", stroke: "var(--soft)", "stroke-dasharray": "3 4" };
    make("circle", { ...look, "stroke-width": 1.5 }, ring);
    make("text", { class: "t14 soft halo", "text-anchor": "middle", y: 5 }, ring, "?");
    return ring;
  });
  show(all, 0);
  return (/** @type {Point[]} */ spots, /** @type {number} */ presence) => {
    rings.forEach((ring, i) => {
      const [x, y] = spots[i] ?? [0, 0];
      put(ring, { transform: `translate(${x.toFixed(1)} ${y.toFixed(1)})` });
      show(ring, spots[i] ? 1 : 0);
    });
    show(all, presence * state.guessing);
  };
}
