// A page of the walks without a server: draws its pictures, goes by arrow keys, changes its look.

const KEPT = "posenc-look";
const OTHERS = "input, textarea, select, button, summary, [contenteditable], [role=slider], [role=radio], .posenc-chart *";
const KEYS = { ArrowRight: "next", PageDown: "next", ArrowLeft: "prev", PageUp: "prev" };
const system = matchMedia("(prefers-color-scheme: dark)");
const root = document.documentElement;

function look() {
  let chosen = null;
  try { chosen = localStorage.getItem(KEPT); } catch { /* a browser that keeps nothing */ }
  root.dataset.look = chosen ?? (system.matches ? "dark" : "light");
  dispatchEvent(new Event("posenc-look"));
}

document.querySelector(".look").addEventListener("click", () => {
  const other = root.dataset.look === "dark" ? "light" : "dark";
  try { localStorage.setItem(KEPT, other); } catch { /* for this page alone */ }
  root.dataset.look = other;
  dispatchEvent(new Event("posenc-look"));
});
system.addEventListener("change", look);
look();

addEventListener("keydown", (event) => {
  const way = KEYS[event.key];
  if (!way || event.defaultPrevented || event.ctrlKey || event.altKey || event.metaKey || event.target.closest?.(OTHERS)) return;
  document.querySelector(`a[rel=${way}]`)?.click();
});

// What the app's server would say and hear: the same modules, data from files, nobody to report to.
async function draw(place) {
  const { module, file } = place.dataset;
  const answer = await fetch(file);
  if (!answer.ok) throw new Error(`${file}: ${answer.status}`);
  const told = file.endsWith(".json") ? await answer.json() : new Uint8Array(await answer.arrayBuffer());
  const { default: picture } = await import(module);
  place.replaceChildren();
  await picture({ data: told, parentElement: place, setStateValue() {}, setTriggerValue() {} });
}

// `?embed=true&picture=bias`, as in the app: one picture alone, for somebody's page or slides.
const asked = new URLSearchParams(location.search);
const places = [...document.querySelectorAll("[data-module]")];
if (asked.get("embed") === "true" && places.length) {
  const one = places.find((place) => place.dataset.key === asked.get("picture")) ?? places[0];
  root.dataset.alone = "";
  for (const place of places) place.closest("figure").hidden = place !== one;
}
document.querySelector("main > .sorry")?.remove();
await Promise.all(places.map(draw));
