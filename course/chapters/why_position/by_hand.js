// No encoding: words have no place, and a score is content alone.

import { CONTENT } from "../../page/by_hand.js";

/** @type {import("../../page/types").ByHand} */
export default {
  places: [],
  scores: CONTENT,
};
