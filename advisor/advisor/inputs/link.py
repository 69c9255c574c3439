"""A file in a screen's address: its fields that matter, packed into a few hundred characters."""

import base64
import binascii
import json
import zlib
from typing import Any

from advisor.inputs.gguf_fields import ARCHITECTURE
from advisor.inputs.read import may_be_a_name
from advisor.inputs.text import parse_config

LONGEST_LINK = 3000
"""Characters: addresses of twice this length are refused by some servers."""
LONGEST_UNPACKED = 2**16
LEFT_OUT = {
    *("_name_or_path", "_model_name_or_path", "transformers_version", "_commit_hash"),
    *("id2label", "label2id", "task_specific_params", "finetuning_task", "problem_type"),
    *("initializer_range", "hidden_act", "hidden_activation", "activation_function"),
    *("use_cache", "pretraining_tp", "torchscript", "return_dict", "prefix", "tokenizer_class"),
    *("output_attentions", "output_hidden_states", "chunk_size_feed_forward", "pruned_heads"),
}
"""Fields that say nothing about positions, lengths or sizes."""
ENDINGS = (
    "_token_id",
    "_token_ids",
    "_token_index",
    "_eps",
    "_epsilon",
    "dropout",
    "_dropout_prob",
)


def pack(text: str) -> str:
    """A file for an address.

    Args:
        text: What `read_text` takes: an object of JSON, or a model's name.

    Returns:
        Letters, digits, "-" and "_"; "" for a text that is neither.

    Raises:
        ValueError: If the file is too long for an address.
    """
    name = text.strip()
    if not may_be_a_name(name):
        try:
            name = json.dumps(relevant(parse_config(text)), separators=(",", ":"))
        except ValueError:
            return ""
    data = name.encode()
    packed = base64.urlsafe_b64encode(zlib.compress(data, 9)).decode().rstrip("=")
    if len(packed) > LONGEST_LINK or len(data) > LONGEST_UNPACKED:
        raise ValueError(
            f"The file is too long to be kept in the address: packed it has {len(packed):,} "
            f"characters, and at most {LONGEST_LINK:,} are kept."
        )
    return packed


def relevant(config: dict[str, Any]) -> dict[str, Any]:
    """The fields without those that say nothing about positions, lengths or sizes.

    What is not known to say nothing is kept: a misspelt field is worth a finding.
    """
    kept = {}
    for name, value in config.items():
        if name in LEFT_OUT or name.endswith(ENDINGS):
            continue
        if name.startswith("general.") and name not in (ARCHITECTURE, "general.alignment"):
            continue
        kept[name] = relevant(value) if isinstance(value, dict) else value
    return kept


def unpack(packed: str) -> str:
    """The text that `pack` made an address of.

    Raises:
        ValueError: If it is damaged or holds more than 64 KiB; the message is one sentence.
    """
    if len(packed) > LONGEST_LINK:
        raise ValueError(
            f"A file in an address must have at most {LONGEST_LINK:,} characters, got "
            f"{len(packed):,}."
        )
    try:
        letters = (packed + "=" * (-len(packed) % 4)).encode("ascii")
        data = base64.b64decode(letters, altchars=b"-_", validate=True)
        unpacking = zlib.decompressobj()
        text = unpacking.decompress(data, LONGEST_UNPACKED)
        if unpacking.unconsumed_tail:
            raise ValueError(
                f"A file in an address must have at most {LONGEST_UNPACKED:,} bytes once it is "
                "unpacked."
            )
        if not unpacking.eof:
            raise zlib.error
        return text.decode()
    except (binascii.Error, zlib.error, UnicodeError):
        raise ValueError(
            "The file in the address is damaged, perhaps because the address was cut."
        ) from None
