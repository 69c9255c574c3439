"""The part that every engine's reader shares; it runs in the engine's own environment.

A reader is told one file and the settings for it, as a line of JSON, and answers with a line: the
rotary parts that the engine made, or why it made none.
"""

import json
import os
import re
import sys
import traceback
from collections.abc import Callable, Iterator
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from inspect import signature
from types import FunctionType, ModuleType
from typing import Any

Part = dict[str, Any]
"""`path` of the layer; `frequencies`, radians a position; `factor` on cosine and sine."""

ROTATION = ("rope_theta", "rope_scaling", "rope_parameters")
"""Fields of a config.json that the written ones are pasted in the place of."""


class Nothing:
    """A thing of no effect in the place of a function, class or decorator."""

    def __init__(self, *_args: Any, **_named: Any) -> None:
        pass

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return Nothing()

    def __call__(self, *args: Any, **named: Any) -> Any:
        # As a decorator it leaves what it is put on.
        is_put_on = len(args) == 1 and not named and isinstance(args[0], type | FunctionType)
        return args[0] if is_put_on else Nothing()

    def __mro_entries__(self, _bases: tuple[Any, ...]) -> tuple[type, ...]:
        return ()

    def __instancecheck__(self, _other: object) -> bool:
        return False

    def __or__(self, _other: object) -> Any:
        return Any

    __ror__ = __getitem__ = __or__

    def __iter__(self) -> Iterator[Any]:
        return iter(())


class Empty(ModuleType):
    """A module that has every name."""

    __version__ = "0.0.0"

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return Nothing()


class StandIns(MetaPathFinder, Loader):
    """Modules that need a GPU and whose names an engine imports, as things of no effect."""

    def __init__(self, *names: str) -> None:
        self.names = names

    def find_spec(self, name: str, *_more: Any) -> ModuleSpec | None:
        """A spec for a module of `names`, and for all within a package of them."""
        is_one = name in self.names or name.split(".")[0] in self.names
        return ModuleSpec(name, self, is_package=True) if is_one else None

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        """A module that has every name."""
        return Empty(spec.name)

    def exec_module(self, module: ModuleType) -> None:
        """Nothing is run."""


def answer(read: Callable[[dict[str, Any]], dict[str, Any]]) -> None:
    """Answer every line of the input; engines print, so that answers leave by a copy of stdout."""
    out = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    for line in sys.stdin:
        try:
            found = read(json.loads(line))
        except (Exception, SystemExit) as error:
            # Engines fail in their own ways: the words and the innermost place are recorded.
            place = traceback.extract_tb(error.__traceback__)[-1]
            where = "/".join(place.filename.split("/")[-3:])
            if "--verbose" in sys.argv:
                traceback.print_exc()
            words = re.sub(r"\S*/tmp\w{8}/", "", str(error))
            found = {"why": f"{type(error).__name__}: {words} @ {where}:{place.lineno}"}
        print(json.dumps(found), file=out, flush=True)


def class_name(model: Any) -> str:
    """A model's module and class."""
    return f"{type(model).__module__.rpartition('.')[2]}.{type(model).__name__}"


def turned(row: Any) -> Part:
    """Frequencies and factor of a table's row for position 1: cosines, then sines."""
    import torch

    cosines, sines = row.double().chunk(2)
    factor = float(torch.hypot(cosines, sines).max())
    return {"frequencies": torch.atan2(sines, cosines).tolist(), "factor": factor}


def of_transformers(path: str, module: Any, length: int | None) -> list[Part]:
    """Parts of a rotary class like those of transformers, for texts of a length; [] for another."""
    import torch

    names = [name for name, _ in module.named_buffers(recurse=False) if name.endswith("inv_freq")]
    names = [name for name in names if "original" not in name]
    if not names or not hasattr(module, "config"):
        return []
    with torch.device("cpu"):
        # OLMo 3 in releases 4: that of its windows is not scaled.
        takes = {"rope_type"} & {*signature(type(module)).parameters}
        fresh = type(module)(module.config, **{name: getattr(module, name) for name in takes})
        places = torch.tensor([[0, (length or 1) - 1]])
        parts = []
        for name in names:
            kind = name.removesuffix("inv_freq").removesuffix("_")
            fresh(torch.zeros(1), places, **({"layer_type": kind} if kind else {}))
            prefix = f"{kind}_" if kind else ""
            factor = float(getattr(fresh, f"{prefix}attention_scaling", 1))
            found = getattr(fresh, name).double().tolist()
            parts.append({"path": path, "kind": kind, "frequencies": found, "factor": factor})
    return parts


def filled(build: Callable[[dict[str, Any]], Any], case: dict[str, Any]) -> Any:
    """What is built of the file with the fields pasted into it, and of fields that it names.

    Files here have what concerns positions; widths that a class misses are transformers' own.
    """
    file = laid_over(case["file"], json.loads(case["text"] or "{}"), case["path"])
    while True:
        try:
            return build(file)
        except (TypeError, KeyError, ValueError) as error:
            named = set(re.findall(r"[a-z][a-z_]+", str(error))) & case["defaults"].keys()
            inner = file.get(case["path"][0], {}) if case["path"] else file
            missing = named - inner.keys()
            if not missing:
                raise
            more = {name: case["defaults"][name] for name in missing}
            for name in reversed(case["path"]):
                more = {name: more}
            file = laid_over(file, more, case["path"])


def pasted(case: dict[str, Any], text: str) -> dict[str, Any]:
    """The file with fields in the place of what it says about rotation, as `place` has it."""
    fields = json.loads(text or "{}")
    file = {**case["file"]}
    inner = file
    for name in case["path"]:
        inner[name] = {**inner[name]}
        inner = inner[name]
    for each in (file, inner):
        for name in ROTATION if "rope" in text else ():
            each.pop(name, None)
    return laid_over(file, fields, case["path"])


def laid_over(file: dict[str, Any], fields: dict[str, Any], path: list[str]) -> dict[str, Any]:
    """A file with fields pasted into it, those of the text model where its path says."""
    out = {**file}
    for name, value in fields.items():
        is_way = bool(path) and name == path[0] and isinstance(out.get(name), dict)
        out[name] = laid_over(out[name], value, path[1:]) if is_way else value
    return out
