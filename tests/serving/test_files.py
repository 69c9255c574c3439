"""An address with the hash of a release is that release's alone."""

import pytest
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.responses import PlainTextResponse
from starlette.routing import Route
from starlette.testclient import TestClient

from serving import files

RELEASE = f"release-{files.version()}"


@pytest.mark.parametrize("place", ["/app/static", "/base/app/static", "/course/-"])
def test_a_files_hash_is_that_of_this_release(place: str) -> None:
    """Else a browser or a proxy keeps a file of another release for a year.

    What a module imports by its own place, `../stage.js`, has the hash in its address as well.
    """
    routes = [Route("/{path:path}", lambda request: PlainTextResponse(request.url.path))]
    client = TestClient(Starlette(routes=routes, middleware=[Middleware(files.Releases)]))
    assert client.get(f"{place}/{RELEASE}/a/b.js").text == f"{place}/a/b.js"
    assert client.get(f"{place}/a/b.js").text == f"{place}/a/b.js"
    for release in ("release-0123456789ab", "release-", f"{RELEASE}1"):
        assert client.get(f"{place}/{release}/a/b.js").status_code == 404
        assert client.head(f"{place}/{release}x/a/b.js").status_code == 404
