"""`python -m models`: fetch public models, see which are here, and measure one."""

import json
from pathlib import Path
from typing import Annotated, Any

import typer

from advisor import RopeConfig
from advisor.inputs.text import parse_config
from models.expected import expected
from models.files.find import found
from models.files.hub import get as fetch
from models.home import Home
from models.measuring import command
from models.opened import open_model

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
def get(name: Annotated[str, typer.Argument(help="As the hub has it: owner/name.")]) -> None:
    """Fetch the safetensors, config and tokenizer of a public model; no other file."""
    try:
        folder = fetch(name, report=typer.echo)
    except ValueError as error:
        typer.echo(str(error), err=True)
        raise typer.Exit(2) from None
    typer.echo(folder)


app.add_typer(command.app)


@app.command("expected")
def expected_(
    name: Annotated[str, typer.Argument(help="A model of `python -m models list`.")],
    config: Annotated[
        Path | None,
        typer.Argument(help="The config.json that a server should run. Default: the model's own."),
    ] = None,
) -> None:
    """Print what a model gives for the short prompts of `posenc check`, for its --expected."""
    try:
        here = found()
        if name not in here:
            raise ValueError(f"{name} is not here; these are: {', '.join(here)}.")
        model = open_model(here[name])
        read = model.config
        if config is not None:
            read = RopeConfig.from_hf(parse_config(config.read_text("utf-8")))
        typer.echo(json.dumps(expected(model, read).document()))
    except (ValueError, OSError) as error:
        typer.echo(str(error), err=True)
        raise typer.Exit(2) from None


@app.command("list")
def list_() -> None:
    """The models that the app can open."""
    home = Home.from_environment()
    for one in found(home).values():
        typer.echo(f"{one.id}\t{one.path}")
    typer.echo(f"Fetched models lie in {home.folder}.", err=True)
