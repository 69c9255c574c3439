// CoPE in numbers: how far the gates of a query are open, what they count, and what that adds to a score.

/** @typedef {number[]} Vector */

/** @param {Vector} a @param {Vector} b */
export const dot = (a, b) => a.reduce((sum, x, i) => sum + x * b[i], 0);

/** @param {number} x */
export const sigmoid = (x) => 1 / (1 + Math.exp(-x));

/**
 * How far each gate is open for a query: σ(q·k), as the paper has it. Golovneva et al. 2024, section 4.
 * @param {Vector} query
 * @param {Vector[]} keys
 */
export const gatesOf = (query, keys) => keys.map((key) => sigmoid(dot(query, key)));

/**
 * Where each token stands, seen from a query: the gates from the token up to the query, added up, but no higher
 * than the last floor. While the query moves between two tokens the later one counts in part.
 * @param {number[]} gates
 * @param {number} query Index of the token that asks.
 * @param {number} last
 */
export function positions(gates, query, last = Infinity) {
  let sum = 0;
  const places = gates.map(() => 0);
  for (let j = gates.length - 1; j >= 0; j--) {
    sum += gates[j] * Math.min(1, Math.max(0, query - j + 1));
    places[j] = Math.min(sum, last);
  }
  return places;
}

/**
 * The two whole positions around one, and how much of the upper one it takes.
 * @param {number} position
 */
export function around(position) {
  const low = Math.floor(position + 1e-9); // sums of gates are not exact
  const share = Math.max(0, position - low);
  return { low, high: share > 1e-9 ? low + 1 : low, share };
}

/**
 * What is between two whole positions: a mixture of what is at them.
 * @param {number} position
 * @param {number[]} values Of the whole positions; a position beyond them is at the last.
 */
export function between(position, values) {
  const { low, high, share } = around(position);
  const at = (/** @type {number} */ n) => values[Math.min(n, values.length - 1)];
  return (1 - share) * at(low) + share * at(high);
}

/** @param {number[]} scores */
export function softmax(scores) {
  const top = Math.max(...scores);
  const parts = scores.map((score) => Math.exp(score - top));
  const sum = parts.reduce((a, b) => a + b, 0);
  return parts.map((part) => part / sum);
}

/** How many gates a causal text of so many tokens has. @param {number} tokens */
export const gatesIn = (tokens) => (tokens * (tokens + 1)) / 2;
