// Each distance has a number, which is added to the score.

import { BACK, CONTENT } from "../../page/by_hand.js";
import learned from "./data.js";

/** @type {import("../../page/types").ByHand} */
export default {
  places: BACK,
  scores: BACK.map((back, i) => CONTENT[i] + learned.numbers[back]),
};
