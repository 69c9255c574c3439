"""Cache of each layer, against the cache that transformers makes of the same file.

The kinds of a file that does not list its layers are worked out by the class; every class whose
memory we tell is asked, with each field that may change them.
"""

import copy
import dataclasses
from collections.abc import Iterator
from typing import Any

import pytest
from transformers import CONFIG_MAPPING, PreTrainedConfig
from transformers.cache_utils import get_layer_types_and_kwargs

from advisor import RopeConfig
from advisor.families.all import FAMILIES
from advisor.families.classes import SAID
from advisor.memory.cache import layer_kinds, window_of
from advisor.memory.sizes import Sizes, class_defaults
from reference.sweep.classes import plain

KEPT = {
    "full_attention": "full",
    "indexed_attention": "full",
    "sliding_attention": "window",
    "chunked_attention": "chunk",
    "conv": "state",
    "linear_attention": "state",
    "hybrid": "full and state",
    "hybrid_sliding": "window and state",
    "dummy": "nothing",
    "compressed_sparse_attention": "compressed_sparse_attention",
    "heavily_compressed_attention": "heavily_compressed_attention",
}
# Fields that change the kinds in one class or another; a class is asked those that it has.
CHANGES: tuple[dict[str, Any], ...] = (
    {},
    {"num_hidden_layers": 13},
    {"sliding_window": 77},
    {"use_sliding_window": True, "sliding_window": 77},
    {"use_sliding_window": True, "sliding_window": 77, "max_window_layers": 3},
    {"use_sliding_window": True, "sliding_window": 77, "max_window_layers": 0},
    {"use_sliding_window": True, "sliding_window": None},
    {"use_sliding_window": False, "sliding_window": 77},
    {"sliding_window": 77, "max_window_layers": 5},
    {"sliding_window": None},
    {"sliding_window_pattern": 3},
    {"global_attn_every_n_layers": 5},
    {"full_attention_interval": 3},
    {"layer_group_size": 3},
    {"first_k_dense_replace": 2, "prefix_dense_sliding_window_pattern": 2},
    {"no_rope_layer_interval": 3},
    {"no_rope_layers": [1, 0] * 24},
    {"no_rope_layers": []},
    {"attention_chunk_size": 77},
    {"local_layer_ids": [1, 3, 4]},
    {"attn_layer_indices": [1, 4]},
    {"attn_layer_period": 3, "attn_layer_offset": 1},
    {"num_kv_shared_layers": 3},
)
# Taken out of a file by a class that has no such field.
LOOSE = {"sliding_window_pattern", "full_attention_interval", "first_k_dense_replace"}
LEGACY = {"mamba": "linear_attention", "recurrent": "linear_attention"}
# Its keys are compressed in ways of their own, and no memory is told.
OTHERS = {"deepseek_v4"}
NAMES = [name for name in CONFIG_MAPPING if name in class_defaults()]
UNSIZED = [
    name
    for name in CONFIG_MAPPING
    if name in FAMILIES and name not in class_defaults() and name not in OTHERS
]


def files(name: str) -> Iterator[tuple[dict[str, Any], PreTrainedConfig]]:
    """Files of a type that do not list their layers, and what transformers makes of them."""
    kind = CONFIG_MAPPING[name]
    own = {field.name for field in dataclasses.fields(kind)}
    if not kind.sub_configs:
        own |= LOOSE
    for change in CHANGES:
        said = copy.deepcopy(SAID.get(name, {})) | change
        if set(change) <= own:
            try:
                yield {"model_type": name} | said, kind(**copy.deepcopy(said))
            except Exception:  # not a file that transformers takes
                continue


def theirs(config: PreTrainedConfig) -> list[tuple[str, int | None]]:
    """The kind of each layer, and how many tokens it keeps at most."""
    types, options = get_layer_types_and_kwargs(config.get_text_config(decoder=True))
    pairs = zip(types, options, strict=True)
    return [(KEPT[word], told.get("sliding_window")) for word, told in pairs]


def ours(file: dict[str, Any]) -> list[tuple[str, int | None]]:
    config = RopeConfig.from_hf(file)
    sizes = Sizes.of(config)
    found = ((kind, window_of(sizes, kind)) for kind in layer_kinds(config, sizes))
    return [("full" if kind == "latent" else kind, window) for kind, window in found]


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", NAMES)
def test_layers_of_a_file_that_does_not_list_them(name: str) -> None:
    compared = 0
    for file, config in files(name):
        expected = theirs(config)
        if any(kind in ("window", "chunk") and not width for kind, width in expected):
            continue  # a window without a width: no model runs with it
        if file.get("num_hidden_layers") == 13 and name == "gemma3n_text":
            continue  # shares the cache of more layers than there are
        assert ours(file) == expected, file
        saved = plain(config)
        assert ours(saved) == expected, ("saved", file)
        compared += 1
    assert compared


@pytest.mark.filterwarnings("ignore")
def test_words_of_layers_whose_memory_is_not_told() -> None:
    differing = {}
    for name in UNSIZED:
        for file, config in files(name):
            text = config.get_text_config(decoder=True)
            words = getattr(text, "layer_types", None)
            if words is None or not set(words) <= set(KEPT):
                continue
            try:
                found = RopeConfig.from_hf(file).layer_types
            except ValueError:
                continue  # a part that is not read alone
            kinds = [KEPT[word] for word in words]
            if set(kinds) == {"state"}:
                continue  # nothing attends: read as one kind of layer
            said = [KEPT.get(word, KEPT.get(LEGACY.get(word, ""), word)) for word in found]
            if said != kinds and (said or set(kinds) != {"full"}):
                differing[name] = str(file)[:80]
    assert differing == {}
