"""Tables of facts: files of JSON that stand among the modules."""

import json
from importlib.resources import files
from typing import Any


def table(name: str) -> Any:
    """A file by its path in the library, such as "config/facts.json"."""
    return json.loads(files("posenc").joinpath(name).read_text("utf-8"))
