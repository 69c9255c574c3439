// What is dragged or chosen within a drawing, by the pointer or by keys.

import { nothing, svg } from "../../course/page/lit/lit.js";
import { done } from "./life.js";
import { clamp } from "./tools.js";

// Of an element in whose tag it stands: a slider of whole numbers. `at` tells which of them a pixel
// from the left stands for, `to` takes one, `end` is called where the reader lets go.
export function slider(picture, { at, to, end = done, ...look }) {
  const { now, min, max } = look;
  const go = (value) => to(clamp(Math.round(value), min, max));
  const press = (value) => {
    go(value);
    end(picture, true);
  };
  return picture.stage.handle({
    ...look,
    keys: (by) => press(now + by),
    toEnd: (side) => press(side < 0 ? min : max),
    start: ([x]) => (picture.isCalled ? 0 : at(x) - now), // held at its side it does not jump
    move: ([x], off) => go(at(x) - off),
    end: () => end(picture, false),
  });
}

// A press beside a slider calls it.
export function call(picture, name, event) {
  picture.isCalled = true;
  picture.svg.querySelector(name).dispatchEvent(new PointerEvent(event.type, event));
  picture.isCalled = false;
}

// Radio buttons, `across` of them in a line: `choose` gets the number of one. The keyboard comes to
// the chosen one, or to the first where none is.
export function radios({ label, kind, options, chosen, across = 1, choose }) {
  const numberOf = ({ currentTarget, target }) =>
    [...currentTarget.children].indexOf(target.closest("[role=radio]"));
  function take({ currentTarget }, to) {
    if (!options[to]) return;
    choose(to);
    currentTarget.children[to].focus({ preventScroll: true });
  }
  function onKey(event) {
    const at = numberOf(event);
    const to = {
      ArrowRight: at + 1,
      ArrowLeft: at - 1,
      ArrowDown: at + across,
      ArrowUp: at - across,
      Home: 0,
      End: options.length - 1,
    }[event.key];
    if (to === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    event.stopPropagation();
    take(event, to);
  }
  const radio = ({ name, content }, i) =>
    svg`<g role="radio" class=${i === chosen ? `${kind} chosen` : kind} aria-label=${name ?? nothing}
      aria-checked=${i === chosen} tabindex=${i === Math.max(chosen, 0) ? 0 : -1}>${content}</g>`;
  return svg`<g role="radiogroup" aria-label=${label} @keydown=${onKey}
    @click=${(event) => take(event, numberOf(event))}>${options.map(radio)}</g>`;
}
