"""Every family without rotation by its `model_type`, with what its class fills in.

class_defaults.json, beside this file, is written by tests/parity/other_defaults.py.
"""

import json
from dataclasses import replace
from importlib.resources import files

from posenc.config.families.family import Family
from posenc.config.families.not_rotary import computed, hybrids, learned, parts, relative, without


def _with_class_defaults(families: dict[str, Family]) -> dict[str, Family]:
    """The families, each with the defaults of its class in transformers 5.23."""
    text = files("posenc.config.families.not_rotary").joinpath("class_defaults.json")
    rows = json.loads(text.read_text("utf-8"))
    return {
        name: replace(family, defaults={**rows.get(name, {}), **family.defaults})
        for name, family in families.items()
    }


FAMILIES: dict[str, Family] = _with_class_defaults(
    {
        **learned.FAMILIES,
        **computed.FAMILIES,
        **relative.FAMILIES,
        **without.FAMILIES,
        **hybrids.FAMILIES,
        **parts.FAMILIES,
    }
)
