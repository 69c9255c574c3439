// Query and keys are turned by their places, at a quarter of the speed.

import { BACK, KEYS_AT, QUERY_AT, SPEED } from "../../page/by_hand.js";
import { score } from "../../page/formulas/rotation.js";

const FACTOR = 4;

/** @type {import("../../page/types").ByHand} */
export default {
  places: BACK.map((back) => back / FACTOR),
  scores: BACK.map(
    (back, i) => score([SPEED / FACTOR], [QUERY_AT - KEYS_AT[i]], [1], back) / Math.SQRT2,
  ),
  values: (number) => ({ factor: number(FACTOR) }),
};
