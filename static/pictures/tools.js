// What every picture that moves here is made of: SVG elements, motion, numbers, handles.

export const SVG = "http://www.w3.org/2000/svg";

export const TURN = 2 * Math.PI;
export const clamp = (value, low, high) => Math.min(Math.max(value, low), high);

export function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  set(made, attributes);
  made.append(...children);
  return made;
}

export function shape(parent, tag, attributes = {}, text) {
  const made = document.createElementNS(SVG, tag);
  set(made, attributes);
  if (text !== undefined) made.textContent = text;
  parent.append(made);
  return made;
}

export function set(made, attributes) {
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
}

// ---- motion ------------------------------------------------------------------------------------

export const still = matchMedia("(prefers-reduced-motion: reduce)");

export function nearer(now, wanted, share, near) {
  const next = now + (wanted - now) * share;
  return Math.abs(wanted - next) < near ? wanted : next;
}

// ---- size ----------------------------------------------------------------------------------------

const SMALLEST = 13; // pixels of a letter in static/stage.css
const READABLE = 12; // and of one in a frame that is too low for the picture: there it scrolls
const EDGE = 12; // pixels below a picture that is shown alone
const TRIES = 4;

// Draws a picture as wide as its place, or, where it is shown alone, in letters for the last row and
// as high as the window leaves: `draw` takes a width and a height (0: its own) and returns a height.
export function fit(host, svg, isAlone, draw) {
  const whole = host.clientWidth || 700;
  if (!isAlone) return draw(whole, 0);
  const room = roomOf(host, svg);
  let times = rootSize() / SMALLEST;
  let height = draw(whole / times, room / times);
  for (let i = 0; i < TRIES && height * times > room && times > READABLE / SMALLEST; i++) {
    times = Math.max(room / height, READABLE / SMALLEST);
    height = draw(whole / times, room / times);
  }
  set(svg, { viewBox: `0 0 ${whole / times} ${height}`, width: whole, height: height * times });
}

export const rootSize = () => parseFloat(getComputedStyle(document.documentElement).fontSize);

// Pixels that the window leaves to a drawing.
export function roomOf(host, svg) {
  const around = host.offsetHeight - svg.getBoundingClientRect().height;
  return Math.max(innerHeight - host.getBoundingClientRect().top - around - EDGE, 120);
}

// Calls back when the place has another size.
export function watchSize(host, changed) {
  const soon = () => requestAnimationFrame(changed);
  const sizes = new ResizeObserver(soon);
  sizes.observe(host);
  for (const around of document.querySelectorAll(".st-key-alone_line")) sizes.observe(around);
  const events = ["resize", "posenc-look"];
  for (const event of events) addEventListener(event, soon);
  return () => {
    sizes.disconnect();
    for (const event of events) removeEventListener(event, soon);
  };
}

// Where a pointer is in a drawing that may be enlarged.
export function pointerX(svg, event) {
  const { left, width } = svg.getBoundingClientRect();
  return ((event.clientX - left) / width) * (svg.viewBox.baseVal?.width || width);
}

// ---- what reader and server tell each other ---------------------------------------------------------

// The server says where things stand (`at`) and which report of this picture it has heard last
// (`echo`). What answers an older report than the last one, or says nothing new, is left aside.
export function Exchange() {
  let last, heard, said;
  return {
    hear({ at, echo }) {
      const now = JSON.stringify([at, echo]);
      const isNews = now !== heard && (last === undefined || echo === last);
      if (last === undefined) last = echo;
      heard = now;
      // What was reported comes back late: meanwhile the reader may have moved on.
      if (!isNews || JSON.stringify(at) === said) return null;
      said = JSON.stringify(at);
      return { ...at };
    },
    tell(state, send) {
      const now = JSON.stringify(state);
      if (now === said) return;
      said = now;
      last = Date.now();
      send("report", { ...state, at: last });
    },
  };
}

// ---- paths: angles grow counterclockwise from the right, as on paper -----------------------------

const pixel = (value) => value.toFixed(1);
const tip = (x, y, r, angle) =>
  `${pixel(x + r * Math.cos(angle))},${pixel(y - r * Math.sin(angle))}`;

export const hand = (x, y, r, angle) => `M${pixel(x)},${pixel(y)}L${tip(x, y, r, angle)}`;
export const disc = (x, y, r) =>
  `M${pixel(x - r)},${pixel(y)}a${r},${r} 0 1 0 ${2 * r},0a${r},${r} 0 1 0 ${-2 * r},0Z`;
export const box = (x, y, width, height) =>
  `M${pixel(x)},${pixel(y)}h${pixel(width)}v${pixel(height)}h${pixel(-width)}Z`;

