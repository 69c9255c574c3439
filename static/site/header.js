// The header of every page: opens and closes its menu, and finds pages. No server is asked: what
// can be found stands in search.json, a file.

/** @import { Entry } from "./search.js" */

/** @template {Element} T @param {string} selector @param {new () => T} kind @returns {T} */
function part(selector, kind) {
  const found = document.querySelector(selector);
  if (!(found instanceof kind)) throw new Error(`no ${selector} on this page`);
  return found;
}

const header = part("#site", HTMLElement);
const skip = part("#site a.skip", HTMLAnchorElement);
const button = part("#site button.open", HTMLButtonElement);
const finder = part("#site button.find", HTMLButtonElement);
const input = part("#site input", HTMLInputElement);
const list = part("#site-found", HTMLUListElement);
const status = part("#site [role=status]", HTMLElement);
const groups = [...header.querySelectorAll("details")];

const isOpened = () => header.classList.contains("opened");

/** Opens or closes all of the menu, as on a phone. @param {boolean} isOpen */
function open(isOpen) {
  if (isOpen === isOpened()) return;
  header.classList.toggle("opened", isOpen);
  button.ariaExpanded = String(isOpen);
  for (const group of groups) {
    group.setAttribute("name", isOpen ? "" : "site-menu"); // of one name, one is open
    group.open = isOpen;
  }
}

/** Closes what is open; whether there was something. @param {Element | null} but */
function close(but = null) {
  let closed = false;
  for (const group of groups) {
    if (group !== but && group.open) {
      group.open = false;
      closed = true;
    }
  }
  return closed;
}

button.addEventListener("click", () => open(!isOpened()));

finder.addEventListener("click", () => {
  open(true);
  input.focus();
});

/**
 * Light becomes dark and back, kept from page to page.
 * @param {Element} seen In whose colours the page is.
 */
function flip(seen) {
  const root = document.documentElement;
  const { colorScheme } = getComputedStyle(seen);
  const isDark = colorScheme.includes("light")
    ? colorScheme.includes("dark") && matchMedia("(prefers-color-scheme: dark)").matches
    : colorScheme.includes("dark");
  const look = isDark ? "light" : "dark";
  try {
    localStorage.setItem("posenc-look", look);
  } catch {
    // a browser that keeps nothing
  }
  root.dataset.look = look;
  root.classList.toggle("posenc-dark", !isDark);
  root.classList.toggle("posenc-light", isDark);
  dispatchEvent(new Event("posenc-look"));
}

part("#site button.shade", HTMLButtonElement).addEventListener("click", () => {
  flip(header);
  // A screen takes it when it begins: Streamlit has no other way.
  if (!document.documentElement.classList.contains("scripts")) location.reload();
});
// The key of a presenter, static/presenter.js.
addEventListener("posenc-flip", (event) => {
  flip(/** @type {CustomEvent<Element>} */ (event).detail);
});

addEventListener("pointerdown", ({ target }) => {
  const within = target instanceof Node && header.contains(target) ? target : null;
  if (!within) {
    close();
    hide();
  } else if (!list.parentElement?.contains(within)) hide();
});

header.addEventListener("focusout", ({ relatedTarget }) => {
  if (relatedTarget instanceof Node && !header.contains(relatedTarget)) {
    close();
    hide();
    open(false);
  }
});

// A screen opens another one by a link of its own, in half the time that a new page takes, and the
// session goes on.
addEventListener("click", (event) => {
  const link = event.target instanceof Element ? event.target.closest("a[href]") : null;
  if (!link || event.defaultPrevented) return;
  const isPlain = !(event.ctrlKey || event.metaKey || event.shiftKey || event.altKey);
  const ways = document.querySelectorAll(".st-key-site_ways a");
  const to = /** @type {HTMLAnchorElement} */ (link).href;
  const way = [...ways].find((one) => /** @type {HTMLAnchorElement} */ (one).href === to);
  if (isPlain && way instanceof HTMLElement) {
    event.preventDefault();
    way.click();
  }
  if (header.contains(link)) follow();
});

header.addEventListener("keydown", (event) => {
  if (event.key === "Escape") {
    if (hide()) return;
    if (isOpened()) button.focus();
    else
      groups
        .find((one) => one.open)
        ?.querySelector("summary")
        ?.focus();
    open(false);
    close();
  } else if (event.key === "ArrowDown" || event.key === "ArrowUp") {
    moveInGroup(event);
  }
});

/** Arrow keys go through an open group. @param {KeyboardEvent} event */
function moveInGroup(event) {
  const group = event.target instanceof Element ? event.target.closest("details") : null;
  if (!group) return;
  event.preventDefault();
  group.open = true;
  const ways = [...group.querySelectorAll("a, summary")];
  const at = ways.indexOf(/** @type {Element} */ (document.activeElement));
  const to =
    ways[Math.min(Math.max(at + (event.key === "ArrowDown" ? 1 : -1), 0), ways.length - 1)];
  if (to instanceof HTMLElement) to.focus();
}

// What is shown: a screen may lead to another without a new page.

