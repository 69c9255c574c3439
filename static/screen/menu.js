// The menu of the page above a screen: another screen is opened in the page that stands, in half
// the time that a new page takes, and the session goes on. All else is a new page, as links are.

const SCREEN = /^\.\/(\w*)(?:\?(.*))?$/;

/** @type {(name: "open", value: [string, string]) => void} */
let tell;
let isListening = false;

/** @param {MouseEvent} event */
function open(event) {
  const link = event.target instanceof Element ? event.target.closest("a") : null;
  const [, screen, query] = SCREEN.exec(link?.getAttribute("href") ?? "") ?? [];
  const isPlain =
    event.button === 0 && !(event.ctrlKey || event.metaKey || event.shiftKey || event.altKey);
  if (screen === undefined || !isPlain) return;
  event.preventDefault();
  tell("open", [screen, query ?? ""]);
}

/** @param {{ setTriggerValue: typeof tell }} component */
export default function ({ setTriggerValue }) {
  tell = setTriggerValue;
  if (isListening) return;
  document.querySelector("#site")?.addEventListener("click", /** @type {EventListener} */ (open));
  isListening = true;
}
