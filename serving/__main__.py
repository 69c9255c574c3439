"""The server behind a proxy: `python -m serving --port 8501 --proxy 127.0.0.1`.

It is uvicorn with what its own command line cannot say: `serving.websocket` bounds what a page's
connection may send, which no proxy looks into. Slow, half and overlong requests are the proxy's.
"""

import argparse
import logging
import multiprocessing

import uvicorn

from lab import logs
from models.files.find import installed
from models.files.gguf import converted, is_converted
from models.home import Home
from serving.websocket import BoundedWebSocket
from ui.streamlit.messages import LONGEST

LOG = logging.getLogger("posenc.server")
GRACE = 10
"""Seconds in which a server that is told to end has to, whoever is still connected."""


def parser() -> argparse.ArgumentParser:
    """Options of the command line."""
    parser = argparse.ArgumentParser(prog="python -m serving", description=__doc__)
    parser.add_argument("--host", default="127.0.0.1", help="address to listen at")
    parser.add_argument("--port", type=int, default=8501)
    parser.add_argument("--proxy", default="", help="address whose X-Forwarded-For is believed")
    return parser


def prepare_model() -> None:
    """Convert the language model where that was not done: its first reader would wait for it.

    A process of its own does it, which gives its memory back.
    """
    found = installed()
    if found is None or not found.is_gguf or is_converted(found.path, Home.from_environment()):
        return
    LOG.info("the language model is converted, once in its folder (POSENC_MODELS_HOME)")
    working = multiprocessing.get_context("spawn").Process(target=_convert)
    working.start()
    working.join()


def _convert() -> None:
    found = installed()
    assert found is not None
    try:
        converted(found.path, Home.from_environment())
    except ValueError as error:  # screens that show it say so too
        LOG.warning("the language model is not converted: %s", error)


def main() -> None:
    """Serve until told to end."""
    asked = parser().parse_args()
    logs.settle()
    prepare_model()
    uvicorn.run(
        "app:app",
        host=asked.host,
        port=asked.port,
        proxy_headers=bool(asked.proxy),
        forwarded_allow_ips=asked.proxy,
        ws=BoundedWebSocket,
        ws_max_size=LONGEST,
        ws_per_message_deflate=False,
        timeout_graceful_shutdown=GRACE,
    )


if __name__ == "__main__":
    main()
