// Runs in Streamlit's page before its own scripts.

// Where the server is: where this page's own files are.
window.__streamlit = { BACKEND_BASE_URL: new URL("./", location.href).href };
// Light or dark, as the button of the header keeps it: Streamlit reads it in the address, and then
// keeps it there from screen to screen.
if (top === window) {
  let look = null;
  try {
    look = localStorage.getItem("posenc-look");
  } catch {
    // a browser that keeps nothing
  }
  if (look) {
    const given = location.search.slice(1).split("&");
    const others = given.filter((one) => one && !/^embed_options=(dark|light)_theme$/.test(one));
    const search = "?" + [...others, `embed_options=${look}_theme`].join("&");
    if (search !== location.search) location.replace(search + location.hash);
    document.documentElement.dataset.look = look;
    document.documentElement.classList.add(`posenc-${look}`);
  }
}
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
