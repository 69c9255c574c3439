// Rows of sines are added to query and keys.

import { KEYS, LAST, PLACES, QUERY, SPEED, scaled } from "../../page/by_hand.js";
import { row } from "../../page/formulas/sinusoids.js";

const sum = (/** @type {number[]} */ a, /** @type {number[]} */ b) => a.map((x, i) => x + b[i]);
const asked = sum(QUERY, row([SPEED], LAST));

/** @type {import("../../page/types").ByHand} */
export default {
  places: PLACES,
  scores: KEYS.map((key, i) => scaled(asked, sum(key, row([SPEED], i)))),
};
