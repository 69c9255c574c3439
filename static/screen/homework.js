// Keeps what was answered while the reader is on plain pages, from which a link leads back.

const KEPT = "posenc-homework"; // what course/page/progress_store.js reads

/** @param {{ data: { query: string } }} component */
export default function ({ data }) {
  try {
    sessionStorage.setItem(KEPT, data.query);
  } catch {
    // a browser that keeps nothing
  }
}
