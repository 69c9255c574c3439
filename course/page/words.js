// Words with numbers of the picture in them: `[[score]]` in a text, `{step}` in the course's own.

/** @typedef {import("./types").Chapter} Chapter */

const PLACE = /\[\[(\w+)\]\]/g;

/**
 * How numbers are written in the reader's language.
 * @param {[string, string]} separators Of thousands and of decimals.
 */
export function writer([thousands, decimal]) {
  /** @param {number} value @param {number} digits */
  return (value, digits = 0) => {
    const fixed = Math.abs(value).toFixed(digits);
    const [whole, part] = fixed.split(".");
    const grouped = whole.replace(/\B(?=(\d{3})+$)/g, thousands);
    const sign = value < 0 && Number(fixed) !== 0 ? "−" : "";
    return sign + grouped + (part ? decimal + part : "");
  };
}

/**
 * A text with its places filled.
 * @param {string} text
 * @param {(name: string) => string | number} value
 */
export const fill = (text, value) => text.replace(PLACE, (_, name) => String(value(name)));

/**
 * Words of the course with their values: "Step {step} of {count}".
 * @param {string} text
 * @param {Record<string, string | number>} values
 */
export const told = (text, values) =>
  text.replace(/\{(\w+)\}/g, (_, name) => String(values[name] ?? ""));

/**
 * Why the option that was chosen is wrong; "" for the right one.
 * @param {Pick<import("./types").Guess, "right" | "wrong">} guess
 * @param {number | null} answer Index of the option.
 */
export const reasonOf = ({ right, wrong }, answer) =>
  answer === null || answer === right ? "" : (wrong[answer > right ? answer - 1 : answer] ?? "");

/** HTML of a lesson, in which numbers of the picture are told anew while it moves, and keep their sign of percent.
 * @param {string} html
 */
export const withPlaces = (html) => html.replace(PLACE, '<span data-told="$1"></span>');
