// What stands above a picture: its buttons, its choices, and the ways to take it along.

import { takeMenu } from "../take.js";
import { save } from "./files.js";
import { element } from "./tools.js";

export const bar = (...parts) => element("div", { class: "bar" }, ...parts);

export function button(text, click, attributes = {}) {
  const made = element("button", { type: "button", ...attributes }, text);
  made.addEventListener("click", click);
  return made;
}

// Native radio buttons that look like one bar: `options` have id and label, `choose` gets an id.
export function choice(name, legend, options, choose) {
  const group = `${name}-${Math.random().toString(36).slice(2)}`;
  const labels = options.map(({ id, label }) => {
    const input = element("input", { type: "radio", name: group, value: id });
    input.addEventListener("change", () => choose(id));
    return element("label", {}, input, element("span", {}, label));
  });
  return element(
    "fieldset",
    {},
    element("legend", {}, legend),
    element("span", { class: "segments" }, ...labels),
  );
}

// Puts radio buttons in the place of `picture.choices[name]`, unless they offer the same.
export function offer(picture, name, legend, options, choose) {
  const { choices } = picture;
  const offered = options.map(({ label }) => label).join();
  if (choices[name].dataset.offered === offered) return;
  const made = choice(name, legend, options, choose);
  made.dataset.offered = offered;
  choices[name].replaceWith(made);
  choices[name] = made;
}

// Checks what the reader wants of all choices.
export function check({ choices, want }) {
  for (const [name, group] of Object.entries(choices)) {
    for (const input of group.querySelectorAll("input"))
      input.checked = input.value === String(want[name]);
  }
}

// The ways to take the picture along.
export function files(picture) {
  const { host } = picture;
  const menu = takeMenu(() => {
    const { key, alt, take } = picture.data;
    const ask = (kind) => picture.ask("file", kind);
    return { host, key, alt, take, save: (...how) => save(picture, ...how), ask };
  });
  return element("div", { class: "posenc-take" }, menu);
}
