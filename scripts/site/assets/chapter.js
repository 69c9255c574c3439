// A chapter of the course without a server: the same modules, its words from the page itself.

import { open } from "./static/course/course.js";

const KEPT = "posenc-look"; // what page.js keeps: light or dark, where the reader chose
try {
  document.documentElement.style.colorScheme = localStorage.getItem(KEPT) ?? "light dark";
} catch {
  document.documentElement.style.colorScheme = "light dark"; // a browser that keeps nothing
}
const chapter = JSON.parse(document.querySelector("#chapter").textContent);
const isEmbedded = new URLSearchParams(location.search).get("embed") === "true";
await open(document.body, chapter, { mode: isEmbedded ? "embed" : "" });
if (isSecureContext) await navigator.serviceWorker?.register("worker.js");
