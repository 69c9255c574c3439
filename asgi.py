"""What serves the app: start-up work, security headers and smaller downloads around app.py.

Start with `streamlit run asgi.py` (what `make run` does) or `uvicorn asgi:app`.
"""

import base64
import hashlib
import importlib
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import streamlit as st
from starlette.datastructures import MutableHeaders
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from streamlit.runtime.pages_manager import PagesManager

A_YEAR = "public, max-age=31536000, immutable"


def content_security_policy() -> str:
    """Everything from this server alone, so that a page works offline and loads nothing foreign.

    Plotly and Streamlit set styles inline, the chart's loader is a blob, and Streamlit's index
    page has inline scripts, which are allowed by their hashes.
    """
    index = Path(st.__file__).parent / "static" / "index.html"
    scripts = re.findall(r"<script>(.*?)</script>", index.read_text("utf-8"), re.DOTALL)
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
        ]
    )


class Headers:
    """Adds security headers to every answer, and a lifetime to files whose address has a hash."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app
        self.headers = {
            "Content-Security-Policy": content_security_policy(),
            "X-Content-Type-Options": "nosniff",
            "Referrer-Policy": "same-origin",
        }

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""
        hashed = b"v=" in scope.get("query_string", b"")
        lasting = hashed and scope.get("path", "").startswith("/app/static/")

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                headers.update(self.headers)
                if lasting and message["status"] == 200:
                    headers["Cache-Control"] = A_YEAR
            await send(message)

        await self.app(scope, receive, send_with_headers)


@asynccontextmanager
async def start_up(app: Any) -> AsyncIterator[None]:
    """Import what every screen needs, so that the first visitor does not wait for torch."""
    for module in ("torch", "posenc", "ui.charts.component"):
        importlib.import_module(module)
    yield


# Streamlit takes a folder named pages for its older kind of app until app.py has run once; a first
# visitor who came by a link to a screen would find that screen without its navigation.
PagesManager.uses_pages_directory = False

app = st.App(
    "app.py",
    lifespan=start_up,
    middleware=[Middleware(Headers), Middleware(GZipMiddleware, minimum_size=1000)],
)
