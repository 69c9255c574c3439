// Each step back takes a slope off the score.

import { BACK, CONTENT } from "../../page/by_hand.js";
import { penalty, slope } from "../../page/formulas/penalties.js";

const HEAD = 1; // of 8

/** @type {import("../../page/types").ByHand} */
export default {
  places: BACK,
  scores: BACK.map((back, i) => CONTENT[i] - penalty(slope(HEAD), back)),
  values: (number) => ({ slope: number(slope(HEAD), 1) }),
};
