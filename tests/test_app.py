"""The server of the container: headers, small downloads, lifetimes."""

import gzip
import importlib
import json
import os
import resource
import socket
import subprocess
import sys
import tomllib
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import ExitStack
from http.cookiejar import CookieJar
from pathlib import Path
from random import Random

import pytest
from starlette.datastructures import Headers
from starlette.responses import Response
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.WidgetStates_pb2 import WidgetState
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import connect
from websockets.typing import Subprotocol

import app as entry
import serving
from benchmarks.hostile import files, inputs, messages
from benchmarks.hostile.trial import Trial
from benchmarks.server import Server
from benchmarks.visitor import Tab, cookie_of, pressed
from course.page.files import version
from lab.queue.jobs import Lab
from lab.queue.settings import LabSettings
from serving.admission import KEY, Admission
from tests.conftest import PATIENCE, ROOT, awaited, free_port, wait_until_healthy
from tests.lab.processes import until
from ui.controls.model_config import LARGEST_UPLOAD
from ui.jobs import visitor
from ui.jobs.corpus import UPLOAD

TOKEN = "a token that is long enough"
SECRET = "a secret that is long enough"
OPERATOR = {"Authorization": f"Bearer {TOKEN}"}


def few_files() -> None:
    """As many open files as some systems allow before one asks for more."""
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (512, most))


@pytest.fixture(scope="module")
def log(tmp_path_factory) -> Path:
    """Where the server writes its lines."""
    return tmp_path_factory.mktemp("log") / "lines.json"


@pytest.fixture(scope="module")
def address(log) -> Iterator[str]:
    address = f"http://127.0.0.1:{(port := free_port())}"
    command = [sys.executable, "-m", "serving", "--port", str(port)]
    told = {"POSENC_LAB_ADMIN": TOKEN, "POSENC_LOG": "json", "POSENC_LAB_HOME": str(log.parent)}
    told |= {"POSENC_SECRET": SECRET, "POSENC_LAB": ""}
    with log.open("wb") as output:
        server = subprocess.Popen(
            command,
            cwd=ROOT,
            env=os.environ | told,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=output,
            preexec_fn=few_files,
        )
        try:
            wait_until_healthy(address, server)
            yield address
        finally:
            server.terminate()
            server.wait(PATIENCE)


@pytest.fixture
def key(monkeypatch) -> str:
    """Key in the address that a terminal shows."""
    monkeypatch.setenv("POSENC_SECRET", SECRET)
    return visitor.key()


@pytest.fixture
def hers(key) -> str:
    """The cookie of a browser at the machine itself, whose owner was told the key."""
    return f"{visitor.COOKIE}={key}"


def fetch(address: str, **headers: str) -> tuple[dict[str, str], bytes]:
    request = urllib.request.Request(address, headers={"Accept-Encoding": "gzip"} | headers)
    with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
        return {k.lower(): v for k, v in answer.headers.items()}, answer.read()


def test_the_reference_of_the_library_is_served(address):
    headers, page = fetch(address + "/api/posenc/alibi/formula.html")
    assert headers["content-type"].startswith("text/html")
    assert "default-src 'self'" in headers["content-security-policy"]
    assert b'id="alibi_slopes"' in gzip.decompress(page)
    with pytest.raises(urllib.error.HTTPError, match="404") as missing:
        fetch(address + "/api/posenc/nothing.html")
    missing.value.close()


def test_who_asks_for_home_by_name_is_led_to_the_first_screen(address):
    with urllib.request.urlopen(address + "/home?lang=en&x=%2F%2Fa") as answer:
        assert answer.url == address + "/?lang=en&x=%2F%2Fa"


def test_every_answer_has_the_security_headers(address):
    for path in ("/", "/rope", "/app/static/chart/chart.js", "/_stcore/health"):
        headers, _ = fetch(address + path)
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "same-origin"
        policy = headers["content-security-policy"]
        assert "default-src 'self'" in policy
        assert "unsafe-eval" not in policy
        assert "'sha256-" in policy


def test_the_chart_library_is_sent_small_and_kept(address):
    name = "plotly-cartesian-4.1.1.min.js"
    headers, body = fetch(f"{address}/app/static/release-{version()}/chart/{name}")
    plain = (ROOT / "static" / "chart" / name).read_bytes()
    assert headers["content-encoding"] == "gzip"
    assert gzip.decompress(body) == plain
    assert len(body) < len(plain) / 2
    assert "immutable" in headers["cache-control"]


