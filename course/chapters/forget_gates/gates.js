// What is left of words: by gates, by shares of a stick, in a memory, and after keys that came later.

/** @typedef {[number, number]} Vector */

export const COUNT = 10; // tokens of the sentence
export const LAST = COUNT - 1;
export const [ANN, STOP, BREAK, BOB, COMMA, NEXT] = [0, 2, 3, 4, 6, 8];
export const FADES = 0.9; // the gate of the memory
export const KEEPS = 0.95; // every gate where keys overwrite
export const COMMAS = 5; // as long as one line's end
export const WIDE = 0.8; // of the stick, for the nearest

/** All gates alike; that of the first token fades nothing. @param {number} gate @returns {number[]} */
export const alike = (gate) => Array.from({ length: COUNT }, (_, i) => (i ? gate : 1));

/** A list with another number at one place. @param {number[]} list @param {number} at @param {number} value */
export const replaced = (list, at, value) => list.map((old, i) => (i === at ? value : old));

/** What arrives of each token at the last: the product of the gates after it, the last one's among them. @param {number[]} gates */
export function lights(gates) {
  const found = gates.map(() => 1);
  for (let j = gates.length - 2; j >= 0; j--) found[j] = found[j + 1] * gates[j + 1];
  return found;
}

/** How far each token is from the last, if a gate is a road of −ln(gate). @param {number[]} gates */
export const distances = (gates) => lights(gates).map((light) => -Math.log(light));

/** From the nearest back, each token breaks off its share of what is left. @param {number[]} shares */
export function broken(shares) {
  const parts = shares.map(() => 0);
  let left = 1;
  for (let j = shares.length - 1; j >= 0; j--) {
    parts[j] = shares[j] * left;
    left -= parts[j];
  }
  return { parts, left };
}

/** An arrow of length 1. @param {number} degrees @returns {Vector} */
export const ray = (degrees) => {
  const angle = (degrees * Math.PI) / 180;
  return [Math.cos(angle), Math.sin(angle)];
};

/** @param {Vector} a @param {Vector} b */
export const dot = ([a, b], [c, d]) => a * c + b * d;

/** Verbs that write: token, degrees of the key, value. */
export const WRITES = [
  { token: 1, name: ANN, key: 90, value: 3 },
  { token: 5, name: BOB, key: 0, value: 1 },
  { token: 7, name: BOB, key: 0, value: 4 },
];

/**
 * The memory of one number of the values: an arrow. A verb fades it, then moves it along the verb's key.
 * @param {number} read Verbs that were read; one in part has faded first.
 * @returns {Vector}
 */
export function memory(read) {
  /** @type {Vector} */
  let s = [0, 0];
  WRITES.forEach(({ key, value }, n) => {
    const part = Math.min(1, Math.max(0, read - n));
    const fade = FADES ** Math.min(1, 2 * part);
    s = [s[0] * fade, s[1] * fade];
    const k = ray(key);
    const by = Math.max(0, 2 * part - 1) * (value - dot(s, k));
    s = [s[0] + by * k[0], s[1] + by * k[1]];
  });
  return s;
}

/**
 * What is left of each token that writes along a key, and what gates alone would leave.
 * @param {number[]} keys Degrees.
 */
export const influence = (keys) =>
  keys.map((degrees, j) => {
    let u = ray(degrees);
    for (const later of keys.slice(j + 1)) {
      const k = ray(later);
      const along = dot(u, k);
      u = [KEEPS * (u[0] - along * k[0]), KEEPS * (u[1] - along * k[1])];
    }
    return { left: Math.hypot(...u), gates: KEEPS ** (keys.length - 1 - j) };
  });
