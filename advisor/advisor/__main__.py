"""The command line: posenc explain config.json, posenc check URL, posenc engines."""

import gc
from importlib.metadata import version
from typing import Annotated

import typer

from advisor.endpoint import command as endpoint
from advisor.engines.all import ENGINES
from advisor.report import command as report
from posenc.words import say

app = typer.Typer(
    add_completion=False,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    help=say("Positional encodings of language models."),
)


def _tell(asked: bool) -> None:
    if asked:
        typer.echo(f"posenc {version('posenc-advisor')}")
        raise typer.Exit


@app.callback()
def _commands(
    told: Annotated[
        bool,
        typer.Option("--version", callback=_tell, is_eager=True, help="Print the version alone."),
    ] = False,
) -> None:
    """Positional encodings of language models."""


app.command("explain", epilog=report.EPILOG)(report.explain_command)
app.command("check", epilog=endpoint.EPILOG)(endpoint.check)


@app.command()
def engines() -> None:
    """List the engines for which `explain` writes settings."""
    for one in ENGINES.values():
        typer.echo(f"{one.id:16} {one.title}, {one.place}")


def main() -> None:
    """Run the command line, as the console script `posenc` or as `python -m advisor`.

    What is loaded by now stays to the end, and is left out when Python looks for what to free:
    that took a sixth of the time of one answer, most of it at the very end.
    """
    gc.freeze()
    app(prog_name="posenc")


if __name__ == "__main__":
    main()