def test_a_hash_of_another_release_is_kept_by_nobody(address):
    with pytest.raises(urllib.error.HTTPError, match="404") as refused:
        fetch(f"{address}/app/static/release-0123456789ab/chart/chart.js")
    assert "immutable" not in refused.value.headers.get("cache-control", "")
    refused.value.close()


def test_without_a_hash_nothing_is_kept_for_ever(address):
    headers, _ = fetch(f"{address}/app/static/chart/chart.js")
    assert "immutable" not in headers.get("cache-control", "")


def test_pictures_may_be_framed_and_destroying_buttons_not(address):
    for path, framed_by in (("/rope", []), ("/lab", ["'self'"]), ("/own", ["'self'"])):
        headers, _ = fetch(address + path)
        policy = headers["content-security-policy"].split("; ")
        named = [one.split()[1:] for one in policy if one.startswith("frame-ancestors")]
        assert named == ([framed_by] if framed_by else [])
        assert "form-action 'self'" in policy
        assert headers["cross-origin-opener-policy"] == "same-origin"
        assert headers["cross-origin-resource-policy"] == "same-origin"
        assert "camera=()" in headers["permissions-policy"]


def test_tls_is_asked_for_again_where_it_was_used(address):
    headers, _ = fetch(f"{address}/rope")
    assert "strict-transport-security" not in headers
    headers, _ = fetch(f"{address}/rope", **{"X-Forwarded-Proto": "https"})
    assert headers["strict-transport-security"] == "max-age=31536000"
    assert "Secure" in headers["set-cookie"]


def test_a_browser_gets_a_signed_cookie_and_keeps_its_name(address):
    headers, _ = fetch(f"{address}/lab")
    cookie, *marks = headers["set-cookie"].split("; ")
    assert {"HttpOnly", "SameSite=Lax", "Path=/"} <= set(marks)
    again, _ = fetch(f"{address}/lab", Cookie=cookie)
    assert again["set-cookie"].split(".")[0] == cookie.split(".")[0]
    forged = cookie[:-4] + "AAAA"
    other, _ = fetch(f"{address}/lab", Cookie=forged)
    assert other["set-cookie"].split(".")[0] != cookie.split(".")[0]
    assert "set-cookie" not in fetch(f"{address}/app/static/chart/chart.js")[0]


def test_silent_connections_are_in_nobodys_way(address):
    place = address.removeprefix("http://").split(":")
    with ExitStack() as silent:
        for _ in range(600):
            line = silent.enter_context(socket.create_connection((place[0], int(place[1])), 30))
            line.sendall(b"GET / HTTP/1.1\r\n")
        with urllib.request.urlopen(f"{address}/_stcore/health", timeout=30) as answer:
            assert answer.read() == b"ok"


def test_figures_of_the_server_are_the_operators(address):
    with pytest.raises(urllib.error.HTTPError, match="404") as refused:
        fetch(f"{address}/_stcore/metrics")
    refused.value.close()
    assert b"active_sessions" in fetch(f"{address}/_stcore/metrics", **OPERATOR)[1]


def test_all_may_look_who_has_the_terminals_address_orders(address, key):
    """From this machine, by its own name: so a proxy that adds no header asks for strangers."""
    for cookie in (cookie_of(address), f"{visitor.COOKIE}={key[:-1]}"):
        with Tab(address, "lab", Cookie=cookie) as tab:
            page = tab.run()
            assert any("the address that it printed" in text for text in page.texts)
            with pytest.raises(LookupError):
                page.control("Train it")
    opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(jar := CookieJar()))
    with opener.open(f"{address}/lab?{KEY}={key}") as answer:
        assert answer.url == f"{address}/lab"
    (kept,) = jar
    with Tab(address, "lab", Cookie=f"{kept.name}={kept.value}") as tab:
        assert tab.run().control("Train it")


def test_an_address_with_another_key_gives_nothing(address, key, hers):
    for other in (key[:-1], key.replace("here", "her"), cookie_of(address).split("=")[1], "x"):
        headers, _ = fetch(f"{address}/lab?{KEY}={other}")
        assert not headers["set-cookie"].startswith(f"{visitor.COOKIE}={visitor.HERE}.")
    path, said = "//elsewhere.example/%5Cx", []
    scope = {
        "type": "http",
        "method": "GET",
        "path": path,
        "headers": [],
        "server": ("x", 80),
        "scheme": "http",
        "query_string": f"{KEY}={key}".encode(),
    }
    awaited(Admission(Response())(scope, None, lambda message: _say(said, message)))
    assert Headers(raw=said[0]["headers"])["location"].startswith("/elsewhere.example/")


