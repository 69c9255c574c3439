"""`python -m lab`: the lab's jobs from a terminal."""

import signal
import threading
from typing import Annotated

import typer

app = typer.Typer(no_args_is_help=True, add_completion=False)


@app.callback()
def lab() -> None:
    """Train small transformers and measure them past their training length."""


@app.command()
def worker(
    idle: Annotated[float | None, typer.Option(help="End after so many idle seconds.")] = None,
    holder: Annotated[str | None, typer.Option(hidden=True)] = None,
) -> None:
    """Do the jobs that wait."""
    import os

    from lab.settings import Settings
    from lab.supervisor import NICENESS, Supervisor

    os.nice(NICENESS)
    stop = threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: stop.set())
    if not Supervisor(Settings.from_environment(), holder).run(stop, idle):
        print("Another worker is at work on this database.")
