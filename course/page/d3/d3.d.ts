export { drag } from "d3-drag";
export { easeCubicInOut } from "d3-ease";
export { select } from "d3-selection";
export type * from "d3-drag";
export type * from "d3-ease";
export type * from "d3-selection";
