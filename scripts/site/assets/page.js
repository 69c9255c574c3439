// A page beside the chapters: light or dark, as the reader chose or as the system says.

const KEPT = "posenc-look";
const system = matchMedia("(prefers-color-scheme: dark)");
const root = document.documentElement;

function look() {
  let chosen = null;
  try {
    chosen = localStorage.getItem(KEPT);
  } catch {
    /* a browser that keeps nothing */
  }
  root.dataset.look = chosen ?? (system.matches ? "dark" : "light");
}

document.querySelector(".look").addEventListener("click", () => {
  const other = root.dataset.look === "dark" ? "light" : "dark";
  try {
    localStorage.setItem(KEPT, other);
  } catch {
    /* for this page alone */
  }
  root.dataset.look = other;
});
system.addEventListener("change", look);
look();

document.querySelector("main > .sorry")?.remove();
