"""Write down what the classes of models without rotation fill in where a config.json is silent.

python -m reference.sweep.other_defaults
"""

import json
from importlib.resources import files
from typing import Any

from transformers import CONFIG_MAPPING

from advisor.families.family import Family
from advisor.families.not_rotary import computed, hybrids, learned, relative, without

FAMILIES = learned.FAMILIES | computed.FAMILIES | relative.FAMILIES | without.FAMILIES
FAMILIES |= hybrids.FAMILIES
FILE = files("advisor.families.not_rotary").joinpath("class_defaults.json")


def class_defaults(name: str, family: Family) -> dict[str, Any]:
    """The fields that are read of this family, by their common names."""
    said = CONFIG_MAPPING[name]().to_dict()
    read = ["num_attention_heads", "max_position_embeddings", *family.numbers]
    read += [*(family.grid or ()), *(field for field, _, _ in family.switches)]
    read += ["pad_token_id"] if family.after_padding else []
    values = {field: said.get(family.names.get(field, field)) for field in read}
    return {field: value for field, value in values.items() if value is not None}


def rows() -> dict[str, dict[str, Any]]:
    """Every class that fills in something."""
    found = {
        name: class_defaults(name, FAMILIES[name])
        for name in sorted(FAMILIES.keys() & set(CONFIG_MAPPING))
    }
    return {name: row for name, row in found.items() if row}


def main() -> None:
    """Write the file."""
    lines = ",\n".join(f"{json.dumps(name)}: {json.dumps(row)}" for name, row in rows().items())
    with open(str(FILE), "w", encoding="utf-8") as file:
        file.write(f"{{\n{lines}\n}}\n")


if __name__ == "__main__":
    main()
