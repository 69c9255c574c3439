// What a head does with a text, as shares of its attention.

/** @typedef {(query: number, key: number) => number} Weight */

const FROM = 2; // first query that counts: before it the first token is the query or the token before

/** Mean over the queries from one on. @param {number} from @param {number} count @param {(query: number) => number} share */
function mean(from, count, share) {
  let sum = 0;
  for (let query = from; query < count; query++) sum += share(query);
  return sum / (count - from);
}

/**
 * Mean attention some tokens back. Where the first token would count it is left out: heads rest there.
 * @param {Weight} weight @param {number} count Tokens. @param {number} back
 */
export const shareBack = (weight, count, back) =>
  mean(Math.max(FROM, back + Number(back > 1)), count, (query) => weight(query, query - back));

/** Mean attention to the first token. @param {Weight} weight @param {number} count */
export const shareFirst = (weight, count) => mean(FROM, count, (query) => weight(query, 0));

/** How many tokens back most of the attention goes. @param {Weight} weight @param {number} count */
export function mostBack(weight, count) {
  let best = 1;
  for (let back = 2; back < count - 3; back++)
    if (shareBack(weight, count, back) > shareBack(weight, count, best)) best = back;
  return best;
}
