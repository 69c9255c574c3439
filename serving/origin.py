"""Where a request comes from: over which protocol, from a page of which site, which machine."""

import re
from ipaddress import ip_address
from urllib.parse import urlsplit

import streamlit as st
from starlette.datastructures import Headers
from starlette.types import Scope

HOST = re.compile(r"(?:\[([\da-f:.]+)\]|([^\[\]:/@]+))(?::\d+)?", re.IGNORECASE)
"""A header `Host`: an address in brackets or a name, and a port."""
FORWARDED = (
    "Forwarded",
    "X-Forwarded-For",
    "X-Forwarded-Host",
    "X-Forwarded-Proto",
    "X-Real-Ip",
    "Via",
    "CF-Connecting-IP",
    "True-Client-IP",
    "Tailscale-User-Login",
)
"""Headers of proxies: behind one, requests from this machine may come from anywhere."""


def is_encrypted(scope: Scope) -> bool:
    """Whether the reader's browser speaks TLS, with this server or with a proxy before it."""
    told = Headers(scope=scope).get("x-forwarded-proto", "")
    return scope.get("scheme") in ("https", "wss") or told.split(",")[0].strip() == "https"


def is_own_page(scope: Scope) -> bool:
    """Whether a page of this server opens a connection; programs, which have no page, say nothing.

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


def is_from_this_machine(scope: Scope) -> bool:
    """Whether a request comes from this machine itself, as far as it says.

    A name in `Host` that is not this machine's may be another site's, which its owner has given
    this machine's address, so that a browser here asks for it.
    """
    headers = Headers(scope=scope)
    found = HOST.fullmatch(headers.get("host") or "localhost")
    return (
        found is not None
        and is_loopback(found[1] or found[2])
        and is_loopback((scope.get("client") or ("",))[0])
        and not any(name in headers for name in FORWARDED)
    )


def is_loopback(host: str) -> bool:
    """Whether a host is this machine, and can be reached from this machine alone."""
    try:
        return host == "localhost" or ip_address(host).is_loopback
    except ValueError:
        return False
