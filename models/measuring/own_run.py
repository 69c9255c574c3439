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
from models.measuring.run import seconds_per_operation
from models.measuring.table import Row
from models.measuring.texts import LONGEST_TOKEN, Text, here, read_text
from models.opened import Model, open_model

PLAN = "plan.json"
PIECES = 6
"""Pieces of a text of the reader's own: each is read as a text by itself."""

Report = Callable[[int, int, dict[str, object]], None]
Check = Callable[[], None]


TABLES = {"loss": loss.table, "keys": passkey.table}
"""Files of one measurement in its folder: bits by position, keys found."""


def read_rows(model: str, folder: Path) -> tuple[list[Row], list[Row]]:
    """Losses and keys of a model.

    Raises:
        ValueError: If a file is damaged.
    """
    files = [table(folder).rows() for table in TABLES.values()]
    losses, keys = ([row for row in rows if row["model"] == model] for rows in files)
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
    with checked(model, check):
        plan = read_plan(folder) or _plan(own, model, request, own_text, before)
        plan.write(folder)
        units = plan.picked.units
        if not units and plan.picked.least:
            raise ValueError(too_little(own, plan.picked, request.seconds))
        pieces = own_pieces(model, own_text, plan.picked.length) if own_text else {}
        begin = time.monotonic()
        for number, unit in enumerate(units):
            began = time.monotonic()
            if began - begin > request.seconds:  # the machine has become slower
                break
            left = sum(later.operations for later in units[number:]) / plan.pace
            report(number, len(units), asdict(unit) | {"left": left})
            is_done = unit.key in done(*read_rows(own.id, folder))
            if is_done or (unit.kind == "keys" and plan.remark):
                continue
            try:
                rows = _rows(own, model, pieces, unit)
            except ValueError as error:
                if unit.kind == "loss":
                    raise
                plan = replace(plan, remark=str(error))  # some models cannot be asked
                plan.write(folder)
                continue
            if rows:
                TABLES[unit.kind](folder).add(rows)
                plan = replace(plan, pace=unit.operations / max(time.monotonic() - began, 1e-6))
    report(len(units), len(units), {})
    return read_rows(own.id, folder)


def _plan(
    own: Own, model: Model, request: Request, own_text: bytes, before: Sequence[Path]
) -> Plan:
    pace = 1 / seconds_per_operation(model)
    there: set[Key] = set()
    for folder in before:
        there |= done(*read_rows(own.id, folder))
    return Plan(pace, pick(own, request, pace, text_ids(own_text), there))


def _rows(own: Own, model: Model, pieces: dict[str, Text], unit: Unit) -> list[Row]:
    """The rows of one pass; none where its text is too short."""
    if unit.kind == "keys":
        return passkey.passkey_rows(
            model,
            length=unit.length,
            number=int(unit.text),
            method=unit.method,
            factor=unit.factor,
        )
    text = _text(model, pieces, unit.text, unit.length)
    if text is None:
        return []
    return loss.loss_rows(model, text, unit.method, unit.factor, own.block(unit.length))


def _text(model: Model, pieces: dict[str, Text], name: str, length: int) -> Text | None:
    """A piece of the reader's own text, else a usual text; None for one that is too short."""
    if pieces:
        return pieces.get(name)
    try:
        return read_text(name, model, length)
    except ValueError:
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
