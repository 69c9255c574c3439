// The numbers of a picture on their way from one state to another.

/** @import { State } from "./types" */

const still = matchMedia("(prefers-reduced-motion: reduce)");

const ARRIVED = 6; // times in which two thirds of a way are gone: a four-hundredth is left

/** Slow at both ends. @param {number} t 0 to 1 */
const eased = (t) => (t < 0.5 ? 4 * t ** 3 : 1 - 4 * (1 - t) ** 3);

/**
 * The value between two: numbers and lists of numbers move, anything else changes at once.
 * @param {any} from
 * @param {any} to
 * @param {number} t 0 to 1
 * @returns {any}
 */
export function between(from, to, t) {
  if (typeof from === "number" && typeof to === "number") return from + (to - from) * t;
  if (Array.isArray(from) && Array.isArray(to) && from.length === to.length)
    return to.map((value, i) => between(from[i], value, t));
  return to;
}

/** @param {any} one @param {any} other @returns {boolean} */
const isSame = (one, other) =>
  one === other ||
  (Array.isArray(one) &&
    Array.isArray(other) &&
    one.length === other.length &&
    one.every((value, i) => isSame(value, other[i])));

/**
 * @param {State} state Changed in place.
 * @param {() => void} changed Called after every change.
 */
export function motion(state, changed) {
  /** @type {{ from: State, to: State, began: number, ms: number } | null} */
  let flight = null;
  /** @type {{ to: State, ms: number, last: number, left: number } | null} */
  let chase = null;

  /** @param {number} now */
  function fly(now) {
    if (!flight) return;
    const t = Math.min(1, Math.max(0, (now - flight.began) / flight.ms));
    const { from, to } = flight;
    for (const name in to)
      state[name] = t === 1 ? to[name] : between(from[name], to[name], eased(t));
    if (t === 1) flight = null;
    changed();
  }

  /** @param {number} now */
  function come(now) {
    if (!chase) return;
    const { to, ms, last } = chase;
    const passed = Math.max(0, now - last);
    const left = chase.left - passed;
    const share = left > 0 ? 1 - Math.exp(-passed / ms) : 1;
    for (const name in to)
      state[name] = share === 1 ? to[name] : between(state[name], to[name], share);
    chase = left > 0 ? { to, ms, last: now, left } : null;
    changed();
  }

  return {
    /** What is set stays; everything else goes on with its move. @param {State} values */
    set(values) {
      for (const name in values) {
        delete flight?.to[name];
        delete chase?.to[name];
      }
      Object.assign(state, values);
      changed();
    },

    /** What was on its way somewhere else gets there with it. @param {State} values @param {number} ms */
    move(values, ms = 600) {
      if (still.matches || !ms) return this.set(values);
      const to = { ...flight?.to, ...values };
      const from = Object.fromEntries(Object.keys(to).map((name) => [name, state[name]]));
      flight = { from, to, began: performance.now(), ms };
      changed();
    },

    /** Nearer with every frame, as a picture follows a hand: two thirds of the way are gone after
     * so many milliseconds. @param {State} values @param {number} ms
     */
    follow(values, ms) {
      if (still.matches) return this.set(values);
      const names = Object.keys(values).filter((name) => !isSame(state[name], values[name]));
      const to = Object.fromEntries(names.map((name) => [name, values[name]]));
      const last = chase?.last ?? performance.now();
      chase = names.length ? { to, ms, last, left: ARRIVED * ms } : null;
      changed();
    },

    /** @param {number} now */
    advance(now) {
      fly(now);
      come(now);
    },

    isMoving: () => flight !== null || chase !== null,
  };
}