function follow() {
  const wasHere = header.contains(document.activeElement);
  close();
  const main = wasHere && document.querySelector(skip.hash);
  if (main instanceof HTMLElement) main.focus({ preventScroll: true });
  open(false);
  hide();
  input.value = "";
  for (const link of header.querySelectorAll(".groups a")) {
    const there = new URL(/** @type {HTMLAnchorElement} */ (link).href).pathname;
    const isHere =
      location.pathname === there ||
      (/\/course\/.+\/$/.test(there) && location.pathname.startsWith(there));
    if (isHere) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  for (const group of groups) {
    group.classList.toggle("here", group.querySelector("[aria-current]") !== null);
  }
  const query = new URLSearchParams(location.search);
  header.hidden = query.get("present") === "1";
  if (!header.hidden && query.get("embed") !== "true") {
    try {
      sessionStorage.removeItem("posenc-room"); // Back leaves a projector's room as Leave does
    } catch {
      // a browser that keeps nothing
    }
  }
}

// Search

/** @type {Promise<(typed: string) => Entry[]> | undefined} */
let finding;
let chosen = -1;

// Asked for when the field is gone to: most pages are read without it.
function begin() {
  finding ??= Promise.all([
    import("./search.js"),
    fetch("./search.json" + (header.lang && `?lang=${header.lang}`)).then((answer) =>
      answer.json(),
    ),
  ])
    .then(
      ([{ search }, entries]) =>
        /** @param {string} typed */ (typed) =>
          search(entries, typed),
    )
    .catch(() => {
      finding = undefined; // asked again at the next letter
      return () => [];
    });
  return finding;
}

/** Folds the list; whether it was there. */
function hide() {
  const was = !list.hidden;
  list.hidden = true;
  input.ariaExpanded = "false";
  input.removeAttribute("aria-activedescendant");
  chosen = -1;
  return was;
}

/** @param {string} tag @param {string} text */
function made(tag, text) {
  const node = document.createElement(tag);
  node.textContent = text;
  return node;
}

async function find() {
  const typed = input.value;
  if (!typed.trim()) {
    hide();
    status.textContent = "";
    return;
  }
  const found = (await begin())(typed);
  if (typed !== input.value) return;
  list.replaceChildren(...found.map(option));
  if (!found.length) list.append(nothing());
  list.hidden = false;
  input.ariaExpanded = "true";
  status.textContent = found.length
    ? found.map(({ title }) => title).join(", ")
    : (header.dataset.nothing ?? "");
  choose(found.length ? 0 : -1);
}

/** @param {Entry} entry @param {number} at */
function option(entry, at) {
  const item = document.createElement("li");
  item.role = "option";
  item.id = `site-found-${at}`;
  const link = document.createElement("a");
  if (entry.address) link.setAttribute("href", `.${entry.address}`);
  else item.addEventListener("click", () => tellAlone(item));
  link.tabIndex = -1;
  link.append(made("b", entry.title), made("small", entry.kind), made("small", entry.words));
  item.append(link);
  return item;
}

function nothing() {
  const item = document.createElement("li");
  const line = made("p", `${header.dataset.nothing} `);
  const link = /** @type {HTMLAnchorElement} */ (made("a", header.dataset.ask ?? ""));
  link.setAttribute("href", "./questions/");
  line.append(link);
  item.append(line);
  return item;
}

/** An answer that stands on no page: the others go. @param {Element} item */
function tellAlone(item) {
  list.replaceChildren(item);
  choose(0);
  status.textContent = item.querySelector("small:last-child")?.textContent ?? "";
}

/** @param {number} at */
function choose(at) {
  chosen = at;
  [...list.children].forEach((item, one) => {
    if (item.role === "option") item.ariaSelected = String(one === at);
  });
  if (at < 0) input.removeAttribute("aria-activedescendant");
  else input.setAttribute("aria-activedescendant", `site-found-${at}`);
  list.children[at]?.scrollIntoView({ block: "nearest" });
}

input.addEventListener("focus", () => {
  if (!isOpened()) close();
  void begin();
});
input.addEventListener("input", () => void find());
input.addEventListener("keydown", (event) => {
  const count = list.querySelectorAll("[role=option]").length;
  if (list.hidden || !count) return;
  if (event.key === "ArrowDown" || event.key === "ArrowUp") {
    event.preventDefault();
    choose((chosen + (event.key === "ArrowDown" ? 1 : count - 1)) % count);
  }
});
part("#site form", HTMLFormElement).addEventListener("submit", (event) => {
  event.preventDefault();
  const item = list.children[chosen];
  const link = item?.querySelector("a");
  if (link?.hasAttribute("href")) link.click();
  else if (item) tellAlone(item);
});

if ("navigation" in window) {
  let path = "";
  const look = () => {
    const now = location.pathname + (new URLSearchParams(location.search).get("present") ?? "");
    if (now !== path) follow();
    path = now;
  };
  look();
  // Browsers without it keep the mark of the page that was opened.
  /** @type {EventTarget} */ (window.navigation).addEventListener("currententrychange", look);
}
// A page that is gone back to has no open menu.
addEventListener("pageshow", ({ persisted }) => persisted && follow());

export {};
