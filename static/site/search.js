// Which pages fit what was typed into the field of the header.

/**
 * @typedef {{ title: string, kind: string, address: string, words: string, more: string,
 *   numbers?: Record<string, string> }} Entry
 */

const MOST = 8;
const TOLD = /^\/(course|questions)\/|^\/pitfalls\?/;
const SMALL = new Set(
  "a again an and are be by can do does for how i in is it my not of the to what when which why with".split(
    " ",
  ),
);
const NUMBER = /^\d+k?$/;
const TRIED = 3; // more for what can be tried than for what is told of it

/** Letters as they are compared: without accents and capitals, "heat map" as "heatmap". */
/** @param {string} text */
function plain(text) {
  return text
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/heat[\s-]map/g, "heatmap")
    .replace(/[^\p{L}\p{N}√]+/gu, " ")
    .trim();
}

/**
 * What fits best stands first; every word that was typed, but for the small ones of a question and
 * for numbers (those are set where it is found), begins a word of what is found.
 *
 * @param {Entry[]} known @param {string} typed @returns {Entry[]}
 */
export function search(known, typed) {
  const every = plain(typed).split(" ").filter(Boolean);
  const telling = every.filter((word) => !SMALL.has(word));
  const words = telling.length ? telling : every;
  if (!words.length) return [];
  const marked = known.map((entry, at) => {
    const title = " " + plain(entry.title);
    const rest = " " + plain(`${entry.words} ${entry.more} ${entry.kind}`);
    let mark = 0;
    for (const word of words) {
      if (title.includes(" " + word)) mark += title.startsWith(" " + word) ? 5 : 4;
      else if (rest.includes(" " + word)) mark += 2;
      else if (word.length > 2 && title.includes(word)) mark += 1;
      else if (!NUMBER.test(word) && !Object.hasOwn(entry.numbers ?? {}, word))
        return { entry, at, mark: 0 };
    }
    const more = !mark || TOLD.test(entry.address) ? 0 : TRIED;
    return { entry, at, mark: mark / words.length + more };
  });
  const found = marked.filter(({ mark }) => mark > 0);
  found.sort((a, b) => b.mark - a.mark || a.at - b.at);
  return found.slice(0, MOST).map(({ entry }) => withNumbers(entry, every));
}

/**
 * The entry with an address that sets what was typed: "12 heads", "position 3".
 *
 * @param {Entry} entry @param {string[]} typed @returns {Entry}
 */
function withNumbers(entry, typed) {
  const { numbers = {} } = entry;
  let { address } = entry;
  let number = "";
  let name = "";
  for (const word of typed) {
    if (/^\d+$/.test(word)) number = word;
    else if (Object.hasOwn(numbers, word)) name = numbers[word] ?? "";
    if (!number || !name) continue;
    address += `&${name}=${number}`;
    number = name = "";
  }
  return { ...entry, address };
}