async def _say(said, message):
    said.append(message)


@pytest.mark.parametrize(("mode", "told"), [("", True), ("read", False), ("open", False)])
def test_the_terminal_shows_address_and_key_by_default(mode, told, key, monkeypatch, capsys):
    monkeypatch.setenv("POSENC_LAB", mode)
    entry.tell_address()
    (line,) = capsys.readouterr().out.split("\n\n")[0].strip().splitlines()
    address = line.split()[-1]
    assert line.startswith("The app is at http://localhost:8501")
    assert (f"/?{KEY}=" in address) is told
    if told:
        assert visitor.owner_in(address.split("=")[1]) == visitor.HERE


def test_no_other_site_may_steer_the_page(address, hers):
    assert json.loads(fetch(f"{address}/_stcore/host-config")[1])["allowedOrigins"] == []
    with Tab(address, "lab", Cookie=hers) as tab:
        assert tab.run().control("Train it")
    # Browsers send the same cookies for pages of another server of this machine.
    for origin in ("http://127.0.0.1:1", "http://127.0.0.1", "https://elsewhere.example"):
        with pytest.raises(InvalidStatus, match="403"), Tab(address, "lab", Origin=origin):
            raise AssertionError(origin)
    with Tab(address, "lab", Cookie=hers, Origin=address) as tab:
        assert tab.run().control("Train it")


@pytest.mark.skipif(not Path("/proc/self/cwd").exists(), reason="a name that Linux has")
def test_releases_in_two_folders_are_one_app_to_a_page(address, monkeypatch, tmp_path):
    with Tab(address, "units", "") as tab:
        tab.send()
        begun = next(one for one in tab.answers() if one.WhichOneof("type") == "new_session")
    assert begun.new_session.main_script_path == entry.script() == "/proc/self/cwd/navigation.py"
    monkeypatch.chdir(tmp_path)  # `streamlit run …/app.py` from anywhere
    assert entry.script() == str(ROOT / "navigation.py")


def test_a_session_belongs_to_the_browser_that_opened_it(address):
    """Its id stands in addresses of uploads, and is no key to what is typed there."""
    ann, bob = cookie_of(address), cookie_of(address)
    with Tab(address, "units", "", Cookie=ann) as hers:
        session = hers.run().session
        for cookie, header in ((bob, ""), ("", ""), (bob, ann.split("=")[1].split(".")[0])):
            with back_to(address, session, cookie, header) as other:
                assert other.run().session not in ("", session)
        assert hers.run().texts

    def is_hers() -> bool:  # once the server has noticed that her page is gone
        with back_to(address, session, ann) as again:
            return again.run().session == session

    until(is_hers, "she comes back to her session")


def test_files_of_another_reader_are_not_to_be_had(address):
    """Their names are keys, which nobody is told or can guess."""
    ann, bob = cookie_of(address), cookie_of(address)
    with (
        Tab(address, "config", Cookie=ann) as hers,
        Tab(address, "units", "", Cookie=bob) as his,
    ):
        page, seen = hers.run(), his.run()
        buttons = [one for kind, one, _ in page.widgets.values() if kind == "download_button"]
        ids = [one.deferred_file_id for one in buttons if one.deferred_file_id]
        places = [made(hers, page.session, one) for one in ids]
        places += [one.url for one in buttons if one.url]
        assert places
        told = "".join(seen.texts) + str(sorted(seen.widgets))
        for place in places:
            assert fetch(f"{address}{place}")[1]
            assert place not in told
        for one in ids:
            assert one not in told
            assert made(his, page.session, one) == made(his, seen.session, one[:-1] + "x") == ""


def made(tab: Tab, session: str, file: str) -> str:
    """The address of a file that is made when it is asked for; "" where none is."""
    message = BackMsg()
    message.backend_operation_request.request_id = "1"
    message.backend_operation_request.session_id = session
    message.backend_operation_request.deferred_file.file_id = file
    tab.connection.send(message.SerializeToString())
    for answer in tab.answers():
        if answer.WhichOneof("type") == "backend_operation_response":
            return answer.backend_operation_response.deferred_file.url
    raise AssertionError("no answer")


