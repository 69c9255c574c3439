// How the chapters of a playlist were left while it is presented, until it is closed.

/** By the number of the entry.
 * @type {Map<string, { at: number, state: import("./types").State, seen: string[] }>} */
export const left = new Map();
