"""exllamav3: the file with the fields pasted into it, and the layers that its architecture makes.

Layers get their tables when weights are loaded; here each one's settings alone make a table.
"""

import json
import sys
import tempfile
from pathlib import Path
from typing import Any

from reference.engines.reader import StandIns, answer, class_name, filled

sys.meta_path.insert(0, StandIns("exllamav3.ext", "flash_attn", "triton"))

from exllamav3 import Config, Model  # noqa: E402
from exllamav3.util.rope import RoPE  # noqa: E402


def built(file: dict[str, Any]) -> Model:
    """The model of a file, without weights."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "config.json").write_text(json.dumps(file), "utf-8")
        return Model.from_config(Config.from_directory(folder))


def read(case: dict[str, Any]) -> dict[str, Any]:
    """The tables of every layer that has settings for one."""
    model = filled(built, case)
    parts = []
    for module in model:
        settings = getattr(module, "rope_settings", None)
        if settings is not None:
            rope = RoPE("cpu", settings)
            found = rope.inv_freq.double().tolist()
            parts.append({"path": module.key, "frequencies": found, "factor": rope.attn_factor})
    return {"class": class_name(model), "parts": parts}


if __name__ == "__main__":
    answer(read)
