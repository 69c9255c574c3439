"""Where a request comes from: over which protocol, and from a page of which site."""

from urllib.parse import urlsplit

import streamlit as st
from starlette.datastructures import Headers
from starlette.types import Scope


def is_encrypted(scope: Scope) -> bool:
    """Whether the reader's browser speaks TLS, with this server or with a proxy before it."""
    told = Headers(scope=scope).get("x-forwarded-proto", "")
    return scope.get("scheme") in ("https", "wss") or told.split(",")[0].strip() == "https"


def is_own_page(scope: Scope) -> bool:
    """Whether a line is opened by a page of this server; programs, which have no page, say nothing.

    A browser names the page's site, the port included: another server of this machine is another
    site, although browsers send it the same cookies. Behind a proxy that changes the name,
    `server.corsAllowedOrigins` of Streamlit names the sites.
    """
    headers = Headers(scope=scope)
    told = headers.get("origin")
    if told is None or told in st.get_option("server.corsAllowedOrigins"):
        return True
    try:
        origin = urlsplit(told)
    except ValueError:  # http://[x
        return False
    schemes = ("https",) if is_encrypted(scope) else ("http", "https")
    return origin.scheme in schemes and origin.netloc == headers.get("host")
