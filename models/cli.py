"""`python -m models`: fetch public models, see which are here, and measure one."""

from typing import Annotated, Any

import typer

from models.files.find import found
from models.files.hub import get as fetch
from models.home import Home
from models.measuring.command import measure

app: Any = typer.Typer(
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    epilog="Exit status: 0 fine, 2 bad input, 130 stopped.",
)


@app.callback()
def main() -> None:
    """Real checkpoints for the app: fetch public ones, see which are here, and measure one."""


@app.command()
def get(
    name: Annotated[str, typer.Argument(help="As the hub has it: owner/name.")],
) -> None:
    """Fetch the safetensors, config and tokenizer of a public model; no other file."""
    try:
        folder = fetch(name, told=typer.echo)
    except ValueError as error:
        typer.echo(str(error), err=True)
        raise typer.Exit(2) from None
    typer.echo(folder)


app.command()(measure)


@app.command("list")
def list_() -> None:
    """The models that the app can open."""
    home = Home.from_environment()
    for one in found(home).values():
        typer.echo(f"{one.id}\t{one.path}")
    typer.echo(f"Fetched models lie in {home.folder}.", err=True)
