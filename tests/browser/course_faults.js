/* global document, getComputedStyle, innerHeight, innerWidth */
// What is wrong with the step of the course that is shown, as sentences.
(course) => {
  const svg = course.querySelector("svg");
  const prose = course.querySelector(".prose");
  const room = svg.getBoundingClientRect();
  const shapes = "path, line, rect, circle, text, polygon, polyline, ellipse, image";
  const untold = /undefined|NaN|\[\[|\{/;
  const faults = new Set();

  // How much of an element is seen: 0 to 1.
  const presence = (node) => {
    let all = 1;
    for (let e = node; e !== course; e = e.parentNode) {
      const { display, visibility, opacity } = getComputedStyle(e);
      if (display === "none" || visibility === "hidden") return 0;
      all *= Number(opacity);
    }
    return all;
  };
  const isInside = (box) =>
    box.width + box.height > 0 &&
    box.right > room.left + 1 &&
    box.left < room.right - 1 &&
    box.bottom > room.top + 1 &&
    box.top < room.bottom - 1;
  const isCut = (box) =>
    box.left < room.left - 1 ||
    box.right > room.right + 1 ||
    box.top < room.top - 1 ||
    box.bottom > room.bottom + 1;

  if (document.scrollingElement.scrollHeight > innerHeight + 1) faults.add("the page scrolls");
  if (prose.scrollHeight > prose.clientHeight + 1)
    faults.add(`the words scroll: ${prose.scrollHeight} in ${prose.clientHeight}`);
  if (untold.test(prose.innerText)) faults.add("a number in the words is not told");

  const texts = [...svg.querySelectorAll("text")]
    .filter((text) => text.textContent.trim() && presence(text) > 0.1)
    .map((node) => ({ node, text: node.textContent.trim(), box: node.getBoundingClientRect() }))
    .filter(({ box }) => isInside(box));
  for (const { node, text, box } of texts) {
    if (parseFloat(getComputedStyle(node).fontSize) < 12) faults.add(`"${text}" is too small`);
    if (isCut(box)) faults.add(`"${text}" is cut`);
    if (untold.test(text)) faults.add(`"${text}" is not told`);
  }
  texts.forEach((a, i) => {
    for (const b of texts.slice(i + 1)) {
      const wide = Math.min(a.box.right, b.box.right) - Math.max(a.box.left, b.box.left);
      const high = Math.min(a.box.bottom, b.box.bottom) - Math.max(a.box.top, b.box.top);
      if (wide > 3 && high > 6) faults.add(`"${a.text}" and "${b.text}" overlap`);
    }
  });

  for (const { dataset } of prose.querySelectorAll("[data-mark]")) {
    const marked = [...svg.querySelectorAll(`[data-marks~="${dataset.mark}"] :is(${shapes})`)];
    marked.push(...course.querySelectorAll(`canvas[data-marks~="${dataset.mark}"]`));
    const isSeen = (shape) => presence(shape) > 0.05 && isInside(shape.getBoundingClientRect());
    if (!marked.some(isSeen)) faults.add(`nothing is marked "${dataset.mark}"`);
  }
  const next = course.querySelector(".next").getBoundingClientRect();
  if (next.bottom > innerHeight || next.right > innerWidth) faults.add("Next is out of the window");
  return [...faults];
};
