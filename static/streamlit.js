// What Streamlit's page does not document: its parts, and what it says of its line and its runs.
// tests/ui/streamlit looks for each name in the Streamlit that is installed.

/** @param {string} name */
function part(name) {
  const found = /** @type {HTMLElement | null} */ (document.querySelector(`[data-testid=${name}]`));
  if (!found) console.warn(`Streamlit's page has no ${name}`);
  return found;
}

/** The whole page, whose colours are those of the theme. */
export const app = () => part("stApp");

/** What scrolls: everything but header and sidebar. */
export const main = () => part("stMain");

/** What a button has opened above the page. */
export const popover = () => part("stPopoverBody");

/**
 * Calls after every change with whether there is a line to the server, and whether a run is on.
 * @param {(now: { isConnected: boolean, isRunning: boolean }) => void} hear
 */
export function watch(hear) {
  const page = app();
  if (!page) return;
  const tell = () =>
    hear({
      isConnected: page.dataset.testConnectionState === "CONNECTED",
      isRunning: page.dataset.testScriptState === "running",
    });
  tell();
  new MutationObserver(tell).observe(page, {
    attributeFilter: ["data-test-connection-state", "data-test-script-state"],
  });
}
