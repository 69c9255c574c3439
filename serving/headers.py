"""Security headers on every answer, and the cookie that says whose a job is."""

import base64
import hashlib

from starlette.datastructures import MutableHeaders
from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from serving.files import RELEASE
from serving.origin import is_encrypted
from ui.jobs import visitor
from ui.streamlit.page import BEGIN, inline_scripts

A_YEAR = "public, max-age=31536000, immutable"
NOT_FRAMED = {"lab", "own"}
"""Screens with buttons that order, end or remove something; `begin.js` names them too."""
NOBODY = (
    "accelerometer",
    "camera",
    "display-capture",
    "geolocation",
    "gyroscope",
    "magnetometer",
    "microphone",
    "midi",
    "payment",
    "serial",
    "usb",
    "xr-spatial-tracking",
)
"""Features of browsers that no page here asks for."""
HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": ", ".join(f"{name}=()" for name in NOBODY),
}


def content_security_policy() -> str:
    """Everything from this server alone, so that a page works offline and loads nothing foreign.

    Plotly and Streamlit set styles inline, the chart's loader is a blob, and Streamlit's index
    page has inline scripts, one of them from here, which are allowed by their hashes.
    """
    scripts = [*inline_scripts(), BEGIN]
    hashes = [base64.b64encode(hashlib.sha256(s.encode()).digest()).decode() for s in scripts]
    allowed = " ".join(f"'sha256-{digest}'" for digest in hashes)
    return "; ".join(
        [
            "default-src 'self'",
            f"script-src 'self' blob: {allowed}",
            "style-src 'self' 'unsafe-inline'",
            "img-src 'self' data: blob:",
            "font-src 'self' data:",
            "worker-src 'self' blob:",
            "object-src 'none'",
            "base-uri 'self'",
            "form-action 'self'",
        ]
    )


class Headers:
    """Adds security headers and the owner's cookie, and a lifetime to files with a hash."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app
        self.policy = content_security_policy()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""
        path = scope.get("path", "")
        lasting = RELEASE.search(path) is not None
        # Pictures and walks may be framed by any page, also by one that was opened from a disk,
        # which `frame-ancestors *` would leave out. Pages with buttons that destroy may not; who
        # comes to them inside of a frame has no cookie there, and may look alone.
        is_framed = path.strip("/").split("/")[-1] not in NOT_FRAMED
        policy = self.policy if is_framed else f"{self.policy}; frame-ancestors 'self'"
        fixed = HEADERS | {"Content-Security-Policy": policy}

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                headers.update(fixed)
                if headers.get("Access-Control-Allow-Origin") == "*":  # pages elsewhere show it
                    headers["Cross-Origin-Resource-Policy"] = "cross-origin"
                if is_encrypted(scope):
                    headers["Strict-Transport-Security"] = "max-age=31536000"
                if lasting and message["status"] == 200:
                    headers["Cache-Control"] = A_YEAR
                if headers.get("Content-Type", "").startswith("text/html"):
                    old = HTTPConnection(scope).cookies.get(visitor.COOKIE, "")
                    headers.append("Set-Cookie", owner_cookie(scope, old))
            await send(message)

        await self.app(scope, receive, send_with_headers)


def owner_cookie(scope: Scope, old: str) -> str:
    """The cookie that says whose a job is; pages of other sites and scripts never get it."""
    marks = "; Path=/; HttpOnly; SameSite=Lax" + ("; Secure" if is_encrypted(scope) else "")
    return f"{visitor.COOKIE}={visitor.new_cookie(old)}; Max-Age={visitor.A_YEAR}{marks}"
