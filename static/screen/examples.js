// A list of examples closes when one is chosen, and the picture beneath is seen.

import { popover } from "../streamlit.js";

export default function () {
  const list = popover();
  const opener = /** @type {HTMLElement | null} */ (
    document.querySelector(".st-key-preset button")
  );
  if (!list || !opener) return;
  list.onclick = ({ target }) => {
    if (!(/** @type {Element} */ (target).closest("button"))) return;
    // The page hears of what is chosen after this.
    setTimeout(() => {
      opener.click();
      opener.focus();
    });
  };
}
