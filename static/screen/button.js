// The one button of a component.

/** @typedef {{ data: { label: string }, parentElement: HTMLElement }} Component */

/** @param {Component} component @param {string} name */
export function button({ data, parentElement }, name) {
  let found = parentElement.querySelector("button");
  if (!found) {
    found = document.createElement("button");
    found.className = name;
    parentElement.append(found);
  }
  found.textContent = data.label;
  return found;
}
