"""Data of the course's pictures that they do not compute: `python -m scripts.course_data`.

`data.js` of a chapter is what its `data.py` returns; a picture that computes all has neither.
"""

import json
from collections.abc import Callable, Mapping
from importlib import import_module
from pathlib import Path
from typing import Any

from course.chapters import COURSE, FOLDER

WITH_DATA = tuple(chapter for chapter in COURSE if (FOLDER / chapter / "data.py").is_file())


def made(chapter: str) -> str:
    """The data of a chapter as a module of JavaScript."""
    make: Callable[[], Mapping[str, Any]] = import_module(f"course.chapters.{chapter}.data").data
    lines = (
        f"  {name}: {json.dumps(value, separators=(',', ':'))},\n" for name, value in make().items()
    )
    return f"// Written by scripts/course_data.py.\nexport default {{\n{''.join(lines)}}};\n"


def place(chapter: str) -> Path:
    """Where it stands."""
    return FOLDER / chapter / "data.js"


if __name__ == "__main__":
    for chapter in WITH_DATA:
        place(chapter).write_text(made(chapter), "utf-8")
