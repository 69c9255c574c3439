"""Configs and uploaded files that are wrong in every way."""

import json
import os
import random
import urllib.parse
from functools import partial

from streamlit.proto.WidgetStates_pb2 import WidgetState

from benchmarks.hostile.trial import LINK, ROOT, Trial, ask
from benchmarks.visitor import Tab, cookie_of

NAMES = ("config.json", "model.gguf", "é.json", "../../x.json", "x" * 300, "a\nb", "<b>.json")
CONTENTS = (
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
)
FIELDS = ("rope_scaling", "head_dim", "rope_theta", "layer_types", "model_type")
VALUES = (
    *(None, True, "", "x", LINK, "9" * 300),
    *(-1, 0, 1, 10**30, 1e308, 1e-308),
    *([], [[]], [1] * 3000, {}),
    {"type": "yarn"},
    {"rope_type": LINK, "factor": -1},
    {"rope_type": "longrope", "short_factor": [1] * 9, "factor": 4},
    {"full_attention": {"rope_type": "default"}},
)


def configs(trial: Trial, draw: random.Random, count: int) -> None:
    """Files of models with fields that are missing, of another kind, or out of range."""
    known = json.loads((ROOT / "advisor/advisor/known_models.json").read_text("utf-8"))
    models = [model.get("config", model) for model in known]
    with Tab(trial.address, "config") as tab:
        widgets = tab.run(query="model=own").widgets
        area = next(one.element for one in widgets.values() if one.kind == "text_area")
        for _ in range(count):
            text = mutated(draw.choice(models), draw)
            value = WidgetState(id=area.id, string_value=text)
            trial.page("configs", text, partial(tab.run, value))


def mutated(config: dict[str, object], draw: random.Random) -> str:
    """A config with one to three things wrong; sometimes no longer JSON."""
    if draw.random() < 0.15:
        text = json.dumps(config)
        at = draw.randrange(len(text))
        return text[:at] + draw.choice(("", "{", '"', "\0", "[" * 5000, "1e99999")) + text[at + 1 :]
    wrong = {draw.choice([*config, *FIELDS]): draw.choice(VALUES) for _ in range(3)}
    return json.dumps(config | wrong)


def uploads(trial: Trial, draw: random.Random, count: int) -> None:
    """Files without an end, of nobody's session, with any name and content."""
    cookie = cookie_of(trial.address, "_stcore/health")
    for number in range(count):
        with Tab(trial.address, "config") as tab:
            page = tab.run()
            name = draw.choice(NAMES)
            content = draw.choice(CONTENTS)
            file = draw.choice((f"file-{number}", f"file-{number}", "../x", "a" * 300))
            session = draw.choice((page.session, page.session, "nobody", "../x"))
            place = "/".join(urllib.parse.quote(part, safe="") for part in (session, file))
            form = f'Content-Disposition: form-data; name="file"; filename="{name}"'
            headers = {"Content_Type": "multipart/form-data; boundary=edge"}
            if number % 5:  # the headers without which Streamlit takes no file
                headers |= {"Cookie": cookie, "X_Xsrftoken": cookie.partition("=")[2]}
            status, said = ask(
                f"{trial.address}/_stcore/upload_file/{place}",
                "PUT",
                f"--edge\r\n{form}\r\n\r\n".encode() + content + b"\r\n--edge--\r\n",
                **headers,
            )
            trial.tried["uploads"] += 1
            trial.search(said, (session == page.session, file))
            if status >= 500:
                trial.find(f"status {status}", ("upload", name, said[:200]))
            # Whatever became of the file, the page says that it is there.
            state = WidgetState(id=page.control("given").id)
            state.chat_input_value.file_uploader_state.uploaded_file_info.add(
                name=name, file_id=file, size=draw.choice((len(content), 10**12, 0))
            )
            about = (name, content[:60], status)
            trial.page("uploads, read", about, partial(tab.run, state))
