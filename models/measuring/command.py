"""`python -m models measure`: losses and keys of a real model into CSV files."""

from pathlib import Path
from typing import Annotated

import torch
import typer

from models.files.find import Found, found, installed
from models.home import Home
from models.measuring import induction, loss, passkey, prices
from models.measuring.plan import (
    Pass,
    Wanted,
    duration,
    induction_passes,
    left,
    loss_passes,
    passkey_passes,
    price_passes,
    run,
    seconds_per_operation,
)
from models.measuring.table import Table
from models.measuring.texts import ROOT, here
from models.opened import Model, open_model

Out = Annotated[Path, typer.Option(help="Folder of the CSV files.")]
DEFAULT_METHODS = ",".join(loss.LOSS_METHODS)
DEFAULT_TEXTS = 6
STOPPED = 130


def measure(
    texts: Annotated[str, typer.Option(help="Ids, by commas; without, the first six here.")] = "",
    methods: Annotated[str, typer.Option(help="Ids, by commas.")] = DEFAULT_METHODS,
    lengths: Annotated[str, typer.Option(help="Tokens of a pass, by commas.")] = "16384",
    factor: Annotated[
        str, typer.Option(help="Of the methods, by commas; fit is length / trained length.")
    ] = "4",
    out: Out = Path("data/models"),
    only: Annotated[
        list[str] | None, typer.Option(help="TEXT,METHOD: this pair alone; may be repeated.")
    ] = None,
    keys: Annotated[
        int, typer.Option(help="Ask for ten keys in this many texts instead of measuring losses.")
    ] = 0,
    pitfalls: Annotated[
        bool, typer.Option("--pitfalls", help="What mistakes cost, at the first of --lengths.")
    ] = False,
    copying: Annotated[
        int, typer.Option(help="Which heads copy random tokens, in this many texts of them.")
    ] = 0,
    model: Annotated[str, typer.Option(help="Of `list`; without, the installed one.")] = "",
    root: Annotated[
        Path, typer.Option(help="Folder that Debian's packages with texts are unpacked into.")
    ] = ROOT,
    plan: Annotated[bool, typer.Option("--plan", help="Say what it takes, and stop.")] = False,
) -> None:
    """Measure losses by position (or keys, pitfalls, heads that copy) into CSV files.

    What is in the file is not measured again: stop with Ctrl-C, and continue with the same command.
    """
    try:
        pairs = [_pair(one) for one in only or ()]
        asked = list(dict.fromkeys(pair[1] for pair in pairs)) or _ids(methods)
        if keys and pairs:
            raise ValueError("--only names texts, and --keys makes its own: give one of them.")
        if (keys or copying) and methods == DEFAULT_METHODS and loss.SLIDE in asked:
            asked.remove(loss.SLIDE)  # nobody named it
        wanted = Wanted(
            tuple(asked),
            tuple(_length(one) for one in _ids(lengths)),
            tuple(None if one == "fit" else _factor(one) for one in _ids(factor)),
        )
        if pitfalls:
            table = prices.table(out)
        elif copying:
            table = induction.table(out)
        elif keys:
            table = passkey.table(out)
        else:
            table = loss.table(out)
        table.rows()  # a broken file is told before the model is opened
        opened = open_model(_found(model), device="cuda" if torch.cuda.is_available() else "cpu")
        names = [pair[0] for pair in pairs] or _ids(texts) or here(root)[:DEFAULT_TEXTS]
        if pitfalls:
            passes = price_passes(opened, dict.fromkeys(names), wanted.lengths[0], root)
        elif copying:
            passes = induction_passes(opened, wanted, copying)
        elif keys:
            passes = passkey_passes(opened, wanted, keys)
        else:
            passes = loss_passes(opened, wanted, dict.fromkeys(names), root, pairs)
        _perform(opened, passes, table, plan)
    except ValueError as error:
        typer.echo(str(error), err=True)
        raise typer.Exit(2) from None
    except KeyboardInterrupt:
        typer.echo(
            "Stopped: finished passes are in the file; the same command continues.", err=True
        )
        raise typer.Exit(STOPPED) from None


def _perform(model: Model, passes: list[Pass], table: Table, plan: bool) -> None:
    todo = left(passes, table)
    typer.echo(f"{len(passes)} passes, {len(passes) - len(todo)} of them in {table.path} already.")
    if not todo:
        return
    speed = seconds_per_operation(model)
    for one in todo:
        typer.echo(f"  {one.title}: about {duration(speed * one.cost)}")
    typer.echo(f"About {duration(speed * sum(one.cost for one in todo))} in all.")
    if not plan:
        run(todo, table, typer.echo)


def _pair(text: str) -> tuple[str, str]:
    pair = _ids(text)
    if len(pair) != 2:
        raise ValueError(f"--only must be TEXT,METHOD, as in topics,yarn; got {text!r:.80}.")
    return pair[0], pair[1]


def _ids(text: str) -> list[str]:
    return [one.strip() for one in text.split(",") if one.strip()]


def _length(text: str) -> int:
    if not text.isdecimal() or len(text) > 9:
        raise ValueError(f"--lengths must be whole numbers by commas; got {text!r:.40}.")
    return int(text)


def _factor(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise ValueError(f"--factor must be numbers by commas, or fit; got {text!r:.40}.") from None


def _found(name: str) -> Found:
    home = Home.from_environment()
    there = found(home)
    one = there.get(name) if name else installed(home)
    if one is None:
        raise ValueError(
            f"There is no model {name or 'installed'!r:.80} here; there are: "
            f"{', '.join(there) or 'none'}."
        )
    return one
