// The drawing of a picture: what can be dragged or pressed, and what words light.

import { Directive, directive, noChange } from "./lit/lit.js";

/** @import { Attributes, Colour, Grip, Handle } from "./types" */

const SVG = "http://www.w3.org/2000/svg";
const DIM = 0.45; // what no word of the step names
const FAINT = 0.16; // beside a mark that is pointed at in the words
const FAST = 5; // times as far with Shift, or with the keys of pages
const ARROWS = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1 };
const UP = ["ArrowUp", "ArrowDown"];
const PAGES = { PageUp: 1, PageDown: -1 };
const LEAP = 40; // on the way to an end
const ENDS = { Home: -1, End: 1 };

/**
 * @param {SVGSVGElement} svg
 * @param {{ dragged: (isDragged: boolean) => void, arrive: () => void, isGuessing?: () => boolean }} course
 *   `arrive` lets the picture be at once where it moves.
 *   While a question waits, `isGuessing`, nothing is moved but what is free.
 */
export function drawing(svg, { dragged, arrive, isGuessing = () => false }) {
  /** @type {WeakMap<Element, Attributes>} */
  const written = new WeakMap();
  /** Opacity of a mark. @type {WeakMap<Element, string>} */
  const shown = new WeakMap();

  /** @param {Element} node @param {Attributes} attributes */
  function put(node, attributes) {
    let old = written.get(node);
    if (!old) written.set(node, (old = {}));
    for (const name in attributes) {
      const value = attributes[name];
      if (old[name] === value) continue;
      old[name] = value;
      if (value === undefined) node.removeAttribute(name);
      else node.setAttribute(name, String(value));
    }
  }

  /**
   * Light what words name and dim the rest.
   * @param {string} pointed The mark that is pointed at; "" for none.
   * @param {Set<string>} lit Those of the step.
   */
  function light(pointed, lit) {
    const wanted = pointed ? new Set([pointed]) : lit;
    /** @type {NodeListOf<HTMLElement | SVGElement>} */
    const marks = /** @type {Element} */ (svg.parentElement).querySelectorAll("[data-marks]");
    const holders = new Set(
      Array.from(marks, (node) => node.parentElement?.closest("[data-marks]")),
    );
    for (const node of marks) {
      const names = (node.dataset.marks ?? "").split(" ").filter(Boolean);
      const isBright = holders.has(node) || !names.length || names.some((name) => wanted.has(name));
      const presence = Number(node.getAttribute("opacity") ?? 1);
      const opacity = String(presence * (isBright ? 1 : pointed ? FAINT : DIM));
      if (shown.get(node) === opacity) continue;
      shown.set(node, opacity);
      node.style.opacity = opacity;
    }
  }

  /**
   * The smallest or the largest value, by as many presses as that takes; some handles grow to the left.
   * @param {Element} node @param {(by: number) => void} keys @param {number} side
   */
  function goToEnd(node, keys, side) {
    const last = node.getAttribute(side > 0 ? "aria-valuemax" : "aria-valuemin");
    const now = () => node.getAttribute("aria-valuenow");
    /** @param {number} by */
    function gain(by) {
      const was = now();
      keys(by);
      arrive();
      return (Number(now()) - Number(was)) * side;
    }
    for (const by of [LEAP, -LEAP, FAST, -FAST, 1, -1]) {
      let more = 1;
      while (now() !== last && more > 0) more = gain(by * side);
      if (more < 0) gain(-by * side); // the wrong way, or around a circle
    }
  }

  /** Where a pointer is in the picture. @param {PointerEvent} event @returns {[number, number]} */
  function pointAt({ clientX, clientY }) {
    const { x, y } = new DOMPoint(clientX, clientY).matrixTransform(svg.getScreenCTM()?.inverse());
    return [x, y];
  }

  /** @param {Grip} grip */
  const isShut = ({ isOff, isFree }) => isOff || (isGuessing() && !isFree);

  /** @param {Element} node @param {() => Grip} handle As it is now. */
  function follow(node, handle) {
    put(node, { role: "slider" });
    node.classList.add("grab");
    node.addEventListener("keydown", (/** @type {any} */ event) => {
      const { page = FAST } = handle();
      const pages = PAGES[/** @type {keyof typeof PAGES} */ (event.key)];
      const by = pages ? page * pages : ARROWS[/** @type {keyof typeof ARROWS} */ (event.key)];
      const side = ENDS[/** @type {keyof typeof ENDS} */ (event.key)];
      const isOthers = event.ctrlKey || event.metaKey || event.altKey;
      if ((!by && !side) || isOthers || event.defaultPrevented || isShut(handle())) return;
      event.preventDefault();
      event.stopPropagation();
      arrive(); // a press goes on from where the one before leads
      const { toEnd } = handle();
      if (side && toEnd) toEnd(side);
      else if (side) {
        dragged(true); // what it passes on the way is not looked at
        goToEnd(node, (one) => handle().keys(one, false), side);
        dragged(false);
      } else handle().keys(event.shiftKey ? FAST * by : by, UP.includes(event.key));
    });
    node.addEventListener("pointerdown", (/** @type {any} */ event) => {
      if (!handle().move || event.button || event.ctrlKey || isShut(handle())) return;
      /** @type {SVGElement} */ (node).focus({ preventScroll: true });
      arrive();
      dragged(true);
      const begun = handle().start?.(pointAt(event));
      const done = new AbortController();
      /** @param {(event: PointerEvent) => void} does */
      const own = (does) => (/** @type {PointerEvent} */ one) =>
        one.pointerId === event.pointerId && does(one);
      const move = own((one) => isShut(handle()) || handle().move?.(pointAt(one), begun));
      const end = own(() => {
        done.abort();
        if (!isShut(handle())) handle().end?.();
        dragged(false);
      });
      const { signal } = done;
      move(event);
      addEventListener("pointermove", move, { signal });
      for (const name of ["pointerup", "pointercancel"])
        addEventListener(name, /** @type {EventListener} */ (end), { signal });
    });
  }

  /** Reads colours of the page as they are now. @param {string[]} all In CSS. */
  function colours(all) {
    const probes = all.map((fill) => {
      const probe = document.createElementNS(SVG, "rect");
      probe.setAttribute("fill", fill);
      svg.append(probe);
      return probe;
    });
    return () =>
      probes.map((probe) => {
        const rgb = getComputedStyle(probe).fill.match(/[\d.]+/g) ?? [];
        return /** @type {Colour} */ (rgb.slice(0, 3).map(Number));
      });
  }

  /**
   * Of an element in whose tag it stands: what begins with it, and what it is told in every frame.
   * @param {(node: Element, now: () => any) => void} begin @param {(node: Element, now: any) => void} tell
   * @returns {any}
   */
  const lasting = (begin, tell) =>
    directive(
      class extends Directive {
        render() {
          return noChange;
        }

        /** @param {any} part @param {any[]} values */
        update({ element }, [now]) {
          if (!this.now) begin(element, () => this.now);
          this.now = now;
          tell(element, now);
          return noChange;
        }
      },
    );

  const handle = lasting(follow, (node, /** @type {Grip} */ grip) => {
    const { label, now, min, max, text, isMute } = grip;
    const isOff = isShut(grip);
    put(node, {
      "aria-label": label,
      "aria-valuenow": Number(now.toFixed(3)),
      "aria-valuemin": min,
      "aria-valuemax": max,
      "aria-valuetext": text,
      tabindex: isOff || isMute ? -1 : 0,
      style: isOff ? "pointer-events: none" : undefined,
    });
  });

  const button = lasting(
    (node, choose) => listen(node, () => choose()()),
    () => {},
  );

  /** @param {Element} node @param {() => void} choose */
  function listen(node, choose) {
    put(node, { tabindex: 0, style: "cursor: pointer" });
    if (!node.role) put(node, { role: "button" });
    node.addEventListener("click", choose);
    node.addEventListener("keydown", (/** @type {any} */ event) => {
      if (event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      choose();
    });
  }

  return { put, light, colours, handle, button };
}

/**
 * A canvas behind a drawing, for thousands of marks.
 * @param {HTMLElement} figure @param {() => number} dense Pixels of it for each of the picture.
 */
export function backdrop(figure, dense) {
  /** @type {HTMLCanvasElement | null} */
  let below = null;
  return {
    dense,

    /** It is there once it is asked for. @param {string} [marks] */
    canvas(marks) {
      if (below) return below;
      below = document.createElement("canvas");
      if (marks) below.dataset.marks = marks;
      figure.prepend(below);
      return below;
    },

    /** As large as the picture, and empty. @param {CanvasRenderingContext2D} ink @param {{ width: number, height: number }} box */
    clear(ink, { width, height }) {
      const ratio = dense();
      const [w, h] = [Math.round(width * ratio), Math.round(height * ratio)];
      if (ink.canvas.width !== w) ink.canvas.width = w;
      if (ink.canvas.height !== h) ink.canvas.height = h;
      ink.setTransform(ratio, 0, 0, ratio, 0, 0);
      ink.clearRect(0, 0, width, height);
    },
  };
}
