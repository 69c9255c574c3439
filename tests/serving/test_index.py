"""Streamlit's page begins to load what the first picture needs, and no other answer changes."""

import re
from pathlib import Path

import pytest
import streamlit as st
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.responses import FileResponse, HTMLResponse, PlainTextResponse
from starlette.routing import Route
from starlette.testclient import TestClient

from serving.index import Index
from ui.charts.component import FOLDER
from ui.streamlit.page import BEGIN, PARTS

STATIC = Path(st.__file__).parent / "static"
ROUTES = {
    "/": lambda _: FileResponse(STATIC / "index.html"),
    "/rope": lambda _: FileResponse(STATIC / "index.html"),
    "/api": lambda _: HTMLResponse("<head></head><p>a page of the reference</p>"),
    "/text": lambda _: PlainTextResponse('<head></head><div id="root">'),
}


@pytest.fixture(scope="module")
def client():
    routes = [Route(path, answer) for path, answer in ROUTES.items()]
    packed = Middleware(GZipMiddleware, minimum_size=1000)  # inside, as in Streamlit
    app = Starlette(routes=routes, middleware=[packed, Middleware(Index), packed])
    return TestClient(app, headers={"Accept": "text/html,*/*", "Accept-Encoding": "gzip"})


def test_the_page_loads_the_chart_and_its_files(client):
    answer = client.get("/rope", headers={"If-None-Match": "*"})
    plain = (STATIC / "index.html").read_text("utf-8")
    head, rest = plain.split("</head>")
    assert answer.text.startswith(head)
    ours = re.search(
        r'<body>\n<link rel="stylesheet" href="/app/static/release-\w+/app.css">\n'
        r'<link rel="stylesheet" href="/app/static/release-\w+/site/header.css">\n'
        r'<header id="site" .*</header>\n'
        r'<script type="module" src="\S+/site/header.js"></script>\n',
        answer.text,
        re.DOTALL,
    )
    rest = rest.replace("<body>", ours[0])
    assert answer.text.endswith("</head>" + rest)
    assert answer.headers["content-encoding"] == "gzip"
    assert "etag" not in answer.headers
    added = answer.text[len(head) : -len("</head>" + rest)]
    assert added.startswith(f"<script>{BEGIN}</script>")
    ours = re.findall(r'"modulepreload" href="/app/static/release-\w+/(\S+?)"', added)
    imported = re.findall(r'load\("\./(.+?)"\)', (FOLDER / "chart.js").read_text("utf-8"))
    assert {"chart/chart.js", *(f"chart/{name}" for name in imported)} < set(ours)
    for path in ours:
        assert (FOLDER.parent / path).is_file()
    theirs = re.findall(r'"modulepreload" href="\./static/js/(\S+?)"', added)
    assert all(name not in plain and (STATIC / "static" / "js" / name).is_file() for name in theirs)
    assert set(PARTS) < {name.split(".")[0] for name in theirs}
    assert len(theirs) == len(set(theirs)) > len(PARTS)


def test_the_start_page_has_the_script_and_waits_for_no_chart(client):
    page = client.get("/").text
    assert f"<script>{BEGIN}</script>" in page
    assert "chart.js" not in page
    assert page.count("modulepreload") == client.get("/", headers={"Accept": "*/*"}).text.count(
        "modulepreload"
    )


def test_the_script_leaves_the_browsers_own_objects_and_streamlits_messages_alone():
    assert not re.search(r"prototype|WebSocket|pushState|replaceState|Uint8Array", BEGIN)


def test_the_header_is_left_out_of_a_frame_and_hidden_from_a_projector(client):
    assert '<header id="site"' in client.get("/rope").text
    assert "<header" not in client.get("/rope?embed=true").text
    assert '<header hidden id="site"' in client.get("/rope?present=1").text


@pytest.mark.parametrize("path", ["/api", "/text"])
def test_other_answers_are_as_they_were(client, path):
    assert client.get(path).text.count("modulepreload") == 0
    assert client.get("/rope", headers={"Accept": "*/*"}).text.count(".min.js") == 0
