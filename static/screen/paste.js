// A text that is too long to be sent is refused when it is pasted, and the page is told how long it is.

/** @param {{ data: { most: number }, setTriggerValue: (name: string, value: number) => void }} component */
export default function ({ data, setTriggerValue }) {
  const hear = (/** @type {ClipboardEvent} */ event) => {
    const size = new Blob([event.clipboardData?.getData("text") ?? ""]).size;
    if (size <= data.most) return;
    event.preventDefault();
    setTriggerValue("refused", size);
  };
  addEventListener("paste", hear, true);
  return () => removeEventListener("paste", hear, true);
}
