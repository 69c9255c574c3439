// What a guess costs, and how sure a count is.

/** One in how many: what a token of so many bits was given. @param {number} bits */
export const odds = (bits) => 2 ** bits;

/** The probability that so many bits stand for. @param {number} bits */
export const probability = (bits) => 2 ** -bits;

const NORMAL = 1.959964; // the 97.5% quantile of the normal distribution

/**
 * The 95% interval of a share, by Wilson (1927).
 * @param {number} right
 * @param {number} asked
 * @returns {[number, number]}
 */
export function interval(right, asked) {
  const share = right / asked;
  const more = NORMAL ** 2 / asked;
  const middle = (share + more / 2) / (1 + more);
  const half = Math.sqrt((share * (1 - share) * more + more ** 2 / 4) / (1 + more) ** 2);
  return [middle - half, middle + half];
}
