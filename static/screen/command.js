// A command to copy. It is broken at its spaces and between the fields of JSON: at the hyphen of an
// argument it can't be read.

import { copyText } from "./copy.js";

/** @param {string} word */
function whole(word) {
  return Object.assign(document.createElement("span"), { textContent: word });
}

/** @param {{ data: { text: string, copy: string, copied: string }, parentElement: HTMLElement }} component */
export default function ({ data, parentElement }) {
  const button = document.createElement("button");
  button.textContent = data.copy;
  button.onclick = async () => {
    await copyText(data.text);
    button.textContent = data.copied;
    setTimeout(() => (button.textContent = data.copy), 3000);
  };
  button.ariaLive = "polite";
  const written = Object.assign(document.createElement("pre"), { tabIndex: 0 });
  for (const part of data.text.split(/(\s+)|(?<=[,{]|":)/))
    if (part) written.append(part.trim() ? whole(part) : part);
  const made = Object.assign(document.createElement("div"), { className: "posenc-command" });
  made.append(button, written);
  parentElement.replaceChildren(made);
}
