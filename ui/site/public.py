"""The public address of the site, which links and previews elsewhere need."""

import os
from urllib.parse import urlsplit

VARIABLE = "POSENC_ADDRESS"


def address() -> str:
    """The address of the first page with a slash at its end; "" where none is set.

    Raises:
        ValueError: If it is no address of a web site.
    """
    given = os.environ.get(VARIABLE, "").strip()
    if not given:
        return ""
    try:
        parts = urlsplit(given)
        is_site = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        is_site = False
    if not is_site or parts.query or parts.fragment or parts.username or not given.isprintable():
        raise ValueError(
            f"{VARIABLE} must be the address of the first page, as https://example.org/positions/, "
            f"got {given!r}."
        )
    return given.rstrip("/") + "/"
