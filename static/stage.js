// What a picture that is shown alone answers to: the keys of a presenter, in somebody's slides too.

import { listen, reset } from "./presenter.js";
import { app } from "./streamlit.js";

const press = (name) =>
  document.querySelector(`.st-key-${name} :is(button:not([disabled]), a)`)?.click();

export default function ({ data }) {
  const stop = listen({
    isEmbedded: data.embedded,
    isPlayed: () => document.querySelector(".st-key-list_back"),
    isAsked: () => document.querySelector(".st-key-alone_ask"),
    go: (way) => press(`list_${way}`),
    leave: () => press("present_leave"),
    look: () => app() ?? document.body,
  });
  return () => {
    stop();
    setTimeout(() => isStaged() || left()); // between two screens it is nowhere for a moment
  };
}

// A look that was changed meanwhile is taken as a screen begins: Streamlit has no other way.
function left() {
  reset();
  const { look } = document.documentElement.dataset;
  if (!look || getComputedStyle(app() ?? document.body).colorScheme === look) return;
  const url = new URL(location.href);
  url.searchParams.delete("present");
  location.replace(url);
}

// Whether static/stage.css is there.
const isStaged = () =>
  getComputedStyle(document.documentElement).getPropertyValue("--posenc-staged") !== "";
