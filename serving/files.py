"""Addresses of the app's files: a file of another release is never given under one of this one.

Browsers and proxies keep a file for a year whose address has a hash of all scripts and styles.
"""

import re

from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send

from course.page.files import version

RELEASE = re.compile(r"((?<=/app/static)|(?<=/course/-))/release-([^/]*)(?=/)")
"""In the path of the app's files: the hash of its release."""


class Releases:
    """Takes the hash of this release out of an address; any other is of no file here."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""
        found = RELEASE.search(scope.get("path", ""))
        if found is None:
            await self.app(scope, receive, send)
        elif found[2] == version():
            path = RELEASE.sub("", scope["path"], 1)
            await self.app({**scope, "path": path, "raw_path": path.encode()}, receive, send)
        else:  # a proxy asks the next replica, which may be of that release
            await Response("This file is not of this release.", 404)(scope, receive, send)
