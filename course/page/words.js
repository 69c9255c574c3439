// Words with numbers of the picture in them: `[[score]]` in a text, and `[[back?word|words]]` for the form
// that a number asks for; `{step}` in the course's own.

/** @import { Chapter, Guess } from "./types" */
/** @import { Reading } from "./reading.js" */

const PLACE = /\[\[(\w+)(?:\?([^\]]*))?\]\]/g;
const CATEGORIES = /** @type {const} */ (["zero", "one", "two", "few", "many", "other"]);

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
 * The form of a word that a number asks for, as the page's language counts.
 * @param {Pick<Chapter, "language" | "separators">} chapter
 */
export function counting({ language, separators: [thousands, decimal] }) {
  /** @type {Intl.PluralRules[]} By decimals: in English one says 1 bit, and 1.0 bits. */
  const rules = [];
  /** @param {string} written The number, as `writer` writes it. @param {string} forms "word|words": one for each of the language's categories, in the order of `CATEGORIES`. */
  return (written, forms) => {
    const [whole, part = ""] = written.replaceAll(thousands, "").replace("−", "-").split(decimal);
    const rule = (rules[part.length] ??= new Intl.PluralRules(language, {
      minimumFractionDigits: part.length,
    }));
    const own = rule.resolvedOptions().pluralCategories;
    const at = CATEGORIES.filter((one) => own.includes(one)).indexOf(rule.select(Number(`${whole}.${part}`))); // prettier-ignore
    const all = forms.split("|");
    return all[Math.min(at, all.length - 1)];
  };
}

/**
 * What fills the places of a text.
 * @param {Pick<Chapter, "language" | "separators">} chapter
 */
export function filler(chapter) {
  const form = counting(chapter);
  /** @param {string} text @param {(name: string) => string | number} value */
  return (text, value) =>
    text.replace(PLACE, (_, name, forms) => {
      const written = String(value(name));
      return forms === undefined ? written : form(written, forms);
    });
}

/**
 * Words of the course with their values: "Step {step} of {count}".
 * @param {string} text
 * @param {Record<string, string | number>} values
 */
export const told = (text, values) =>
  text.replace(/\{(\w+)\}/g, (_, name) => String(values[name] ?? ""));

/**
 * Why the option that was chosen is wrong; "" for the right one.
 * @param {Pick<Guess, "right" | "wrong">} guess
 * @param {number | null} answer Index of the option.
 */
export const reasonOf = ({ right, wrong }, answer) =>
  answer === null || answer === right ? "" : (wrong[answer > right ? answer - 1 : answer] ?? "");

/** HTML of a lesson, in which numbers of the picture are told anew while it moves, and keep their sign of percent.
 * @param {string} html
 */
export const withPlaces = (html) =>
  html.replace(PLACE, (_, name, forms) => {
    const counted = forms === undefined ? "" : ` data-forms="${forms}"`;
    return `<span data-told="${name}"${counted}></span>`;
  });

/**
 * The words of a step as far as the reader has come in it, as HTML.
 * @param {Chapter} chapter @param {Reading} here @param {string} [numbers] What asks for them.
 */
export function proseOf({ title: chapter, words, steps }, here, numbers = "") {
  const { title, text, guess, task, reached } = here.step();
  const count = told(words.count, { title, chapter, step: here.at() + 1, count: steps.length });
  const hasTask = task && !here.isGuessing() && (here.isRevealed() || !guess);
  return withPlaces(
    `<p class="count"><span>${count}</span>${numbers}</p><h1 tabindex="-1">${title}</h1>${text}` +
      (guess ? (here.isGuessing() ? asking(guess, words) : answered(guess, words, here)) : "") +
      (hasTask ? `<div class="task">${task}</div>` : "") +
      `<div class="reached" hidden>${reached}</div>`,
  );
}

/** @param {Guess} guess @param {Chapter["words"]} words */
function asking({ question, options }, words) {
  const choices = options.length ? options : [words.commit];
  const buttons = choices.map(
    (text, i) => `<button type="button" data-choice="${i}">${text}</button>`,
  );
  return `<div class="ask">${question}</div><div class="choices">${buttons.join("")}</div>`;
}

/** @param {Guess} guess @param {Chapter["words"]} words @param {Reading} here */
function answered({ options, right, reveal, wrong }, words, here) {
  const answer = here.answer();
  const isRight = options.length ? answer === right : answer === 1;
  const said = options.length ? told(words.said, { option: options[answer ?? 0] }) : "";
  if (!here.isRevealed()) return `<p class="answer">${said} ${words.watch}</p> `;
  if (isRight) return `<p class="answer"><b>${words.right}</b></p> ${reveal}`; // says what was right
  const no = options.length ? words.wrong : words.missed;
  const why = reasonOf({ right, wrong }, answer);
  return `<p class="answer is-wrong">${said} <b>${no}</b> ${why}</p> ${reveal}`;
}
