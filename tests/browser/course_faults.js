/* global document, getComputedStyle, innerHeight, innerWidth */
// What is wrong with the step of the course that is shown, as sentences.
(course) => {
  const svg = course.querySelector("svg");
  const prose = course.querySelector(".prose");
  const room = svg.getBoundingClientRect();
  const shapes = "path, line, rect, circle, text, polygon, polyline, ellipse, image";
  const untold = /undefined|NaN|\[\[|\{/;
  const faults = new Set();

  // How much of an element is seen: 0 to 1; kept, because many shapes stand in the same groups.
  const known = new Map([[course, 1]]);
  const presence = (node) => {
    if (!known.has(node)) {
      const { display, visibility, opacity } = getComputedStyle(node);
      const isHidden = display === "none" || visibility === "hidden";
      known.set(node, isHidden ? 0 : presence(node.parentNode) * Number(opacity));
    }
    return known.get(node);
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

  const ways = [...document.querySelectorAll("#site > button, #site summary")];
  const isWhole = (way) => {
    const { top, bottom } = way.getBoundingClientRect();
    return way.checkVisibility() && top >= 0 && bottom <= course.getBoundingClientRect().top + 1;
  };
  if (!document.documentElement.classList.contains("present") && !ways.some(isWhole))
    faults.add("there is no way to the menu");
  if (document.scrollingElement.scrollHeight > innerHeight + 1) faults.add("the page scrolls");
  if (prose.scrollHeight > prose.clientHeight + 1)
    faults.add(`the words scroll: ${prose.scrollHeight} in ${prose.clientHeight}`);
  if (document.scrollingElement.scrollWidth > innerWidth) faults.add("the page scrolls sideways");
  const column = prose.getBoundingClientRect();
  for (const { left, right } of [...prose.querySelectorAll("*")].flatMap((one) => [
    ...one.getClientRects(),
  ]))
    if (left < column.left - 1 || right > column.right + 1) faults.add("words are cut at the side");
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

  // No line runs through a name or a number; those that are written over lines have a halo or a plate.
  const isDrawn = (line) => {
    const { stroke, strokeOpacity } = getComputedStyle(line);
    const isPart = line.closest("defs, [role=slider], .ring"); // a handle lies over what it hides
    return !isPart && stroke !== "none" && presence(line) * Number(strokeOpacity) > 0.35;
  };
  const isPlated = ({ node, box }) => {
    const plate = node.previousElementSibling;
    if (plate?.tagName !== "rect" || getComputedStyle(plate).fill === "none") return false;
    const { left, right } = plate.getBoundingClientRect();
    return left < box.left && right > box.right;
  };
  const plain = texts.filter(
    (one) => !one.node.matches(".halo, svg [role] *") && !isPlated(one) && presence(one.node) > 0.3,
  );
  // Nor does the ring that shows the focus of a handle, written over lines or not.
  const rings = [...svg.querySelectorAll("[role=slider] .ring")].filter(
    (ring) => presence(ring) > 0.3 && ring.closest("[role=slider]").tabIndex === 0,
  );
  const lines = [...svg.querySelectorAll("line, path, polyline")].filter(isDrawn);
  for (const line of [...lines, ...rings]) {
    const box = line.getBoundingClientRect();
    const long = line.tagName !== "path" || line.getAttribute("d") ? line.getTotalLength() : 0;
    const handle = line.matches(".ring") && line.closest("[role=slider]");
    const others = handle ? texts.filter(({ node }) => !handle.contains(node)) : plain;
    const near = others.filter(
      ({ box: b }) =>
        b.left < box.right + 1 &&
        b.right > box.left - 1 &&
        b.top < box.bottom + 1 &&
        b.bottom > box.top - 1,
    );
    if (!long || !near.length) continue;
    const onScreen = line.getScreenCTM();
    const count = Math.min(600, Math.ceil(long / 2));
    const points = Array.from({ length: count + 1 }, (_, i) =>
      line.getPointAtLength((long * i) / count).matrixTransform(onScreen),
    );
    for (const { text, box: b } of near) {
      const [wide, high] = [Math.min(3, b.width * 0.2), b.height * 0.28]; // the letters, not their box
      const isIn = ({ x, y }) =>
        x > b.left + wide && x < b.right - wide && y > b.top + high && y < b.bottom - high;
      const by = handle ? `the ring of "${handle.ariaLabel}"` : "a line";
      if (points.filter(isIn).length > 1) faults.add(`"${text}" is struck through by ${by}`);
    }
  }

  for (const { dataset } of prose.querySelectorAll("[data-mark]")) {
    const marked = [...svg.querySelectorAll(`[data-marks~="${dataset.mark}"] :is(${shapes})`)];
    marked.push(...course.querySelectorAll(`canvas[data-marks~="${dataset.mark}"]`));
    const isSeen = (shape) => presence(shape) > 0.05 && isInside(shape.getBoundingClientRect());
    if (!marked.some(isSeen)) faults.add(`nothing is marked "${dataset.mark}"`);
  }
  for (const { ariaLabel } of svg.querySelectorAll("[role=slider]"))
    if (!ariaLabel || untold.test(ariaLabel)) faults.add(`a slider is named "${ariaLabel}"`);
  const next = course.querySelector(".next").getBoundingClientRect();
  if (next.bottom > innerHeight || next.right > innerWidth) faults.add("Next is out of the window");
  return [...faults];
};
