// While a question waits, a slider that takes the focus does something, and no other takes a key.

import assert from "node:assert/strict";
import { test } from "node:test";

import { opened } from "../opened.js";
import { valuesOf } from "../../static/close.js";

const chapters = valuesOf("chapters");

for (const name of Object.keys(chapters))
  test(`Sliders beside the questions of ${name}`, async () => {
    for (const { id, guess } of chapters[name].steps.filter((step) => step.guess)) {
      const labels = (await opened(name, id)).shown().filter(({ role }) => role === "slider");
      for (const label of new Set(labels.map((one) => one.getAttribute("aria-label")))) {
        const here = await opened(name, id);
        const slider = here.shown().find((one) => one.getAttribute("aria-label") === label);
        const isOpen = slider.getAttribute("tabindex") === "0";
        const state = () => JSON.stringify(here.stage.state);
        const before = state();
        here.press(slider, "ArrowRight");
        const isMoved = state() !== before;
        here.press(slider, "ArrowLeft", 2);
        assert.equal(isMoved || state() !== before, isOpen, `${id}, ${guess.question}: ${label}`);
      }
    }
  });
