# ruff: noqa: E501, lists of inputs are read by columns
"""Configs and uploaded files that are wrong in every way."""

import json
import os
import random
import urllib.parse
import urllib.request
from functools import partial

from streamlit.proto.WidgetStates_pb2 import WidgetState

from benchmarks.hostile.inputs import UP
from benchmarks.hostile.target import LINK, ROOT, Record, Target, ask, judged
from benchmarks.visitor import PATIENCE, Tab


def configs(target: Target, record: Record, draw: random.Random, count: int) -> None:
    """Files of models with fields that are missing, of another kind, or out of range."""
    file = ROOT / "encodings/posenc/config/known_models.json"
    known = json.loads(file.read_text("utf-8"))
    models = [
        m for m in (known.values() if isinstance(known, dict) else known) if isinstance(m, dict)
    ]
    models = [model.get("config", model) for model in models]
    with Tab(target.address, "config") as tab:
        page = tab.run(query="model=own")
        areas = [element for kind, element, _ in page.widgets.values() if kind == "text_area"]
        if not areas:
            raise SystemExit("the screen config has no place for a text")
        for _ in range(count):
            text = mutated(json.dumps(draw.choice(models)), draw)
            value = WidgetState(id=areas[0].id, string_value=text)
            judged(record, target, "configs", partial(tab.run, value), text)


def mutated(text: str, draw: random.Random) -> str:
    """A config with one to three things wrong; sometimes no longer JSON."""
    if draw.random() < 0.15:
        at = draw.randrange(len(text))
        return text[:at] + draw.choice(("", "{", '"', "\0", "[" * 5000, "1e99999")) + text[at + 1 :]
    config = json.loads(text)
    for _ in range(draw.randint(1, 3)):
        key = draw.choice(
            [*config, "rope_scaling", "head_dim", "rope_theta", "layer_types", "model_type"]
        )
        config[key] = draw.choice(
            (
                None,
                True,
                "",
                "x",
                LINK,
                -1,
                0,
                1,
                10**30,
                1e308,
                1e-308,
                [],
                [[]],
                {},
                {"type": "yarn"},
                [1] * 3000,
                {"rope_type": LINK, "factor": -1},
                {"rope_type": "longrope", "short_factor": [1] * 9, "factor": 4},
                {"full_attention": {"rope_type": "default"}},
                "9" * 300,
            )
        )
    return json.dumps(config)


def xsrf_token(target: Target) -> dict[str, str]:
    """The headers without which Streamlit takes no file."""
    with urllib.request.urlopen(f"{target.address}/_stcore/health", timeout=PATIENCE) as told:
        cookie = told.headers["Set-Cookie"].split(";")[0]
    return {"Cookie": cookie, "X_Xsrftoken": cookie.partition("=")[2]}


def uploads(target: Target, record: Record, draw: random.Random, count: int) -> None:
    """Files without an end, of nobody's session, with any name and content."""
    kept = [
        b"",
        b"\0" * 100,
        b"{" * 10_000,
        b'{"model_type": "llama"}',
        "text".encode("utf-16"),
        b"GGUF" + b"\xff" * 200,
        b"GGUF\3\0\0\0" + b"\xff" * 64,
        b"PK\3\4" + b"x" * 99,
        os.urandom(5000),
        b'{"a":' * 2000,
        b"\x80\4\x95",
    ]
    token = xsrf_token(target)
    names = ("config.json", "model.gguf", "é.json", f"{UP}x.json", "x" * 300, "a\nb", "<b>.json")
    for number in range(count):
        with Tab(target.address, "config") as tab:
            page = tab.run()
            name = draw.choice(names)
            content = draw.choice(kept)
            file = draw.choice((f"file-{number}", f"file-{number}", "../x", "a" * 300))
            session = draw.choice((page.session, page.session, "nobody", "../x"))
            place = "/".join(urllib.parse.quote(part, safe="") for part in (session, file))
            edge = "edge"
            head = f'--{edge}\r\nContent-Disposition: form-data; name="file"; filename="{name}"\r\n\r\n'
            status, said = ask(
                f"{target.address}/_stcore/upload_file/{place}",
                "PUT",
                head.encode() + content + f"\r\n--{edge}--\r\n".encode(),
                Content_Type=f"multipart/form-data; boundary={edge}",
                **(token if number % 5 else {}),
            )
            record.tried["uploads"] += 1
            record.search(said, (session == page.session, file), target.secrets)
            if status >= 500:
                record.find(f"status {status}", ("upload", name, said[:200]))
            # Whatever became of the file, the page says that it is there.
            state = WidgetState(id=page.control("given").id)
            info = state.chat_input_value.file_uploader_state.uploaded_file_info.add()
            info.name = name
            info.file_id = file
            info.size = draw.choice((len(content), 10**12, 0))
            about = (name, content[:60], status)
            judged(record, target, "uploads, read", partial(tab.run, state), about)