def back_to(address: str, session: str, cookie: str, header: str = "") -> Tab:
    """A line that asks for a session which was there before, as a page does after a failure."""
    tab = Tab(address, "units", "")
    tab.context = connect(
        address.replace("http", "ws", 1) + "/_stcore/stream",
        subprotocols=[Subprotocol(text) for text in ("streamlit", "x", session)],
        additional_headers={"Cookie": cookie, "X-Posenc-Owner": header},
        open_timeout=PATIENCE,
        ping_interval=None,
        max_size=None,
    )
    return tab


def sent(address: str, message: BackMsg) -> list[str]:
    """Answers to an open page's message until its heartbeat is answered or its line ends."""
    heart, told = BackMsg(app_heartbeat=True), []
    with Tab(address, "units", "") as tab:
        tab.run()
        tab.connection.send(heart.SerializeToString())
        for answer in tab.answers():
            if answer.WhichOneof("type") == "heartbeat_ack":
                break
        try:
            tab.connection.send(message.SerializeToString())
            tab.connection.send(heart.SerializeToString())  # the connection may have ended already
            for answer in tab.answers():
                told.append(answer.WhichOneof("type"))
                if told[-1] == "heartbeat_ack":
                    return told
        except ConnectionClosed as closed:
            return [*told, f"closed: {closed.rcvd.code if closed.rcvd else 'while it spoke'}"]
    raise AssertionError("neither an answer nor an end")


def test_a_page_says_nothing_to_a_server_that_is_for_others_too(address):
    """Emptied caches, git and installed files are everybody's; what is without end is refused."""
    for kind in ("clear_cache", "load_git_info", "set_run_on_save"):
        assert sent(address, BackMsg(**{kind: True})) == ["heartbeat_ack"]
    operation = BackMsg()
    operation.backend_operation_request.install_skills.SetInParent()
    assert sent(address, operation) == ["heartbeat_ack"]
    files = BackMsg()
    files.file_urls_request.file_names.extend(["a"] * 100)
    assert sent(address, files) == ["file_urls_response", "heartbeat_ack"]
    files.file_urls_request.file_names.append("one too many")
    assert sent(address, files) == ["closed: 1008"]
    controls, kept, page = BackMsg(), BackMsg(), BackMsg()
    controls.rerun_script.widget_states.widgets.extend([WidgetState(id="x")] * 2001)
    kept.rerun_script.cached_message_hashes.extend(["x"] * 20_001)
    page.rerun_script.query_string = "a=1&" * (1 << 14) + "a"
    long = BackMsg()
    long.rerun_script.widget_states.widgets.add(id="x", string_value="x" * (5 << 20))
    for message in (controls, kept, page):
        assert sent(address, message) == ["closed: 1008"]
    assert sent(address, long) in (["closed: 1009"], ["closed: while it spoke"])


@pytest.mark.parametrize(
    ("variable", "value"),
    [
        ("POSENC_LAB", "everybody"),
        ("POSENC_LAB_DATABASE", "mysql://host/name"),
        ("POSENC_MODELS_MAX_MEMORY", "lots"),
    ],
)
def test_a_wrong_variable_is_said_at_the_start(variable, value, monkeypatch):
    monkeypatch.setenv(variable, value)
    with pytest.raises(SystemExit, match=r"The app does not start\. .*" + value.split(":")[0]):
        entry.check_configuration()


def test_who_has_no_home_is_told_so(monkeypatch):
    """The user of a container may be none that its system knows."""

    def home(_: type[Path]) -> Path:
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.setattr(Path, "home", classmethod(home))
    with pytest.raises(SystemExit, match="HOME must name a folder"):
        importlib.reload(serving)


def figures(address: str) -> dict[str, float]:
    """Figures for an operator, by name with their labels."""
    lines = fetch(f"{address}/metrics", **OPERATOR)[1].decode().splitlines()
    pairs = (line.rsplit(" ", 1) for line in lines if not line.startswith("#"))
    return {name: float(number) for name, number in pairs}


