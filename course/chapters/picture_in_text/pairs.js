// The dials of a head: each turns with t, the row or the column alone. Wang et al. 2024, section 2.1.

import { invFreq, softmax } from "../../page/formulas/rotation.js";
import data from "./data.js";
import { COLUMNS } from "./ids.js";

export const PAIRS = 64;
export const LENGTH = 24; // of the query and of every key
export const USED = 4; // fastest dials of the rows and of the columns, on which both lie
export const ORDERS = /** @type {const} */ (["blocks", "interleaved"]);

/** @typedef {"blocks" | "interleaved"} Order */
/** @typedef {[number, number]} Way Rows and columns. */

/** @param {Order} order */
const made = (order) => ({ axes: data[order].axes, speeds: invFreq(PAIRS, data[order].base) });
export const DIALS = { blocks: made("blocks"), interleaved: made("interleaved") };

/** Indices of the dials of a number, the fastest first. @param {Order} order @param {number} axis 0: t, 1: row, 2: column. */
export const ofAxis = (order, axis) =>
  DIALS[order].axes.flatMap((one, i) => (one === axis ? [i] : []));

/** Radians by which a dial turns over so many rows and columns. @param {Order} order @param {number} i @param {Way} way */
export function turn(order, i, [rows, columns]) {
  const { axes, speeds } = DIALS[order];
  return speeds[i] * [0, rows, columns][axes[i]];
}

/** Degrees of the fastest dial of an axis, for one step. @param {Order} order @param {number} axis */
export const fastest = (order, axis) =>
  (DIALS[order].speeds[ofAxis(order, axis)[0]] * 180) / Math.PI;

/**
 * Shares of the patches up to the query's own, for a head whose query is turned by a way: by position alone.
 * @param {Order} order @param {number} query Index of its patch. @param {Way} way Rows and columns from the query to the wanted patch.
 */
export function shares(order, query, way) {
  const used = [1, 2].flatMap((axis) => ofAxis(order, axis).slice(0, USED));
  const size = (LENGTH * LENGTH) / used.length / Math.sqrt(2 * PAIRS);
  const [r, c] = [Math.floor(query / COLUMNS), query % COLUMNS];
  const scores = Array.from({ length: query + 1 }, (_, j) => {
    /** @type {Way} */
    const off = [Math.floor(j / COLUMNS) - r - way[0], (j % COLUMNS) - c - way[1]];
    return used.reduce((sum, i) => sum + size * Math.cos(turn(order, i, off)), 0);
  });
  return softmax(scores);
}
