// A chapter of the course: the picture of its step, then all other steps, from what the page holds.

import { open } from "./course.js";

const { classList } = document.documentElement;
const mode = ["present", "embed"].find((name) => classList.contains(name)) ?? "";
const course = /** @type {HTMLElement} */ (document.querySelector(".course"));
const { textContent } = /** @type {Element} */ (document.querySelector("#chapter"));
const chapter = JSON.parse(textContent ?? "");
const { default: picture } = await import(`../chapters/${chapter.id}/picture.js`);
if (mode) (await import("./present.js")).present(mode, course, chapter);
open(course, chapter, picture, mode);
