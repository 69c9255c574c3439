"""textgen reads what is written for it."""

import argparse
import shlex
from collections.abc import Iterator
from contextlib import suppress

import pytest

from advisor import RopeConfig, extend_config, known_models
from advisor.engines.engine import Serving
from tests.kinds import known


@pytest.mark.parametrize("loader", ["webui_llama_cpp", "webui_exllama"])
def test_textgen_accepts_what_is_written(loader: str) -> None:
    """The arguments of 4.7.3 that are used here, with their types."""
    known_to_it = argparse.ArgumentParser(exit_on_error=False, allow_abbrev=False)
    known_to_it.add_argument("--loader", choices=("llama.cpp", "ExLlamav3"))
    known_to_it.add_argument("--ctx-size", type=int)
    known_to_it.add_argument("--parallel", type=int)
    known_to_it.add_argument("--cache-type")
    known_to_it.add_argument("--extra-flags")
    allowed = {"--override-kv", "--rope-freq-base", "--rope-scaling", "--rope-scale"}
    allowed |= {"--yarn-orig-ctx", "--yarn-beta-fast", "--yarn-beta-slow"}
    for before in map(known, known_models()):
        for config in (before, *stretched(before)):
            try:
                words = shlex.split(config.settings(loader, before, Serving("q8_0", 2)).text)
            except ValueError:
                continue
            given = known_to_it.parse_args(words)
            assert given.cache_type == ("q8" if loader == "webui_exllama" else "q8_0"), words
            assert set(shlex.split(given.extra_flags or "")[::2]) <= allowed


def stretched(before: RopeConfig) -> Iterator[RopeConfig]:
    """A model stretched four times by each method that its file allows."""
    key = next((key for key in before.rotary if key != "sliding_attention"), "")
    for method in ("linear", "ntk", "yarn") if key else ():
        with suppress(ValueError):  # a file without a trained length
            yield extend_config(before, key, method, 4 * (before.reach or 0))
