"""Tables of facts: files of JSON that stand among the modules."""

import json
from importlib.resources import files
from typing import Any


def table(name: str) -> Any:
    """A file by its path in the package, such as "facts.json"."""
    return json.loads(files("advisor").joinpath(name).read_text("utf-8"))