export function sector(x, y, r, from, to) {
  const wide = Math.abs(to - from);
  if (wide < 1e-4) return "";
  if (wide >= TURN - 1e-4) return disc(x, y, r);
  const side = `${wide > Math.PI ? 1 : 0} ${to > from ? 0 : 1}`;
  return `M${pixel(x)},${pixel(y)}L${tip(x, y, r, from)}A${r},${r} 0 ${side} ${tip(x, y, r, to)}Z`;
}

export const line = (points) =>
  points.map(([x, y], i) => `${i ? "L" : "M"}${pixel(x)},${pixel(y)}`).join("");

// ---- words and numbers: the texts come from the server, in the reader's language ------------------

export const fill = (text, values) => text.replace(/\{(\w+)\}/g, (_, name) => values[name] ?? "");

export function writer([thousands, decimal]) {
  const local = (text) => {
    const [whole, part] = text.replace("-", "").split(".");
    const grouped = whole.replace(/\B(?=(\d{3})+(?!\d))/g, thousands);
    return (text.startsWith("-") ? "−" : "") + (part ? grouped + decimal + part : grouped);
  };
  const fixed = (value, digits) =>
    local(Number(value.toFixed(digits)) === 0 ? (0).toFixed(digits) : value.toFixed(digits));
  const short = (value, digits) => {
    const text = String(Number(value.toPrecision(digits)));
    return text.includes("e") ? text.replace("-", "−").replace(".", decimal) : local(text);
  };
  return { whole: (value) => local(String(Math.round(value))), fixed, short };
}

// ---- handles: dragged by the pointer or moved by the keyboard -------------------------------------

// A handle says where it may go (`range`) and what it says (`say`); `move` takes a value, `done` is
// called when the reader lets go.
export function handle(parent, { label, range, page, say, at, move, done }) {
  const made = shape(parent, "g", {
    role: "slider",
    tabindex: 0,
    "aria-label": label,
    class: "handle",
  });
  const announce = () => {
    const [low, now, high] = range();
    set(made, {
      "aria-valuemin": low,
      "aria-valuemax": high,
      "aria-valuenow": now,
      "aria-valuetext": say(),
    });
  };
  made.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const [low, now, high] = range();
    const to = {
      ArrowRight: now + 1,
      ArrowUp: now + 1,
      ArrowLeft: now - 1,
      ArrowDown: now - 1,
      PageUp: now + page(),
      PageDown: now - page(),
      Home: low,
      End: high,
    }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    move(clamp(to, low, high));
    done(true);
  });
  const grab = (event) => {
    if (event.button) return;
    event.preventDefault();
    made.focus({ preventScroll: true });
    made.setPointerCapture(event.pointerId);
    const offset = at(event) - range()[1];
    drag(event, event.currentTarget === made ? offset : 0);
  };
  const drag = (start, offset) => {
    made.classList.add("held");
    const follow = (event) => {
      const [low, , high] = range();
      move(clamp(Math.round(at(event) - offset), low, high));
    };
    const end = () => {
      made.classList.remove("held");
      for (const [name, listener] of listeners) made.removeEventListener(name, listener);
      done(false);
    };
    const listeners = [
      ["pointermove", follow],
      ["pointerup", end],
      ["pointercancel", end],
    ];
    for (const [name, listener] of listeners) made.addEventListener(name, listener);
    follow(start);
  };
  made.addEventListener("pointerdown", grab);
  return Object.assign(made, { announce, grab });
}

// Drawn radio buttons, chosen by click or by arrows: `across()` stand in a line, `choose` gets the
// number of one.
export function radioGroup(group, across, choose) {
  const numberOf = ({ target }) => [...group.children].indexOf(target.closest("[role=radio]"));
  const take = (to) => {
    if (!group.children[to]) return;
    choose(to);
    group.children[to].focus({ preventScroll: true });
  };
  group.addEventListener("click", (event) => take(numberOf(event)));
  group.addEventListener("keydown", (event) => {
    const at = numberOf(event);
    const to = {
      ArrowRight: at + 1,
      ArrowLeft: at - 1,
      ArrowDown: at + across(),
      ArrowUp: at - across(),
      Home: 0,
      End: group.childElementCount - 1,
    }[event.key];
    if (to === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    event.stopPropagation();
    take(to);
  });
}

// The keyboard comes to the chosen one, or to the first where none is.
export function checkRadio(group, chosen) {
  [...group.children].forEach((radio, index) => {
    radio.classList.toggle("chosen", index === chosen);
    set(radio, {
      "aria-checked": index === chosen,
      tabindex: index === Math.max(chosen, 0) ? 0 : -1,
    });
  });
}
