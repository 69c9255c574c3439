"""transformers: the file with the fields pasted into it, and the model's own class.

It is built without memory, on the device "meta". Its rotary parts are built again on the CPU and
called with the longest position.
"""

import json
import tempfile
from functools import partial
from pathlib import Path
from typing import Any

import torch
import transformers

from reference.engines.meta import OTHER_PARTS
from reference.engines.reader import answer, class_name, filled, of_transformers, pasted

KINDS = (
    {"rotary_emb": "full_attention", "rotary_emb_local": "sliding_attention"},
    {name: name for name in ("full_attention", "sliding_attention")},
)
"""The two parts of releases 4, where a model has one for each kind of layer."""
EXPERTS = ("n_routed_experts", "num_experts", "num_local_experts")
"""Numbers of modules that releases 4 make one by one, tens of thousands in a model."""


def built(file: dict[str, Any], text_class: str | None) -> Any:
    """The model of a file, without weights; its text part alone where others need more packages."""
    # A file with code of its own makes it ask whether to run that, and wait for an answer.
    own = {name: value for name, value in file.items() if name != "auto_map"}
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "config.json").write_text(json.dumps(own), "utf-8")
        config = transformers.AutoConfig.from_pretrained(folder)
    text = config.get_text_config()
    for name in [one for one in EXPERTS if vars(text).get(one)]:
        setattr(text, name, 1)
    with torch.device("meta"):
        try:
            return getattr(transformers, config.architectures[0])._from_config(config)
        except ImportError:
            if text_class is None:
                raise
            return getattr(transformers, text_class)._from_config(text)


def read(case: dict[str, Any]) -> dict[str, Any]:
    """The rotary parts of the model's own class."""
    given = case | {"file": pasted(case, case["text"]), "text": ""}
    model = filled(partial(built, text_class=case["text_class"]), given)
    length = model.config.get_text_config().max_position_embeddings
    parts = []
    for path, module in model.named_modules():
        if not any(word in path for word in OTHER_PARTS):
            parts += of_transformers(path, module, length)
    ends = {part["path"].rpartition(".")[2] for part in parts}
    for kinds in KINDS:
        if ends == kinds.keys():
            parts = [part | {"kind": kinds[part["path"].rpartition(".")[2]]} for part in parts]
    # It has no longest text: a declared length is refused nowhere.
    return {"class": class_name(model), "parts": parts}


if __name__ == "__main__":
    answer(read)
