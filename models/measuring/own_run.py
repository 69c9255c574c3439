"""A reader's own model measured pass by pass: it can be stopped inside a pass, and goes on."""

import hashlib
import json
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from models.measuring import loss, passkey
from models.measuring.own import Key, Own, Picked, Request, Unit, pick, too_little
from models.measuring.plan import seconds_per_operation
from models.measuring.table import Row, Table
from models.measuring.texts import LONGEST_TOKEN, Text, here, read_text
from models.opened import Model, open_model

PLAN = "plan.json"
PIECES = 6
"""Pieces of a text of the reader's own: each is read as a text by itself."""

Report = Callable[[int, int, dict[str, object]], None]
Check = Callable[[], None]


@dataclass(frozen=True)
class Tables:
    """The files of one measurement.

    Args:
        folder: Where they lie.
    """

    folder: Path

    @property
    def losses(self) -> Table:
        """Bits by position."""
        return loss.table(self.folder)

    @property
    def keys(self) -> Table:
        """Keys found."""
        return passkey.table(self.folder)

    def rows(self, model: str) -> tuple[list[Row], list[Row]]:
        """Losses and keys of a model.

        Raises:
            ValueError: If a file is damaged.
        """
        tables = self.losses.rows(), self.keys.rows()
        losses, keys = ([row for row in rows if row["model"] == model] for rows in tables)
        return losses, keys


def done(losses: Iterable[Row], keys: Iterable[Row]) -> set[Key]:
    """The passes that rows are of."""
    kinds = (("loss", losses), ("keys", keys))
    return {
        (kind, str(row["text"]), str(row["method"]), float(row["factor"]), int(row["length"]))
        for kind, rows in kinds
        for row in rows
    }


def text_ids(own_text: bytes) -> tuple[str, ...]:
    """Ids of the texts: pieces of the reader's own, or those that are always here where none is."""
    if not own_text:
        return here()
    mark = hashlib.sha256(own_text).hexdigest()[:6]
    return tuple(f"{mark}-{piece}" for piece in range(1, PIECES + 1))


@dataclass(frozen=True)
class Plan:
    """The measurements that were picked, as they are kept in a folder.

    Args:
        pace: Operations per second of this machine.
        picked: What fits.
        remark: Why no keys are asked for; "" where they are.
    """

    pace: float
    picked: Picked
    remark: str = ""

    def write(self, folder: Path) -> None:
        """Keep it."""
        part = folder / f".{PLAN}"
        part.write_text(json.dumps(asdict(self)), "utf-8")
        part.replace(folder / PLAN)


def read_plan(folder: Path) -> Plan | None:
    """The plan of a measurement; None before it was made."""
    file = folder / PLAN
    if not file.is_file():
        return None
    values = json.loads(file.read_text("utf-8"))
    picked = values["picked"]
    units = tuple(Unit(**unit) for unit in picked["units"])
    return Plan(values["pace"], Picked(**picked | {"units": units}), values["remark"])


def measure(
    own: Own,
    request: Request,
    own_text: bytes,
    folder: Path,
    before: Sequence[Path],
    report: Report,
    check: Check,
) -> tuple[list[Row], list[Row]]:
    """Measure what fits into the time; rows stand in the folder's files as soon as they are known.

    Args:
        own: The model.
        request: What is wanted.
        own_text: A text of the reader's own; b"" are the usual texts.
        folder: Of this measurement; what it holds is not measured again.
        before: Folders of earlier measurements; what they hold is not picked.
        report: Gets passes done, passes in all, and what is measured now with the seconds left.
        check: Called at every layer; what it raises ends the work.

    Returns:
        All rows of this measurement, losses and keys.

    Raises:
        ValueError: If the model cannot be opened, or nothing fits.
    """
    model = replace(open_model(own.found), id=own.id)
    tables = Tables(folder)
    with checked(model, check):
        plan = read_plan(folder) or _plan(own, model, request, own_text, before)
        plan.write(folder)
        if not plan.picked.units and plan.picked.least:
            raise ValueError(too_little(own, plan.picked, request.seconds))
        texts = _Texts(model, own_text, plan.picked.length)
        begin = time.monotonic()
        for number, unit in enumerate(plan.picked.units):
            if time.monotonic() - begin > request.seconds:  # the machine has become slower
                break
            left = sum(one.operations for one in plan.picked.units[number:]) / plan.pace
            report(number, len(plan.picked.units), asdict(unit) | {"left": left})
            there = unit.key in done(*tables.rows(own.id))
            if there or (unit.kind == "keys" and plan.remark):
                continue
            try:
                plan = replace(plan, pace=_measure(own, texts, tables, unit) or plan.pace)
            except ValueError as error:
                if unit.kind == "loss":
                    raise
                plan = replace(plan, remark=str(error))  # some models cannot be asked
                plan.write(folder)
    report(len(plan.picked.units), len(plan.picked.units), {})
    return tables.rows(own.id)


def _measure(own: Own, texts: "_Texts", tables: Tables, unit: Unit) -> float | None:
    """Make one pass and keep its rows; operations per second, None where none was made."""
    began = time.monotonic()
    if unit.kind == "keys":
        rows = passkey.passkey_rows(
            texts.model,
            length=unit.length,
            number=int(unit.text),
            method=unit.method,
            factor=unit.factor,
        )
        tables.keys.add(rows)
    else:
        text = texts.get(unit.text)
        if text is None:
            return None
        block = own.block(unit.length)
        tables.losses.add(loss.loss_rows(texts.model, text, unit.method, unit.factor, block))
    return unit.operations / max(time.monotonic() - began, 1e-6)


def _plan(
    own: Own, model: Model, request: Request, own_text: bytes, before: Sequence[Path]
) -> Plan:
    pace = 1 / seconds_per_operation(model)
    there: set[Key] = set()
    for folder in before:
        there |= done(*Tables(folder).rows(own.id))
    return Plan(pace, pick(own, request, pace, text_ids(own_text), there))


class _Texts:
    """Texts in a model's tokens, cut when they are needed; None for one that is too short."""

    def __init__(self, model: Model, own_text: bytes, length: int) -> None:
        self.model = model
        self.own_text = own_text
        self.length = length
        self.pieces = own_pieces(model, own_text, length) if own_text else {}

    def get(self, name: str) -> Text | None:
        if self.own_text:
            return self.pieces.get(name)
        try:
            return read_text(name, self.model, self.length)
        except ValueError:  # shorter than the context
            return None


def own_pieces(model: Model, text: bytes, length: int) -> dict[str, Text]:
    """A text of the reader's own in pieces of a length, by id.

    Raises:
        ValueError: If there is not a single piece.
    """
    whole = text.decode("utf-8", "replace")
    ids = model.tokens(whole[: LONGEST_TOKEN * length * PIECES]).ids
    sha256 = hashlib.sha256(text).hexdigest()[:12]
    names = [name for at, name in enumerate(text_ids(text), 1) if at * length <= len(ids)]
    if not names:
        raise ValueError(
            f"Your text has {len(ids):,} tokens, and {length:,} are needed: take a longer text, "
            "or a shorter longest context."
        )
    return {
        name: Text(name, "own", f"{sha256}-{at:03}", ids[at * length : (at + 1) * length])
        for at, name in enumerate(names)
    }


@contextmanager
def checked(model: Model, check: Check) -> Iterator[None]:
    """Let every layer ask whether it should go on."""
    hooks = [layer.register_forward_pre_hook(lambda *_: check()) for layer in model.layers]
    try:
        yield
    finally:
        for hook in hooks:
            hook.remove()
