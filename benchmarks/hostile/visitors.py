"""Two visitors against each other: jobs, cookies, sessions, texts and files of the other one."""

import time
import urllib.request
from dataclasses import dataclass, field

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.WidgetStates_pb2 import WidgetState
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import connect
from websockets.typing import Subprotocol

from benchmarks.hostile.target import Record, Target, ask
from benchmarks.visitor import PATIENCE, Page, Tab, cookie_of, pressed
from lab.queue.access import Visitor
from lab.queue.jobs import Lab
from lab.queue.settings import LabSettings
from lab.spec import text_spec

FORGET = 180.0
"""Seconds after which nothing of a page that was closed is given out: sessions are kept for two
minutes, so that a reader whose line was cut comes back to theirs."""
STEERING = ("pause_", "cancel_", "remove_")


@dataclass
class Tries:
    """Attempts of one visitor against the other, and whether each ended as it must."""

    all: list[tuple[str, bool]] = field(default_factory=list)

    def must(self, what: str, well: object) -> None:
        self.all.append((what, bool(well)))


def two_visitors(target: Target, record: Record) -> str:
    tries = Tries()
    ann, bob = cookie_of(target.address), cookie_of(target.address)
    for part in (_jobs, _cookies, _sessions, _texts, _files):
        part(target, tries, ann, bob)
    for what, well in tries.all:
        record.tried["two visitors"] += 1
        if not well:
            record.find("two visitors", what)
    good = sum(well for _, well in tries.all)
    return f"two visitors against each other: {good} of {len(tries.all)} as it must be"


def _jobs(target: Target, tries: Tries, ann: str, bob: str) -> None:
    with (
        Tab(target.address, "lab", "", Cookie=ann) as hers,
        Tab(target.address, "lab", "", Cookie=bob) as his,
    ):
        page = hers.run()
        steering = _buttons(hers.run(pressed(page.control("Train it"))))
        tries.must("who ordered a job may steer it", steering)
        seen = his.run()
        tries.must("another one sees no button for it", not _buttons(seen))
        for name in steering:
            his.run(WidgetState(id=name, trigger_value=True))
        well = state_of(target) in ("queued", "running")
        tries.must("pressing her buttons from his page does nothing", well)
        tries.must("her session is not in what he is told", page.session not in "".join(seen.texts))
        for forged in _forged(ann, bob):
            with Tab(target.address, "lab", "", Cookie=forged) as again:
                tries.must(
                    f"a forged cookie {forged[-12:]!r} is nobody's", not _buttons(again.run())
                )
        cancel = next((name for name in steering if "cancel_" in name), "")
        hers.run(WidgetState(id=cancel, trigger_value=True))
        tries.must("she cancels it herself", state_of(target) == "cancelled")


def _buttons(page: Page) -> list[str]:
    return [name for name in page.widgets if name.rsplit("-", 1)[-1].startswith(STEERING)]


def _forged(ann: str, bob: str) -> list[str]:
    """Cookies that are nearly hers: owner, time and signature stand between dots."""
    owner, when, sign = ann.rsplit(".", 2)
    _, his_time, his_sign = bob.rsplit(".", 2)
    nearly = [
        f"{ann[:-3]}AAA",
        ann.replace("browser", "Browser"),
        owner,
        f"{ann}x",
        "posenc_owner=",
        f"{owner}.{his_time}.{his_sign}",
        f"{owner}.{when}.{his_sign}",
        f"{owner}.{his_time}.{sign}",
        f"{owner}.zzzzzz.{sign}",
        f"{owner}..{sign}",
        f"{owner}.{when}.",
        f'"{ann}"; {ann}x',
        ann.replace("posenc_owner", "Posenc_owner"),
        f"{owner}%2E{when}.{sign}",
    ]
    return [cookie for cookie in nearly if cookie != ann]  # made in the same second


def _cookies(target: Target, tries: Tries, ann: str, bob: str) -> None:
    for forged in _forged(ann, bob):
        asked = urllib.request.Request(f"{target.address}/lab", headers={"Cookie": forged})
        with urllib.request.urlopen(asked, timeout=PATIENCE) as answer:
            given = answer.headers["Set-Cookie"]
        owner = ann.rsplit(".", 2)[0]
        # Quotes and names of other cases: whether the whole, right cookie is in there decides.
        well = owner not in given or ann in forged.replace('"', "").split("; ")
        tries.must(f"a forged cookie {forged[-12:]!r} is signed for nobody", well)


