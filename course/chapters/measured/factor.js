// The switch of YaRN's factor.

/** @typedef {import("../../page/types").Stage} Stage */
/** @typedef {import("../../page/types").State} State */
/** @typedef {import("./room.js").Room} Room */

const FACTORS = [2, 4];

/** The factors with which YaRN was measured. @param {Stage} stage */
export function buildFactor({
  make,
  put,
  show,
  group,
  slider,
  grip,
  value,
  say,
  number,
  state,
  move,
  isGuessing,
}) {
  const dial = group("factor");
  const track = make(
    "line",
    { stroke: "var(--line)", "stroke-width": 5, "stroke-linecap": "round" },
    dial,
  );
  const names = FACTORS.map((factor) =>
    make(
      "text",
      { class: "t14 soft", "text-anchor": factor === 2 ? "end" : "start" },
      dial,
      number(factor),
    ),
  );
  const title = make("text", { class: "t14 halo", "text-anchor": "end" }, dial);
  /** @type {[number, number]} */
  let ends = [0, 1];
  /** What it goes to: the picture may be on its way. */
  let wanted = 4;
  const turn = (/** @type {number} */ factor) => {
    if (isGuessing() || factor === wanted) return;
    wanted = factor;
    move({ factor }, 500);
  };
  const hand = slider(dial, {
    label: say("factor_label"),
    keys: (by) => turn(by > 0 ? 4 : 2),
    move: ([px]) => turn(px < (ends[0] + ends[1]) / 2 ? 2 : 4),
  });
  grip(hand, { r: 10, fill: "var(--paper)", stroke: "var(--ink)", "stroke-width": 3.5 });

  return (/** @type {State} */ s, /** @type {Room} */ room) => {
    if (state.factor === 2 || state.factor === 4) wanted = state.factor;
    show(dial, s.dial);
    const { isPhone, x, w, top } = room;
    const y = top + (isPhone ? 12 : 18);
    ends = [x + w - (isPhone ? 96 : 130), x + w - 32];
    const at = ends[0] + ((s.factor - 2) / 2) * (ends[1] - ends[0]);
    put(track, { x1: ends[0], x2: ends[1], y1: y, y2: y });
    put(names[0], { x: ends[0] - 20, y: y + 5 });
    put(names[1], { x: ends[1] + 20, y: y + 5 });
    put(title, { x: ends[0] - 38, y: y + 5, text: say("factor_name") });
    put(hand, {
      transform: `translate(${at.toFixed(1)} ${y})`,
      tabindex: isGuessing() ? -1 : 0,
      style: isGuessing() ? "pointer-events: none" : undefined,
    });
    value(hand, s.factor, 2, 4, say("factor_is"));
  };
}
