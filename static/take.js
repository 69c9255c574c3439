// The menu of a figure: every way to take it along, the same for all of them.

import { copyAddress, copyIframe, say, sourceAddress } from "./embed.js";
import { choosePrint, download, sizeOf } from "./saving.js";

// By kind.
const FILES = {
  code: { type: "text/x-python", ending: "py" },
  notebook: { type: "application/x-ipynb+json", ending: "ipynb" },
  csv: { type: "text/csv", ending: "csv" },
  npz: { type: "application/zip", ending: "npz" },
};

// `figure()` tells what is drawn now: `host`, `key`, `alt`, `take` (from ui/charts/take.py), `save`
// (a format and a size to a file), and `ask`, which lets the server make one of `FILES`.
export function takeMenu(figure) {
  const { words } = figure().take;
  const menu = make("details", { className: "posenc-menu" });
  const entries = make("div");
  menu.append(make("summary", { textContent: words.menu }), entries);
  const close = () => {
    menu.open = false;
    menu.firstChild.focus();
  };
  menu.addEventListener("toggle", () => {
    if (!menu.open) return;
    const groups = ways(figure()).filter((group) => group.length);
    entries.replaceChildren(
      ...groups.map((group) => {
        const made = make("div");
        made.append(
          ...group.map(([textContent, click]) => {
            const entry = make("button", { type: "button", textContent });
            entry.addEventListener("click", () => {
              close();
              click();
            });
            return entry;
          }),
        );
        return made;
      }),
    );
    entries.scrollIntoView({ block: "nearest" }); // a menu may open below what is seen
  });
  menu.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !menu.open) return;
    event.stopPropagation();
    close();
  });
  menu.addEventListener("focusout", ({ relatedTarget }) => {
    if (!menu.contains(relatedTarget)) menu.open = false;
  });
  return menu;
}

function ways({ host, key, alt, take, save, ask }) {
  const { words, offers } = take;
  const list = document.querySelector(".st-key-playlist_add button"); // on a whole screen
  return [
    [
      [words.slide, () => save("png", sizeOf("slide"))],
      [words.png, () => save("png", sizeOf("screen"))],
      [words.svg, () => save("svg", sizeOf("screen", "sans"))],
      [words.print, () => choosePrint(host, words, save)],
    ],
    [
      [words.address, () => copyAddress(host, words.addressCopied)],
      [words.embed, () => copyIframe(host, key, alt, words.embedCopied)],
      ...(list ? [[words.list, () => list.click()]] : []),
    ],
    offers.map((kind) => [
      words[kind],
      () => {
        say(host, words.making);
        ask(kind);
      },
    ]),
  ];
}

// A file that the server has made.
export function takeFile(host, { name, words, file: { kind, text, base64 } }) {
  const { type, ending } = FILES[kind];
  const address = JSON.stringify(sourceAddress()).slice(1, -1);
  const content = base64
    ? Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))
    : text.replaceAll("posenc:address", address);
  download(new Blob([content], { type }), `${name}.${ending}`);
  say(host, words.saved.replace("{0}", `${name}.${ending}`));
}

const make = (tag, properties = {}) => Object.assign(document.createElement(tag), properties);

// Of the menu, and of the buttons beside it.
export const STYLES = `
  .posenc-take {
    position: absolute;
    top: 0;
    right: 0;
    z-index: 6;
    display: flex;
    gap: 0.1rem;
    font-size: 0.875rem;
    line-height: 1.3;
    color: var(--st-text-color);
  }
  .posenc-picture .posenc-take {
    position: relative;
    margin-left: auto;
  }
  .posenc-take :is(button, summary) {
    min-width: 1.8rem;
    padding: 0.2rem 0.45rem;
    border: 1px solid transparent;
    border-radius: 0.4rem;
    background: none;
    color: inherit;
    font: inherit;
    text-align: center;
    white-space: nowrap;
    cursor: pointer;
  }
  .posenc-take > button {
    opacity: 0.8;
  }
  /* For a finger: what is touched is higher than what is seen, and a row of the menu as high. */
  @media (pointer: coarse) {
    .posenc-take > button,
    .posenc-menu > summary {
      position: relative;
    }
    .posenc-take > button::after,
    .posenc-menu > summary::after {
      content: "";
      position: absolute;
      inset: -0.5rem 0;
    }
    .posenc-take .posenc-menu button {
      min-height: 2.5rem;
    }
  }
  .posenc-take :is(button, summary):hover,
  .posenc-take [aria-pressed="true"] {
    border-color: currentColor;
    opacity: 1;
  }
  .posenc-take [hidden] {
    display: none;
  }
  .posenc-take :is(button, summary):focus-visible {
    outline: 3px solid light-dark(#0072b2, #56b4e9);
    outline-offset: -2px;
  }
  .posenc-menu > div {
    position: absolute;
    right: 0;
    width: max-content;
    padding: 0.3rem;
    border: 1px solid color-mix(in srgb, currentColor 30%, transparent);
    border-radius: 0.5rem;
    background: var(--st-background-color);
  }
  .posenc-menu > div > div {
    display: grid;
  }
  .posenc-menu > div > div + div {
    margin-top: 0.3rem;
    padding-top: 0.3rem;
    border-top: 1px solid color-mix(in srgb, currentColor 20%, transparent);
  }
  .posenc-menu button {
    text-align: left;
  }
`;
