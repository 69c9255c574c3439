"""transformers as two engines: releases 5 and 4."""

from posenc.config.engines.engine import Engine, Written
from posenc.config.engines.text import as_json
from posenc.config.engines.transformers import old
from posenc.config.engines.transformers.write import to_hf_fragment
from posenc.words import say

PLACE = say("in config.json, in place of rope_theta, rope_scaling and rope_parameters")

NEW = Engine(
    id="transformers_5",
    title="transformers 5",
    place=PLACE,
    versions=say(
        "Right from 5.0 (January 2026) on. Releases 4 leave rope_parameters unread: they take the "
        "class's own base and scale nothing, without a word."
    ),
    sources=say("transformers 5.23, run; 4.51.3 and 4.57.6, run"),
    write=lambda config, before: Written(as_json(to_hf_fragment(config, "new"))),
    ran=True,
    language="json",
)

OLD = Engine(
    id="transformers_4",
    title="transformers 4",
    place=PLACE,
    versions=say(
        "Right from 4.51 (April 2025) on, in 5 as well. Up to 4.50 YaRN is computed around "
        "max_position_embeddings, whatever the trained length, without a word."
    ),
    sources=say("transformers 4.51.3 and 4.57.6, run; 4.43 to 4.56, read"),
    write=lambda config, before: Written(as_json(to_hf_fragment(config, "old"))),
    ran=True,
    language="json",
    reading=old.reading,
)
