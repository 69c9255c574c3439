// What this browser remembers of the course: the steps seen, the last one, and what was answered.

const KEPT = "posenc-course";

/** @typedef {{ screens?: Record<string, number[]>, last?: { screen: string, at: number },
 *              answers?: Record<string, Record<string, number>> }} Kept */

/** @returns {Kept} */
export function kept() {
  try {
    return JSON.parse(localStorage.getItem(KEPT) ?? "{}") ?? {};
  } catch {
    return {}; // a browser that keeps nothing
  }
}

/** @param {Kept} values */
function keep(values) {
  try {
    localStorage.setItem(KEPT, JSON.stringify({ ...kept(), ...values }));
  } catch {
    // a browser that keeps nothing
  }
}

/** @param {string} screen @param {number} at From 1. */
export function noteStep(screen, at) {
  const { screens = {} } = kept();
  const seen = new Set([...(screens[screen] ?? []), at]);
  keep({ screens: { ...screens, [screen]: [...seen] }, last: { screen, at } });
}

/** @param {string} screen @param {string} step @param {number} answer */
export function noteAnswer(screen, step, answer) {
  const { answers = {} } = kept();
  keep({ answers: { ...answers, [screen]: { ...answers[screen], [step]: answer } } });
}

/** @param {string} screen @param {string} step @returns {number | null} */
export const answerOf = (screen, step) => kept().answers?.[screen]?.[step] ?? null;
