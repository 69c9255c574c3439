// The address that shows a picture again, the line of HTML that puts it into somebody's page, and
// what stands under it there.

import { copyText } from "./screen/copy.js";

const OF_THE_APP = ["step", "present", "picture", "list", "item", "story"]; // parameters that are not settings

// As wide as a narrow page has room, and then high enough for a picture with its legend.
const FRAME =
  "border: 0; width: 100%; max-width: 800px; height: auto; aspect-ratio: 4 / 3; min-height: 420px";

// In the colours that the reader sees: slides are dark or light whatever somebody's system says.
export function iframe(host, name, title) {
  const address = new URL(location.href);
  for (const key of [...OF_THE_APP, ...address.searchParams.keys()]) {
    if (OF_THE_APP.includes(key) || /^embed/i.test(key)) address.searchParams.delete(key);
  }
  address.searchParams.set("embed", "true");
  const scheme = getComputedStyle(host).colorScheme;
  if (["dark", "light"].includes(scheme))
    address.searchParams.set("embed_options", `${scheme}_theme`);
  address.searchParams.set("picture", name);
  address.hash = "";
  const quoted = (text) =>
    text.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;");
  return `<iframe src="${quoted(address.href)}" title="${quoted(title)}" width="800" height="600" style="${FRAME}" loading="lazy"></iframe>`;
}

// Under what is no picture of ours: a table.
export default ({ data, parentElement }) => parentElement.replaceChildren(foot(data));

// Without what says how it is shown: to whom, how large, in which list.
function addressHere() {
  const address = new URL(location.href);
  for (const name of ["present", "list", "item", "tab", "story", "embed", "embed_options"])
    address.searchParams.delete(name);
  return address;
}

export const sourceAddress = () => addressHere().href;

export const copyAddress = (host, said) => copy(host, sourceAddress(), said);

export const copyIframe = (host, name, title, said) => copy(host, iframe(host, name, title), said);

// What stands under a picture in somebody's page: what it shows, whose it is, and the way back.
export function foot({ caption, name, licence, open }) {
  const made = Object.assign(document.createElement("div"), { className: "posenc-foot" });
  const add = (tag, text, more) =>
    Object.assign(document.createElement(tag), { textContent: text, ...more });
  const [address, back] = ["", open].map((text) =>
    add("a", text, { target: "_blank", rel: "noopener" }),
  );
  // The address follows what the reader moves.
  const follow = () => {
    address.textContent = address.href = back.href = sourceAddress();
  };
  for (const event of ["pointerover", "focusin"]) made.addEventListener(event, follow);
  follow();
  const source = add("p", "", { className: "source" });
  source.append(add("span", name), address, add("span", licence), back);
  if (caption) made.append(add("p", caption));
  made.append(source);
  return made;
}

// Copies a text and says so beside the picture.
async function copy(host, text, said) {
  await copyText(text);
  say(host, said);
}

// A sentence beside the picture, for three seconds.
export function say(host, said) {
  host.querySelector(".posenc-copied")?.remove();
  const note = Object.assign(document.createElement("div"), {
    className: "posenc-copied",
    textContent: said,
  });
  note.setAttribute("role", "status");
  note.style.cssText =
    "position: absolute; top: 2rem; right: 0.5rem; z-index: 5; padding: 0.3rem 0.7rem; font-size: 0.875rem;" +
    "border: 1px solid currentColor; border-radius: 0.4rem; background: var(--st-background-color); color: var(--st-text-color);";
  host.append(note);
  setTimeout(() => note.remove(), 3000);
}
