import assert from "node:assert/strict";
import { test } from "node:test";

import { MEASURES, NAMES, apart, hasRow, height, isMeasured, layout, upY } from "../../static/course/pictures/which/room.js"; // prettier-ignore

const SIZES = [
  { width: 904, height: 600, isPhone: false },
  { width: 390, height: 386, isPhone: true },
  { width: 360, height: 270, isPhone: true },
];

test("labels do not touch, stay in the picture, and keep the order of their curves", () => {
  for (const size of SIZES) {
    const room = layout(size);
    for (let measure = 0; measure < MEASURES.length; measure++)
      for (let doublings = 0; doublings < 5; doublings++) {
        const at = (name) => upY(room, height(name, { measure, tuned: 0 }, doublings));
        const wanted = Object.fromEntries(NAMES.filter(isMeasured).map((name) => [name, at(name)]));
        const labels = Object.entries(apart(wanted, room)).sort((a, b) => a[1] - b[1]);
        labels.forEach(([name, y], i) => {
          assert.ok(y >= room.plot.y - 1 && y <= room.plot.y + room.plot.h, name);
          if (!i) return;
          assert.ok(y - labels[i - 1][1] >= room.gap - 1e-9, name);
          assert.ok(wanted[name] >= wanted[labels[i - 1][0]], name);
        });
      }
  }
});

test("between two measures a curve is on its way from one to the other", () => {
  const [near, far] = [0, 1].map((measure) => height("alibi", { measure, tuned: 0 }, 4));
  const half = height("alibi", { measure: 0.5, tuned: 0 }, 4);
  assert.ok(Math.abs(half - (near + far) / 2) < 1e-12);
});

test("a learned table ends with the trained length, at the worst end of each measure", () => {
  assert.deepEqual(
    NAMES.filter((name) => !hasRow(name, 1)),
    ["learned"],
  );
  const worst = MEASURES.map((_, measure) => height("learned", { measure, tuned: 0 }, 1));
  assert.deepEqual(worst, [0, 0, 1]);
});
