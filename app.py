"""The application: start-up work, and the middlewares of `serving` around navigation.py.

`streamlit run app.py` (what `make run` does) and `uvicorn app:app` start it.
"""

import gc
import importlib
import resource
import sys
import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

import streamlit as st
from starlette.concurrency import run_in_threadpool
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Route

from lab import logs
from lab.queue.access import Access
from lab.queue.database import read_address
from lab.queue.settings import LabSettings
from models.home import Home
from serving import code, course, elsewhere, figures, lists
from serving.admission import KEY, Admission
from serving.files import Releases
from serving.headers import Headers
from serving.index import Index
from serving.network import trusted_networks
from serving.sessions import Sessions
from serving.turns import Turns
from serving.watching import Watching
from ui.jobs import visitor
from ui.site import public
from ui.streamlit.server import address, held_bytes, show_app_first


def _page_of_reference(path: str) -> str | None:
    from serving.reference import pages  # takes half a second, for the few who read it

    return pages.page(path)


async def reference(request: Request) -> Response:
    """A page of the library's reference, made of docstrings when it is asked for first."""
    html = await run_in_threadpool(_page_of_reference, request.path_params["path"])
    return Response(status_code=404) if html is None else HTMLResponse(html)


async def home(request: Request) -> Response:
    """The first screen has no name in its address; who gives it its own is led there."""
    return RedirectResponse("./" + (f"?{request.url.query}" if request.url.query else ""))


def check_configuration() -> None:
    """End with one sentence where a variable is not what it must be."""
    try:
        logs.form()
        settings = LabSettings.from_environment()
        read_address(settings.database)
        Access.from_environment()
        Home.from_environment()
        trusted_networks()
        public.address()
        public.source()
    except ValueError as error:
        raise SystemExit(f"The app does not start. {error}") from None


@asynccontextmanager
async def start_up(app: Any) -> AsyncIterator[None]:
    """Import what every screen needs, so that the first visitor does not wait for torch."""
    for module in ("torch", "posenc", "ui.charts.component"):
        importlib.import_module(module)
    # 1,024 silent connections would be all that many systems allow; a proxy ends such ones.
    _soft, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    with suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    # What is there now stays; to look for what can go, as after large messages, is then quick.
    gc.collect()
    gc.freeze()
    logs.settle()  # once more: the server has put its own handlers in place
    if Path(sys.argv[0]).name == Path(__file__).name:  # `streamlit run`, which knows its address
        tell_address()
        threading.Thread(target=course.prepare, daemon=True).start()
    else:  # a server takes nobody in before it can answer at once
        await run_in_threadpool(course.prepare)
    yield


def tell_address() -> None:
    """Print where the app is; where nothing says what visitors may do, with a key to all of it."""
    told = f"/?{KEY}={visitor.key()}" if not Access.from_environment().mode else ""
    print(f"\n  The app is at {address()}{told}\n", flush=True)


def count_error(_: Exception) -> None:
    """A screen has ended in an error; the log says in which."""
    figures.errors.inc()


def script() -> str:
    """The path of navigation.py, the same in every release.

    Streamlit keys the state of widgets by the path of the script: so it stays through releases.
    """
    here = Path("/proc/self/cwd/navigation.py")
    own = Path(__file__).with_name("navigation.py")
    return str(here) if here.exists() and here.samefile(own) else str(own)


show_app_first()
check_configuration()
BASE = str(st.get_option("server.baseUrlPath")).strip("/")
UNDER = f"/{BASE}" if BASE else ""
logs.settle()
logs.SOURCES[:] = [visitor.known]
figures.start(lambda: held_bytes()[1])
app = st.App(
    script(),
    lifespan=start_up,
    on_script_error=count_error,
    routes=[
        Route(UNDER + "/api/{path:path}", reference),
        Route(UNDER + "/home", home),
        *lists.routes(UNDER),
        *elsewhere.routes(UNDER),
        *code.routes(UNDER),
        *course.routes(UNDER),
    ],
    middleware=[
        Middleware(Sessions),
        Middleware(Watching),
        Middleware(Turns),
        Middleware(Headers),
        Middleware(Admission),
        Middleware(course.Moved),
        Middleware(Releases),
        Middleware(GZipMiddleware, minimum_size=1000, compresslevel=4),
        Middleware(Index, under=UNDER),
    ],
)
