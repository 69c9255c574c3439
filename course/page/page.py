"""A plain page: what it holds and where it stands."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Page:
    """A page of the site."""

    path: str
    """"/questions/sqrt-d/", from the root of the site, with slashes at both ends."""
    title: str
    """Plain text, without the name of the product."""
    description: str
    """One sentence, plain text."""
    body: str
    """HTML inside <main>; addresses as "/course/rope/", "/static/…" and "#place"."""
    picture: str = ""
    """"/static/…png", 1200 × 630, for previews; "" for the product's own."""
    head: str = ""
    """Further lines of the head, with addresses of the same kind."""
