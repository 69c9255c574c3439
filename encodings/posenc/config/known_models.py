"""Released models' config.json files, as far as positions are concerned."""

import json
from dataclasses import dataclass
from importlib.resources import files
from typing import Any

from posenc.words import Sentence


@dataclass(frozen=True)
class KnownModel:
    """The fields of one model's config.json that concern positions.

    Args:
        name: The model.
        status: "read" in a copy of the file or in released code, "class default" of transformers
            5.23, or "from memory", not checked.
        source: Which of the values come from where, a sentence.
        config: The fields, for `RopeConfig.from_hf`.
    """

    name: str
    status: str
    source: Sentence
    config: dict[str, Any]


def known_models() -> dict[str, KnownModel]:
    """Every known model by name, read from known_models.json beside this file."""
    rows = json.loads(
        files("posenc.config").joinpath("known_models.json").read_text(encoding="utf-8")
    )
    return {
        row["name"]: KnownModel(**row | {"source": Sentence(row["source"], {})}) for row in rows
    }
