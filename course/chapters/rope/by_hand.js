// Query and keys are turned by their places.

import { BACK, KEYS_AT, QUERY_AT, SPEED } from "../../page/by_hand.js";
import { score } from "../../page/formulas/rotation.js";

/** @type {import("../../page/types").ByHand} */
export default {
  places: BACK,
  scores: BACK.map((back, i) => score([SPEED], [QUERY_AT - KEYS_AT[i]], [1], back) / Math.SQRT2),
};
