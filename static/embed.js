// The line of HTML that puts a picture, as it is now, into somebody's page or slides.

const OF_THE_APP = ["step", "present", "picture", "list", "item"]; // parameters that are not settings

export function iframe(name, title) {
  const address = new URL(location.href);
  for (const key of [...OF_THE_APP, ...address.searchParams.keys()]) {
    if (OF_THE_APP.includes(key) || /^embed/i.test(key)) address.searchParams.delete(key);
  }
  address.searchParams.set("embed", "true");
  address.searchParams.set("picture", name);
  address.hash = "";
  const quoted = (text) => text.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;");
  return `<iframe src="${quoted(address.href)}" title="${quoted(title)}" width="800" height="600" style="border: 0" loading="lazy"></iframe>`;
}

// Copies the line and says so beside the picture.
export async function copyIframe(host, name, title, said) {
  const text = iframe(name, title);
  try {
    await navigator.clipboard.writeText(text);
  } catch { // a page without https has no clipboard of its own
    const field = Object.assign(document.createElement("textarea"), { value: text });
    document.body.append(field);
    field.select();
    document.execCommand("copy");
    field.remove();
  }
  host.querySelector(".posenc-copied")?.remove();
  const note = Object.assign(document.createElement("div"), { className: "posenc-copied", textContent: said });
  note.setAttribute("role", "status");
  note.style.cssText = "position: absolute; top: 2rem; right: 0.5rem; z-index: 5; padding: 0.3rem 0.7rem; font-size: 0.875rem;"
    + "border: 1px solid currentColor; border-radius: 0.4rem; background: var(--st-background-color); color: var(--st-text-color);";
  host.append(note);
  setTimeout(() => note.remove(), 3000);
}
