"""Models fetched from a stand-in that speaks the hub's protocol; nothing leaves the machine."""

import hashlib
import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from typer.testing import CliRunner

from models.cli import app
from models.files.find import found
from models.files.hub import get
from models.forward import forward
from models.home import Home
from models.opened import open_model
from tests.models import tiny

SHA = "0123456789abcdef0123456789abcdef01234567"
REPOSITORY = "someone/tiny"
UNWANTED = ("pytorch_model.bin", "modeling_tiny.py", "onnx/model.safetensors")


class Hub:
    """A hub with one repository, and the paths that were asked for."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.asked, hub = folder, [], self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                hub.answer(self, body=True)

            def do_HEAD(self) -> None:
                hub.answer(self, body=False)

            def log_message(self, *_: object) -> None: ...

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.address = f"http://127.0.0.1:{self.server.server_address[1]}"

    def answer(self, request: BaseHTTPRequestHandler, *, body: bool) -> None:
        path = request.path.partition("?")[0]
        assert "authorization" not in request.headers
        if path in (f"/api/models/{REPOSITORY}", f"/api/models/{REPOSITORY}/revision/main"):
            names = [p.relative_to(self.folder) for p in self.folder.rglob("*") if p.is_file()]
            files = [{"rfilename": str(n), "size": (self.folder / n).stat().st_size} for n in names]
            data = json.dumps({"id": REPOSITORY, "sha": SHA, "siblings": files}).encode()
            headers = {"Content-Type": "application/json"}
        elif path.startswith(f"/{REPOSITORY}/resolve/{SHA}/"):
            name = path.removeprefix(f"/{REPOSITORY}/resolve/{SHA}/")
            self.asked.append(name)
            data = (self.folder / name).read_bytes()
            headers = {"X-Repo-Commit": SHA, "ETag": f'"{hashlib.sha256(data).hexdigest()}"'}
        else:
            request.send_response(404)
            request.send_header("X-Error-Code", "RepoNotFound")
            request.send_header("Content-Length", "0")
            request.end_headers()
            return
        request.send_response(200)
        for name, value in {**headers, "Content-Length": str(len(data))}.items():
            request.send_header(name, value)
        request.end_headers()
        if body:
            request.wfile.write(data)


@pytest.fixture
def hub(tmp_path: Path) -> Iterator[Hub]:
    folder = tiny.save("llama", tmp_path / "repository")
    for name in UNWANTED:
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text("raise SystemExit('this ran')")
    hub = Hub(folder)
    thread = threading.Thread(target=hub.server.serve_forever)
    thread.start()
    yield hub
    hub.server.shutdown()
    hub.server.server_close()
    thread.join()


def test_a_model_is_fetched_and_opened(hub: Hub, tmp_path: Path) -> None:
    home, lines = Home(tmp_path / "home"), []
    folder = get(REPOSITORY, home, hub.address, report=lines.append)
    names = {"config.json", "model.safetensors", "tokenizer.json"}
    assert {path.name for path in folder.iterdir()} == names == set(hub.asked)
    assert lines[0].startswith("someone/tiny: 3 files, ")
    for name in names:
        assert (folder / name).read_bytes() == (hub.folder / name).read_bytes()
    one = found(home)["someone--tiny"]
    assert one.title == REPOSITORY
    assert forward(open_model(one, home), [1, 2, 3]).length == 3


def test_what_cannot_be_fetched_is_refused_in_a_sentence(hub: Hub, tmp_path: Path) -> None:
    home = Home(tmp_path / "home")
    for name in ("../secret", "a/b/c", "", "some one/x"):
        with pytest.raises(ValueError, match="A model's name is owner/name"):
            get(name, home, hub.address)
    with pytest.raises(ValueError, match="someone/other cannot be fetched: "):
        get("someone/other", home, hub.address)
    with pytest.raises(ValueError, match="someone/tiny cannot be fetched: "):
        get(REPOSITORY, home, "http://127.0.0.1:9")
    with pytest.raises(ValueError, match="set POSENC_MODELS_MAX_MEMORY to allow more"):
        get(REPOSITORY, Home(tmp_path / "home", max_memory=1000), hub.address)
    (hub.folder / "model.safetensors").unlink()
    with pytest.raises(ValueError, match="code when they are opened and are not fetched"):
        get(REPOSITORY, home, hub.address)
    assert hub.asked == []


def test_the_command_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("POSENC_MODELS_HOME", str(tmp_path))
    monkeypatch.setenv("POSENC_NO_MODEL", "1")
    tiny.save("gpt2", tmp_path / "someone--gpt")
    listed = CliRunner().invoke(app, ["list"])
    assert listed.stdout == f"someone--gpt\t{tmp_path / 'someone--gpt'}\n"
    refused = CliRunner().invoke(app, ["get", "../x"])
    assert refused.exit_code == 2
    assert "A model's name is owner/name" in refused.stderr
