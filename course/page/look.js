// How a page is shown, before anything of it is: one step for a projector or in somebody's page.
{
  const query = new URLSearchParams(location.search);
  const { classList } = document.documentElement;
  classList.add("scripts");
  if (query.get("embed") === "true") classList.add("embed");
  else if (query.get("present") === "1") classList.add("present");
  const asked = query.getAll("embed_options").join();
  let look = /dark_theme/.test(asked) ? "dark" : /light_theme/.test(asked) ? "light" : null;
  try {
    // what the button of the header keeps
    if (query.get("embed") !== "true") look ??= localStorage.getItem("posenc-look");
  } catch {
    // a browser that keeps nothing
  }
  if (look) {
    document.documentElement.dataset.look = look;
    classList.add(`posenc-${look}`);
  }
}
