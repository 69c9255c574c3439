// A button that only a narrow window shows, see app.css: it opens the controls below it.

import { button } from "./button.js";

/** @param {import("./button.js").Component} component */
export default function (component) {
  const fold = button(component, "posenc-fold");
  const set = (/** @type {boolean} */ isOpen) => {
    fold.setAttribute("aria-expanded", String(isOpen));
    document.documentElement.classList.toggle("posenc-unfolded", isOpen);
  };
  if (!fold.hasAttribute("aria-expanded")) set(false); // as every screen begins
  fold.onclick = () => set(fold.getAttribute("aria-expanded") !== "true");
}
