// The course as a component of Streamlit: opened once for its place, told where the reader goes.

import { open } from "./course.js";

/** @typedef {{ close: () => void, text: string, go: (way: object) => void }} Opened */

/** @type {WeakMap<Node, Opened>} */
const opened = new WeakMap();

/**
 * @param {{ data: any, parentElement: ShadowRoot, setTriggerValue: Function }} component
 */
export default async function ({ data, parentElement, setTriggerValue }) {
  const text = JSON.stringify(data);
  const old = opened.get(parentElement);
  const go = (/** @type {object} */ way) => setTriggerValue("way", way);
  if (old?.text === text) {
    old.go = go;
    return old.close;
  }
  old?.close();
  const header = document.querySelector("[data-testid=stHeader]");
  const top = data.mode ? 0 : (header?.getBoundingClientRect().height ?? 0);
  document.documentElement.style.setProperty("--course-top", `${top}px`);
  /** @type {Opened} */
  const now = { text, go, close: () => undefined };
  opened.set(parentElement, now);
  const close = await open(parentElement, data.chapter, {
    mode: data.mode,
    go: (href, at) => {
      now.go({ href, at });
      return true;
    },
  });
  now.close = () => {
    close();
    opened.delete(parentElement);
  };
  return now.close;
}
