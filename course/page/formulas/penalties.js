// ALiBi in numbers: what a score loses with the distance, and the attention that this leaves.

/**
 * Slope of a head, from 1, for a power of two of them. Press et al. 2021, section 3.
 * @param {number} head
 * @param {number} heads
 */
export const slope = (head, heads = 8) => 2 ** ((-8 * head) / heads);

/**
 * What a score loses at a distance: m·d on ALiBi's straight line. Bent, it is Kerple's logarithm
 * r₁ ln(1 + r₂ d) with r₂ = bend and r₁ = m / bend, which begins with the same slope.
 * @param {number} m
 * @param {number} distance
 * @param {number} bend
 */
export const penalty = (m, distance, bend = 0) =>
  bend < 1e-9 ? m * distance : (m / bend) * Math.log1p(bend * distance);

/** How bent a line is that loses so much at a distance. @param {number} m @param {number} distance @param {number} lost */
export function bendThrough(m, distance, lost) {
  let [low, high] = [0, 1]; // more bent is less lost
  if (lost >= m * distance) return 0;
  for (let i = 0; i < 30; i++) {
    const middle = (low + high) / 2;
    if (penalty(m, distance, middle) > lost) low = middle;
    else high = middle;
  }
  return high;
}

/**
 * The softmax's denominator over the nearest words, all contents alike.
 * @param {number} m
 * @param {number} words The query's own included.
 * @param {number} bend
 */
export function total(m, words, bend = 0) {
  if (bend < 1e-9) return Math.expm1(-m * words) / Math.expm1(-m); // a geometric series
  let sum = 0;
  for (let d = 0; d < words; d++) sum += Math.exp(-penalty(m, d, bend));
  return sum;
}

/**
 * The nearest words that hold a part of the attention on a straight line, all contents alike.
 * @param {number} m
 * @param {number} words
 * @param {number} mass
 */
export function pool(m, words, mass = 0.9) {
  const closed = Math.log1p(mass * Math.expm1(-m * words)) / -m;
  return Math.min(Math.max(Math.ceil(closed), 1), words);
}