def test_an_operator_reads_what_the_server_does(address, log):
    before = figures(address)
    with Tab(address, "alibi", "", X_Request_ID="moves") as tab:
        head = tab.run().control("head")
        assert figures(address)["posenc_sessions"] == before["posenc_sessions"] + 1
        assert tab.run(WidgetState(id=head.id, double_value=2)).exceptions == []
        after = figures(address)
        assert len(tab.run(WidgetState(id=head.id, string_value="no number")).exceptions) == 1
    # A page's first run has no hash of its screen in it yet: it is told as another one.
    timed = [name for name in after if name.startswith("posenc_move_seconds_count")]
    assert sum(after[name] - before.get(name, 0) for name in timed) == 2
    (failed,) = [line for line in read_until(log, "moves", "Uncaught") if "error" in line]
    assert "Traceback" in failed["error"]
    assert figures(address)["posenc_errors_total"] == after["posenc_errors_total"] + 1 == 1
    fetch(f"{address}/rope")
    pages = 'posenc_requests_total{kind="page",status="2xx"}'
    assert figures(address)[pages] > before.get(pages, 0)
    assert after["posenc_budget_bytes"] == 4 * 512 * 2**20
    assert (after["posenc_budget_used_bytes"], after["posenc_budget_waiting"]) == (0, 0)
    assert (after["posenc_lab_up"], after['posenc_jobs{state="queued"}']) == (1, 0)
    assert 1e8 < after["process_resident_memory_bytes"] < 4e9


def read_until(file: Path, request: str, words: str) -> list[dict]:
    """The JSON lines of a request, once one of them has these words."""
    mine: list[dict] = []

    def is_told() -> bool:
        text = file.read_text("utf-8") if file.is_file() else ""
        # The last line may be half written.
        told = [json.loads(line) for line in text.split("\n")[:-1] if line.startswith("{")]
        mine[:] = [line for line in told if line.get("request") == request]
        return any(words in line["message"] for line in mine)

    until(is_told, f"a line with {words!r} of {request} in {file}")
    return mine


def test_one_order_has_one_id_in_the_apps_log_and_in_the_workers(address, log, hers):
    name = "7b1c-of-the-proxy"
    with Tab(address, "lab", Cookie=hers, X_Request_ID=name) as tab:
        page = tab.run()
        tab.run(pressed(page.control("Train it")))
    mine = read_until(log, name, "page closed")
    by_logger = {line["logger"]: line for line in mine}
    assert by_logger["posenc.audit"]["message"].startswith("order ")
    assert len(by_logger["posenc.audit"]["session"]) == 8
    theirs = read_until(log.parent / "worker.log", name, "begins")
    assert [(line["logger"], line["message"]) for line in theirs] == [
        ("posenc.worker", "train, attempt 1, begins")
    ]
    assert theirs[0]["job"] == 1
    assert figures(address)['posenc_jobs{state="running"}'] == 1
    assert figures(address)["posenc_worker_up"] == 1
    database = f"sqlite:///{log.parent}/runs.sqlite"
    with Lab(LabSettings(home=log.parent, database=database)) as lab:
        lab.cancel(1)
    assert read_until(log.parent / "worker.log", name, "ended")[-1]["job"] == 1


def test_every_answer_names_its_request_in_one_line(address, log):
    assert fetch(f"{address}/rope", **{"X-Request-ID": "abc.1"})[0]["x-request-id"] == "abc.1"
    told = 'a"}{"forged": 1'
    with pytest.raises(urllib.error.HTTPError, match="404") as refused:
        fetch(f"{address}/rope%0A{{}}", **{"X-Request-ID": told})
    made = refused.value.headers["x-request-id"]
    refused.value.close()
    assert len(made) == 16
    (line,) = read_until(log, made, "answered")
    assert (line["status"], line["path"]) == (404, "/rope\n{}")
    assert all(line.startswith("{") for line in log.read_text("utf-8").splitlines())


def test_what_no_page_sends_finds_nothing(address, log, monkeypatch):
    """The small form of the penetration pass, `make hostile`."""
    monkeypatch.setattr(inputs, "NAMES", ["alibi", "why_position"])
    server = Server(int(address.rpartition(":")[2]), os.getpid())
    trial = Trial(server, log.parent, log)
    for part, count in (
        (inputs.controls, 24),
        (files.configs, 10),
        (files.uploads, 6),
        (messages.forged, 3),
    ):
        part(trial, Random(1), count)
    assert trial.found == []
    assert trial.tried.total() >= 40


def test_what_the_screens_take_the_server_takes_too():
    settings = tomllib.loads((ROOT / ".streamlit" / "config.toml").read_text())["server"]
    assert max(UPLOAD, LARGEST_UPLOAD) < settings["maxUploadSize"]
