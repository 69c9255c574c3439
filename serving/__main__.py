"""The server behind a proxy: `python -m serving --port 8501 --proxy 127.0.0.1`.

It is uvicorn with what its own command line cannot say: `serving.websocket` bounds what a page's
connection may send, which no proxy looks into. Slow, half and overlong requests are the proxy's.
"""

import argparse

import uvicorn

from lab import logs
from serving.model import prepare_model
from serving.websocket import BoundedWebSocket
from ui.streamlit.messages import LONGEST

GRACE = 10
"""Seconds in which a server that is told to end has to, whoever is still connected."""


def parser() -> argparse.ArgumentParser:
    """Options of the command line."""
    parser = argparse.ArgumentParser(prog="python -m serving", description=__doc__)
    parser.add_argument("--host", default="127.0.0.1", help="address to listen at")
    parser.add_argument("--port", type=int, default=8501)
    parser.add_argument("--proxy", default="", help="address whose X-Forwarded-For is believed")
    return parser


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
