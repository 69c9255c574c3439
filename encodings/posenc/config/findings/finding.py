"""One thing worth knowing about a config.json."""

from dataclasses import dataclass
from typing import Literal

Severity = Literal["error", "warning", "info"]


@dataclass(frozen=True)
class Finding:
    """One thing worth knowing about a config.json.

    Args:
        code: Its name.
        severity: "error": the model computes something else than the file seems to ask for;
            "warning": it may, or in some engines; "info": right, and easily misread.
        fields: The fields concerned, as the file calls them.
        message: What is the case, with the numbers: a `posenc.words.Sentence`.
        remedy: What to write or do instead, a sentence too; "" where nothing needs doing.
    """

    code: str
    severity: Severity
    fields: tuple[str, ...]
    message: str
    remedy: str = ""


def ratio(number: float) -> str:
    """A factor or length as a reader would write it: 4, 1.5, 40960."""
    return str(int(number)) if float(number).is_integer() else f"{number:.6g}"
