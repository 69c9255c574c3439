// Keeps the reader's playlist in the browser; what another tab adds comes here too.

const KEPT = "posenc-playlist";

/** @param {{ data: { list: string | null }, setStateValue: (name: string, value: string) => void }} component */
export default function ({ data, setStateValue }) {
  const tell = (/** @type {string} */ kept) => {
    if (kept !== data.list) setStateValue("kept", kept);
  };
  const hear = (/** @type {StorageEvent} */ { key, newValue }) => {
    if (key === KEPT) tell(newValue ?? "");
  };
  addEventListener("storage", hear);
  try {
    const kept = localStorage.getItem(KEPT);
    if (data.list !== null) localStorage.setItem(KEPT, data.list);
    else if (kept) tell(kept);
  } catch {
    // a browser that keeps nothing
  }
  return () => removeEventListener("storage", hear);
}