def _sessions(target: Target, tries: Tries, ann: str, bob: str) -> None:
    for origin in (
        "https://elsewhere.example",
        "http://127.0.0.1:1",
        "http://localhost",
        "https://[::1]",
    ):
        try:
            with Tab(target.address, "lab", "", Cookie=ann, Origin=origin) as foreign:
                widgets = foreign.run().widgets.values()
            labels = [getattr(one, "label", "") for _, one, _ in widgets]
        except (InvalidStatus, ConnectionClosed, TimeoutError):
            labels = []
        tries.must(f"a page of {origin} orders nothing with her cookie", "Train it" not in labels)
    with Tab(target.address, "units", "step=0", Cookie=ann) as hers:
        page = hers.run()
        protocols = [Subprotocol(text) for text in ("streamlit", "x", page.session)]
        stream = target.address.replace("http", "ws", 1) + "/_stcore/stream"
        taker = Tab(target.address, "units", "step=0", Cookie=bob)
        taker.context = connect(
            stream, subprotocols=protocols, additional_headers={"Cookie": bob}, max_size=None
        )
        with taker as his:
            taken = his.run().session
        tries.must("her session's id is no key to it", taken not in ("", page.session))
        tries.must("she goes on", hers.run().session in ("", page.session))
        for session in ("nobody", page.session):
            for method in ("PUT", "DELETE"):
                place = f"{target.address}/_stcore/upload_file/{session}/{page.session}"
                status, _ = ask(place, method, b"x", Content_Type="text/plain", Cookie=bob)
                tries.must(f"{method} of a file without the page's own token", status >= 400)


def _texts(target: Target, tries: Tries, ann: str, bob: str) -> None:
    """Below the screens, which offer nobody the text of another."""
    settings = LabSettings(home=target.home, database=f"sqlite:///{target.home}/runs.sqlite")
    her, him = (Visitor(cookie.split("=", 1)[1].split(".")[0], "own") for cookie in (ann, bob))
    with Lab(settings, her) as lab:
        his, path = lab.seen_by(him), lab.add_corpus(b"a letter to nobody else " * 5000)
        name = path.rpartition("/")[2]
        tries.must("he does not see her text", name not in {text.name for text in his.texts()})
        order = {"spec": text_spec("rope").to_dict() | {"corpus": path}}
        for what, do in (
            ("he trains on it", lambda: his.submit("train", order)),
            ("he removes it", lambda: his.remove_text(name)),
        ):
            try:
                do()
                tries.must(f"{what}: refused", False)
            except ValueError:
                tries.must(f"{what}: refused", True)
        tries.must("her text is still there", name in {text.name for text in lab.texts()})
        lab.remove_text(name)


def _files(target: Target, tries: Tries, ann: str, bob: str) -> None:
    with (
        Tab(target.address, "config", "", Cookie=ann) as hers,
        Tab(target.address, "units", "step=0", Cookie=bob) as his,
    ):
        page, seen = hers.run(), his.run()
        files = [e for kind, e, _ in page.widgets.values() if kind == "download_button"]
        ids = [e.deferred_file_id for e in files if e.deferred_file_id]
        places = [_made(hers, page.session, one) for one in ids] + [e.url for e in files if e.url]
        tries.must(
            "she gets her files", places and all(_status(target, at) == 200 for at in places)
        )
        told = "".join(seen.texts) + str(sorted(seen.widgets))
        tries.must(
            "her files are not in what he is told", not any(at in told for at in places + ids)
        )
        for at in places:
            stem, dot, kind = at.rpartition(".")
            guesses = (
                f"{stem[:-1]}0{dot}{kind}",
                f"{stem[:-1]}1{dot}{kind}",
                "/media/",
                "/media/..%2f",
            )
            found = sum(_status(target, guess) == 200 for guess in guesses if guess != at)
            tries.must("no name near hers is a file", not found)
        for one in ids[:1]:
            made = _made(his, seen.session, one[:-1] + ("0" if one[-1] != "0" else "1"))
            tries.must("no file is made for a guessed id", not made)
            made = _made(his, page.session, one)
            tries.must("no file is made over his line for her session", not made)
    end = time.monotonic() + FORGET
    while (left := [at for at in places if _status(target, at) == 200]) and time.monotonic() < end:
        time.sleep(5.0)
        with Tab(target.address, "units", "step=0", Cookie=bob) as his:  # others come and go
            his.run()
    tries.must("when she has left, her files are gone", not left)


def _made(tab: Tab, session: str, file: str) -> str:
    """The address of a file that is made when it is asked for; "" where none is."""
    asked = BackMsg()
    asked.backend_operation_request.request_id = "1"
    asked.backend_operation_request.session_id = session
    asked.backend_operation_request.deferred_file.file_id = file
    tab.line.send(asked.SerializeToString())
    for message in tab.answers():
        if message.WhichOneof("type") == "backend_operation_response":
            return str(message.backend_operation_response.deferred_file.url)
    return ""


def _status(target: Target, at: str) -> int:
    return ask(f"{target.address}{at}")[0]


def state_of(target: Target) -> str:
    """State of the newest job, by the database itself."""
    with Lab(LabSettings(home=target.home, database=f"sqlite:///{target.home}/runs.sqlite")) as lab:
        jobs = lab.jobs(most=1)
        return jobs[0].wanted or jobs[0].state if jobs else "none"
