"""Files that never change are read once; everything else is asked of the app each time."""

import asyncio

import pytest
from starlette.applications import Starlette
from starlette.datastructures import Headers
from starlette.middleware import Middleware
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route
from starlette.testclient import TestClient

from serving import files

RELEASE = f"release-{files.version()}"
KEEP = {"Cache-Control": "public, immutable, max-age=9"}


@pytest.fixture
def asked():
    return []


@pytest.fixture
def client(asked):
    def answer(request):
        asked.append(str(request.url.path))
        if request.url.path.endswith("missing.js"):
            return HTMLResponse("<p>Streamlit's page</p>", headers={"Cache-Control": "no-cache"})
        if request.url.path.endswith("gone.js"):
            return Response("no", 404, headers=KEEP)
        return Response(f"{len(asked)}: {request.url.query}", headers=KEEP)

    routes = [Route("/{path:path}", answer)]
    return TestClient(Starlette(routes=routes, middleware=[Middleware(files.Kept)]))


@pytest.mark.parametrize(
    "path",
    [
        "/static/js/a.1f.js",
        "/base/static/media/b.2f.woff2",
        f"/app/static/{RELEASE}/chart/c.js",
        "/app/static/embed.js",  # 300 at once took two seconds of everybody
    ],
)
def test_a_file_is_read_once(client, asked, path):
    first, second = client.get(path), client.get(path)
    assert first.text == second.text == "1: "
    assert first.headers == second.headers
    assert len(asked) == 1
    client.get(path, headers={"Accept-Encoding": "identity"})  # not packed is another answer
    assert len(asked) == 2


@pytest.mark.parametrize(
    "path", ["/static/js/missing.js", "/static/js/gone.js", "/rope", "/media/a.csv"]
)
def test_what_may_change_is_asked_for_each_time(client, asked, path):
    client.get(path)
    client.get(path)
    assert len(asked) == 2


def test_no_question_about_a_file_makes_the_server_read_and_pack_it_anew(client, asked):
    """The largest takes a quarter of a second, and a stranger may ask 25,000 times at once."""
    path = "/static/js/a.1f.js"
    whole = client.get(path)
    for name in ("Range", "If-None-Match", "If-Modified-Since"):
        again = client.get(f"{path}?{name}", headers={name: "x"})
        assert (again.status_code, again.text) == (200, whole.text)
    for written in ("/static/js/./a.1f.js", "/static//js/a.1f.js", "/static/js/b/../a.1f.js"):
        assert client.get(f"http://testserver{written}").text == whole.text
    assert len(asked) == 1


@pytest.mark.parametrize("path", ["/media/a.csv", "/media/static/a.csv"])
def test_what_is_not_kept_is_not_packed(path):
    told = []

    async def app(scope, receive, send):
        told.append(Headers(scope=scope).get("accept-encoding"))
        await Response("x")(scope, receive, send)

    kept = files.Kept(app)
    answer = TestClient(kept).get("http://testserver", headers={"Accept-Encoding": "gzip"})
    assert answer.status_code == 200
    scope = {"type": "http", "method": "GET", "path": path, "query_string": b""}
    scope["headers"] = [(b"accept-encoding", b"gzip")]

    async def send(_message):
        pass

    asyncio.run(kept(scope, None, send))
    assert told == ["gzip", None]
    assert not kept.answers


@pytest.mark.parametrize("file", ["chart/c.js", "course/pictures/p.js", "embed.js"])
def test_a_files_hash_is_that_of_this_release(client, asked, file):
    """Else a browser or a proxy keeps a file of another release for a year.

    What a module imports by its own place, `../stage.js`, has the hash in its address as well.
    """
    assert client.get(f"/app/static/{RELEASE}/{file}").status_code == 200
    assert asked == [f"/app/static/{file}"]
    for release in ("release-0123456789ab", "release-", f"{RELEASE}1"):
        assert client.get(f"/app/static/{release}/{file}").status_code == 404
        assert client.head(f"/app/static/{release}x/{file}").status_code == 404
    client.get(f"/app/static/{RELEASE}/{file}?x=1")
    assert len(asked) == 1  # so that nothing is read and packed for a stranger's hash


def test_a_file_that_is_not_there_is_not_the_page(client):
    for _ in range(2):
        assert client.get("/static/js/missing.js").status_code == 404


def test_no_more_is_kept_than_may_be(client, asked, monkeypatch):
    monkeypatch.setattr(files, "MOST_BYTES", 7)
    for _ in range(2):
        client.get("/static/js/a.js")  # "1: ": three bytes
        client.get("/static/js/b.js")
        client.get("/static/js/c.js")
    assert asked == [f"/static/js/{name}.js" for name in "abcc"]


def test_between_two_pieces_others_have_their_turn():
    """A socket that is empty takes every piece at once: 300 files kept all waiting for 2 s."""
    kept, said = files.Kept(Response(b"x" * (files.PIECE + 1), headers=KEEP)), []
    scope = {"type": "http", "method": "GET", "path": "/static/js/a.js", "headers": []}

    async def two():
        await kept(scope, None, _teller([], "first"))
        await asyncio.gather(*(kept(scope, None, _teller(said, name)) for name in "ab"))

    asyncio.run(two())
    assert said == ["a", "a", "b", "b", "a", "b"]  # start and first piece, then the second


def _teller(said, name):
    async def tell(_message):
        said.append(name)

    return tell


def test_who_leaves_before_the_app_has_answered_is_told_nothing_and_the_next_gets_the_file():
    answers = iter([None, Response("file", headers=KEEP)])

    async def app(scope, receive, send):
        if answer := next(answers):
            await answer(scope, receive, send)

    async def ask() -> list:
        said = []

        async def send(message):
            said.append(message)

        path = "/static/js/a.1f.js"
        scope = {"type": "http", "method": "GET", "path": path, "headers": []}
        await kept(scope, None, send)
        return said

    kept = files.Kept(app)
    assert asyncio.run(ask()) == []
    assert asyncio.run(ask())[1]["body"] == b"file"
