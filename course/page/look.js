// How a page is shown, before anything of it is: one step for a projector or in somebody's page.
{
  const query = new URLSearchParams(location.search);
  const { classList } = document.documentElement;
  classList.add("scripts");
  if (query.get("embed") === "true") classList.add("embed");
  else if (query.get("present") === "1") classList.add("present");
  for (const look of ["dark", "light"])
    classList.toggle(`posenc-${look}`, query.getAll("embed_options").includes(`${look}_theme`));
}
