// What stands above a picture: its buttons, its choices, and the ways to take it along.

const { search } = new URL(import.meta.url);
const load = (name) => import(name + search);
const [{ element }, { save }, { chooseSize }, { copyAddress, copyIframe, saveNotebook }] =
  await Promise.all([
    load("./tools.js"),
    load("./files.js"),
    load("../saving.js"),
    load("../embed.js"),
  ]);

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

// A menu: a file of the picture with the settings that show it again, its address, a line of HTML.
export function files(picture) {
  const { host } = picture,
    { key, files: words } = picture.data;
  const menu = element("details", { class: "files" }, element("summary", {}, words.menu));
  const close = () => (menu.open = false);
  const entry = (text, click, attributes) =>
    button(
      text,
      () => {
        close();
        click();
      },
      attributes,
    );
  const saved = (format) => () => save(picture, format);
  menu.append(
    element(
      "div",
      {},
      entry(words.png, saved("png")),
      entry(words.svg, saved("svg")),
      entry(words.sizes, () => chooseSize(host, words)),
      entry(words.address, () => copyAddress(host, words.addressCopied)),
      entry(words.embed, () => copyIframe(host, key, picture.data.alt, words.copied), {
        title: words.iframe,
      }),
      ...(picture.data.notebook
        ? [entry(words.notebook, () => saveNotebook(key, picture.data.notebook))]
        : []),
    ),
  );
  menu.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !menu.open) return;
    event.stopPropagation();
    close();
    menu.firstChild.focus();
  });
  menu.addEventListener("focusout", ({ relatedTarget }) => menu.contains(relatedTarget) || close());
  return menu;
}
