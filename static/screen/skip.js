// By keyboard one would pass all controls on the way to the picture: this is the short way, seen
// only while it has the focus.

import { button } from "./button.js";

/** @returns {HTMLElement | null} */
export const picture = () => document.querySelector(".posenc-chart, .posenc-picture");

function skip() {
  const first = picture();
  if (!first) return;
  first.tabIndex = -1;
  first.focus({ preventScroll: true });
  first.scrollIntoView({ block: "nearest" });
}

/** @param {import("./button.js").Component} component */
export default function (component) {
  button(component, "posenc-skip").onclick = skip;
}
