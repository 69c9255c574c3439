// Where a reader is in a chapter: the step, what was answered, and whether the task is reached. It draws nothing.

import { answerOf, noteAnswer, noteStep } from "./progress_store.js";

/** @import { Chapter, Picture, State } from "./types" */
/** @typedef {ReturnType<typeof reading>} Reading */

/** @param {Chapter} chapter @param {Picture} picture */
export function reading({ id, steps }, picture) {
  /** @type {State} */
  const state = { ...picture.start, guessing: 0 };
  const seen = new Set();
  let at = -1;
  /** @type {number | null} */
  let answer = null;
  let isRevealed = false;
  let isReached = false;

  const step = () => steps[at];
  const ofPicture = () => picture.steps[step().id];
  const isGuessing = () => step().guess !== null && answer === null;

  return {
    state,
    seen,
    step,
    ofPicture,
    isGuessing,
    at: () => at,
    answer: () => answer,
    isRevealed: () => isRevealed,

    /** Begin a step, as far as this browser has come in it. @param {number} to @returns {State | null} Where the picture goes. */
    begin(to) {
      if (to === at || !steps[to]) return null;
      at = to;
      answer = step().guess && answerOf(id, step().id);
      isRevealed = answer !== null;
      isReached = false;
      seen.clear();
      const { at: opened, after, seen: known = [] } = ofPicture();
      for (const one of known) seen.add(one);
      noteStep(id, at + 1);
      const guessing = isGuessing() ? 1 : 0;
      return { ...picture.start, ...opened, ...(isRevealed ? after : {}), guessing };
    },

    /** Commit to an answer. @param {number} option @returns {{ to: State, ms: number } | null} Where the picture goes, and how slowly. */
    choose(option) {
      const { guess, id: name } = step();
      if (!guess || answer !== null) return null;
      const { after, slow = 1200, isRight } = ofPicture();
      answer = guess.options.length ? option : Number(isRight?.(state) ?? false);
      noteAnswer(id, name, answer);
      return { to: { ...after, guessing: 0 }, ms: slow };
    },

    /** Whether an answer is now shown that was not. */
    reveal() {
      const isNew = answer !== null && !isRevealed;
      isRevealed ||= isNew;
      return isNew;
    },

    /** Whether the task is now reached that was not. */
    reach() {
      const isNew = !isReached && !isGuessing() && Boolean(ofPicture().goal?.(state, seen));
      isReached ||= isNew;
      return isNew;
    },

    /** Whether what is said of a task that was reached is true of what is shown. */
    isTrue() {
      const { follows, goal } = ofPicture();
      return !isReached || Boolean(follows || goal?.(state, seen));
    },
  };
}
