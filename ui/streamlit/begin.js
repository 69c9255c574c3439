// Runs in Streamlit's page before its own scripts.

// Where the server is: where this page's own files are.
window.__streamlit = { BACKEND_BASE_URL: new URL("./", location.href).href };
// In a frame, a screen that orders or ends something is asked of the server, which lets no other
// page frame it: Streamlit would draw it where a page of this machine, or of this site, hides it.
if (top !== window) {
  let shown = location.pathname;
  new MutationObserver(() => {
    if (location.pathname === shown) return;
    shown = location.pathname;
    if (!/\/(lab|own)$/.test(shown)) return;
    document.documentElement.hidden = true;
    location.replace(location.href);
  }).observe(document, { subtree: true, childList: true, characterData: true, attributes: true });
}
