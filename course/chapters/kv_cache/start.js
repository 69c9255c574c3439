// The numbers that the shelf is drawn from, in the KV cache and in the chapter for those who run models.

import { COUNT } from "./room.js";

const LOG = Math.log10;

export const start = {
  typed: COUNT, // words
  pick: 3, // the key that is looked at
  amount: LOG(COUNT), // words whose work is drawn, in powers of ten
  length: LOG(COUNT), // tokens whose shelf is weighed
  model: 0, // index of it
  past: 0, // tokens after the prompt
  pair: 25,
  place: 4000, // of the key that is looked at, in the long text
  way: 0, // index of the way out
  right: 0, // 1: keys have the turn that they should have
  block: 0, // of the measured curve
  until: 1, // blocks that are drawn
  shown: 1, // how much of the bars is told
  listed: 0, // 1: LongRoPE's lists in place of a base that grows
  // from here on: how much of it is there
  spread: 0, // 1: the shelf has the picture for itself
  types: 0,
  asks: 0,
  values: 0,
  fan: 0,
  work: 0,
  lens: 0,
  window: 0,
  far: 0,
  squeeze: 0,
  stale: 0,
  ways: 0,
  plot: 0,
  moved: 0,
};
