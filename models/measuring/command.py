"""`python -m models losses` and others: a real model measured into CSV files.

What is in the file is not measured again: Ctrl-C stops a run, and the same command continues it.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import torch
import typer

from models.files.find import found, installed
from models.home import Home
from models.measuring import induction, loss, passkey, prices
from models.measuring.cache import moved, quantised
from models.measuring.orders import drawn
from models.measuring.orders import heads as orders
from models.measuring.plan import (
    LONGEST,
    Ways,
    induction_passes,
    loss_passes,
    moved_passes,
    orders_passes,
    passkey_passes,
    price_passes,
    quantised_passes,
)
from models.measuring.run import Pass, duration, left, run, seconds_per_operation
from models.measuring.table import Table
from models.measuring.texts import ROOT, here
from models.opened import Model, open_model
from posenc.checks import check_int

TEXTS = 6
"""Texts that are read where none is named."""
STOPPED = 130
METHODS = ",".join(loss.LOSS_METHODS)
ONE_PASS = ",".join(method for method in loss.LOSS_METHODS if method != loss.SLIDE)
"""Methods that read a text in one pass, by commas."""

Count = Annotated[int, typer.Argument(help="How many texts; they are made, not chosen.")]
Factors = Annotated[
    str, typer.Option("--factor", help="Of the methods, by commas; fit is length / trained length.")
]
Lengths = Annotated[str, typer.Option(help="Tokens of a pass, by commas.")]
Methods = Annotated[str, typer.Option(help="Ids, by commas.")]
Name = Annotated[str, typer.Option("--model", help="Of `list`; without, the installed one.")]
Out = Annotated[Path, typer.Option(help="Folder of the CSV files.")]
PlanOnly = Annotated[bool, typer.Option("--plan", help="Say what it takes, and stop.")]
Root = Annotated[
    Path, typer.Option(help="Folder that Debian's packages with texts are unpacked into.")
]
Texts = Annotated[str, typer.Option(help="Ids, by commas; without, the first six here.")]

DATA = Path("data/models")
app = typer.Typer()


@app.command()
def losses(
    texts: Texts = "",
    methods: Methods = METHODS,
    lengths: Lengths = "16384",
    factors: Factors = "4",
    out: Out = DATA,
    name: Name = "",
    root: Root = ROOT,
    plan: PlanOnly = False,
) -> None:
    """Measure the loss by position in long texts, under each method at each length."""
    with sentences():
        ways = _ways(methods, factors)
        tokens = _lengths(lengths)
        table = loss.table(out)
        model = _open(name, table)
        _perform(model, loss_passes(model, _texts(texts, root), ways, tokens, root), table, plan)


@app.command()
def keys(
    count: Count,
    methods: Methods = ONE_PASS,
    lengths: Lengths = "16384",
    factors: Factors = "4",
    out: Out = DATA,
    name: Name = "",
    plan: PlanOnly = False,
) -> None:
    """Hide ten keys in each of COUNT texts, ask for them, and count those that are found."""
    with sentences():
        ways = _ways(methods, factors)
        tokens = _lengths(lengths)
        table = passkey.table(out)
        model = _open(name, table)
        _perform(model, passkey_passes(model, count, ways, tokens), table, plan)


@app.command()
def pitfalls(
    texts: Texts = "",
    length: Annotated[int, typer.Option(help="Tokens of each text.")] = 2048,
    out: Out = DATA,
    name: Name = "",
    root: Root = ROOT,
    plan: PlanOnly = False,
) -> None:
    """Measure what mistakes with positions cost, in bits."""
    with sentences():
        table = prices.table(out)
        model = _open(name, table)
        _perform(model, price_passes(model, _texts(texts, root), length, root), table, plan)


@app.command()
def heads(
    count: Count,
    methods: Methods = ONE_PASS,
    factors: Factors = "4",
    out: Out = DATA,
    name: Name = "",
    plan: PlanOnly = False,
) -> None:
    """Find the heads that copy, in COUNT texts of random tokens."""
    with sentences():
        ways = _ways(methods, factors)
        table = induction.table(out)
        model = _open(name, table)
        _perform(model, induction_passes(model, count, ways), table, plan)


@app.command("moved")
def moved_(
    texts: Texts = "",
    passages: Annotated[int, typer.Option(help="Of each text.")] = 2,
    out: Out = DATA,
    name: Name = "",
    root: Root = ROOT,
    plan: PlanOnly = False,
) -> None:
    """Move cached passages to other places, and measure what follows them."""
    with sentences():
        table = moved.table(out)
        model = _open(name, table)
        _perform(model, moved_passes(model, _texts(texts, root), passages, root), table, plan)


@app.command("quantised")
def quantised_(
    texts: Texts = "",
    length: Annotated[int, typer.Option(help="Tokens of each text.")] = 512,
    out: Out = DATA,
    name: Name = "",
    root: Root = ROOT,
    plan: PlanOnly = False,
) -> None:
    """Measure what keys in few bits cost, rounded before the rotation and after it."""
    with sentences():
        table = quantised.table(out)
        model = _open(name, table)
        _perform(model, quantised_passes(model, _texts(texts, root), length, root), table, plan)


@app.command("orders")
def orders_(
    texts: Texts = "",
    out: Out = DATA,
    name: Name = "",
    root: Root = ROOT,
    plan: PlanOnly = False,
) -> None:
    """Count how often scores are in order when keys stand at other places."""
    with sentences():
        table = orders.table(out)
        model = _open(name, table)
        _perform(model, orders_passes(model, _texts(texts, root), root), table, plan)


@app.command("orders-drawn")
def orders_drawn(out: Out = DATA) -> None:
    """Count the same of random queries and keys, by base, channels of a head, and lead."""
    with sentences():
        table = drawn.table(out)
        run(left(drawn.drawn_passes(), table), table, typer.echo)


@contextmanager
def sentences() -> Iterator[None]:
    """End with a sentence and an exit status where the input is bad, or Ctrl-C was pressed."""
    try:
        yield
    except ValueError as error:
        typer.echo(str(error), err=True)
        raise typer.Exit(2) from None
    except KeyboardInterrupt:
        typer.echo(
            "Stopped: finished passes are in the file; the same command continues.", err=True
        )
        raise typer.Exit(STOPPED) from None


def _perform(model: Model, passes: list[Pass], table: Table, plan: bool) -> None:
    """Say how long it takes; then, unless that is all, do it."""
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


def _open(name: str, table: Table) -> Model:
    """The model of this name, or the installed one; a broken table is told before it is opened."""
    table.rows()
    home = Home.from_environment()
    models = found(home)
    chosen = models.get(name) if name else installed(home)
    if chosen is None:
        raise ValueError(
            f"There is no model {name or 'installed'!r:.80} here; there are: "
            f"{', '.join(models) or 'none'}."
        )
    return open_model(chosen, device="cuda" if torch.cuda.is_available() else "cpu")


def _ids(text: str) -> list[str]:
    return [part.strip() for part in text.split(",") if part.strip()]


def _texts(text: str, root: Path) -> tuple[str, ...]:
    return tuple(dict.fromkeys(_ids(text))) or here(root)[:TEXTS]


def _lengths(text: str) -> list[int]:
    lengths = _ids(text)
    if not lengths or not all(part.isdecimal() and len(part) < 10 for part in lengths):
        raise ValueError(f"--lengths must be whole numbers by commas; got {text!r:.40}.")
    return sorted({check_int("length", int(part), 2, maximum=LONGEST) for part in lengths})


def _ways(methods: str, factors: str) -> Ways:
    try:
        numbers = [None if part == "fit" else float(part) for part in _ids(factors)]
    except ValueError:
        raise ValueError(
            f"--factor must be numbers by commas, or fit; got {factors!r:.40}."
        ) from None
    return Ways(tuple(_ids(methods)), tuple(numbers))
