// Which pages fit what was typed into the field of the header.

import { letters, pieces } from "../lines.js";

/**
 * @typedef {{ title: string, kind: string, address: string, words: string, more: string,
 *   numbers?: Record<string, string>, models?: string[] }} Entry
 */

const MOST = 8;
const TOLD = /^\/(course|questions)\/|^\/pitfalls\?/;
const SMALL = new Set(
  (
    "a again an and are at be between by can could difference do does explain for from happens has have how i in " +
    "is it me mean means my needn not of or should so t than that the there this to use vs was we what when " +
    "which why will with work works would you your"
  ).split(" "),
);
const NUMBER = /^\d+[km]?$/;
const TRIED = 3; // more for what can be tried than for what is told of it
const SAID = 4; // more where a question, or several words of a title, stand there as they were typed
const ENOUGH = 0.5; // of what was typed, where nothing has all of it

/** Letters as they are compared: without accents and capitals, "heat map" as "heatmap", words apart. */
/** @param {string} text */
function plain(text) {
  const compared = text
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/heat[\s-]map/g, "heatmap")
    .replace(/(\d)[,_](\d{3})\b/g, "$1$2")
    .replace(
      /(\d) ?(thousand|million)\b/g,
      (_all, digit, times) => digit + (times[0] === "t" ? "k" : "m"),
    )
    .replace(/[^\p{L}\p{N}√]+/gu, " ")
    .trim();
  const hasWide = letters(compared) > compared.length; // a language without spaces
  return hasWide ? pieces(compared).map((word) => word.trim()).join(" ") : compared; // prettier-ignore
}

/** A word without the ending of a plural or of a verb: what is found begins with it. */
/** @param {string} word */
const stem = (word) => word.replace(/(?<=...)(ings?|ed|s)$/, "");

/** How well an entry fits a word: 0 where it does not. */
/** @param {string} word @param {string} title @param {string} rest @returns {number} */
function fit(word, title, rest) {
  if (title.includes(" " + word)) return title.startsWith(" " + word) ? 5 : 4;
  if (title.includes(" " + stem(word))) return 3;
  if (rest.includes(" " + word)) return 2;
  return rest.includes(" " + stem(word)) || (word.length > 2 && title.includes(word)) ? 1 : 0;
}

/**
 * What fits best stands first. Every word that was typed begins a word of what is found, but for the
 * small ones of a question and for numbers (those are set where it is found). Where nothing has them
 * all, what has the rarer half of them is found, and words that are nowhere do not count.
 *
 * @param {Entry[]} known @param {string} typed @returns {Entry[]}
 */
export function search(known, typed) {
  const every = plain(typed).split(" ").filter(Boolean);
  const telling = every.filter((word) => !SMALL.has(word));
  const words = telling.length ? telling : every;
  const isQuestion = every.length > telling.length;
  const read = known.map(({ title, words, more, kind }) => ({
    title: ` ${plain(title)} `,
    rest: ` ${plain(words)} ${plain(more)} ${plain(kind)} `,
  }));
  const fits = known.map((entry, at) => {
    const { title = "", rest = "" } = read[at] ?? {};
    return words.map((word) => fit(word, title, rest) || (takes(entry, word) ? 2 : 0));
  });
  const rare = words.map((word, at) => {
    const having = fits.filter((marks) => marks[at]).length;
    return having && !NUMBER.test(word) ? Math.log(1 + known.length / having) : 0;
  });
  const whole = rare.reduce((sum, weight) => sum + weight, 0);
  const marked = known.map((entry, at) => {
    const marks = fits[at] ?? [];
    const isNeeded = words.map(
      (word) => !NUMBER.test(word) && !Object.hasOwn(entry.numbers ?? {}, word),
    );
    const hasAll = marks.every((mark, word) => mark || !isNeeded[word]);
    const part = marks.reduce((sum, mark, word) => sum + (mark ? (rare[word] ?? 0) : 0), 0);
    const mark = marks.reduce((sum, one) => sum + one, 0) / words.length;
    const said = ` ${every.join(" ")}`; // or a plural of it
    const isSaid =
      every.length > 1 &&
      (read[at]?.title.includes(said) || (isQuestion && read[at]?.rest.includes(said)));
    const more = (TOLD.test(entry.address) ? 0 : TRIED) + (isSaid ? SAID : 0);
    return { entry, at, hasAll, part: whole ? part / whole : 0, mark: mark && mark + more };
  });
  const all = marked.filter(({ hasAll, mark }) => hasAll && mark);
  all.sort((a, b) => b.mark - a.mark || a.at - b.at);
  const half = marked.filter(({ part, mark }) => mark && part >= ENOUGH);
  half.sort((a, b) => b.part - a.part || b.mark - a.mark || a.at - b.at);
  return (all.length ? all : half)
    .slice(0, MOST)
    .map(({ entry }) => withNumbers(withModel(entry, typed), every));
}

/**
 * The entry with an address that names the model that was typed: as it is where it has a size, the
 * first of its family where it has none.
 *
 * @param {Entry} entry @param {string} typed @returns {Entry}
 */
function withModel(entry, typed) {
  const { models = [], address } = entry;
  const family = (/** @type {string} */ name) => plain(name).split(" ")[0];
  const word = typed.trim().split(/\s+/).find((one) => models.some((name) => family(name) === family(one))); // prettier-ignore
  if (!word) return entry;
  const said = `${plain(typed.slice(typed.indexOf(word)))} `;
  const written = models.filter((name) => said.startsWith(`${plain(name)} `));
  const whole = written.sort((a, b) => b.length - a.length)[0];
  const first = models.find((name) => `${plain(name)} `.startsWith(`${plain(word)} `));
  const isNamed = /\W.*\d/.test(word);
  const model =
    models.find((name) => plain(name) === plain(word)) ?? (isNamed ? word : (whole ?? first));
  if (!model) return entry;
  return { ...entry, address: `${address}?model=${encodeURIComponent(model)}` };
}

/** Whether a word is a length of a text, and the entry leads to where one is set. */
/** @param {Entry} entry @param {string} word */
function takes({ numbers = {} }, word) {
  const isLength = /^\d+[km]$/.test(word) || (/^\d{4,}$/.test(word) && Number(word) % 1024 === 0);
  return isLength && Object.hasOwn(numbers, "");
}

/**
 * The entry with an address that sets what was typed: "12 heads", "position 3", "64k".
 *
 * @param {Entry} entry @param {string[]} typed @returns {Entry}
 */
function withNumbers(entry, typed) {
  const { numbers = {} } = entry;
  let { address } = entry;
  let number = "";
  let name = "";
  const lengths = typed.filter((word) => takes(entry, word));
  if (lengths.length) {
    const mark = address.includes("?") ? "&" : "?";
    return { ...entry, address: `${address}${mark}${numbers[""]}=${lengths.at(-1)}` };
  }
  for (const word of typed) {
    if (/^\d+$/.test(word)) number = word;
    else if (Object.hasOwn(numbers, word)) name = numbers[word] ?? "";
    if (!number || !name) continue;
    address += `&${name}=${number}`;
    number = name = "";
  }
  return { ...entry, address };
}
