"""TabbyAPI: the part of its config.yml that is about lengths; it runs exllamav3."""

from posenc.config.data import Config
from posenc.config.engines.engine import Engine, Serving, Written
from posenc.config.engines.exllama import exllamav3
from posenc.config.engines.flags import changed
from posenc.config.facts import dated, tried
from posenc.words import say


def write(config: Config, before: Config, serving: Serving) -> Written:
    """The lengths; everything else is in config.json."""
    exllamav3.check(config)
    notes = exllamav3.notes(config)
    if changed(config, before):
        notes.insert(
            0, say("Base and scaling have no setting: change config.json as for exllamav3.")
        )
    length = serving.length_for(config)
    if length is None:
        return Written("", tuple(notes))
    size = -(-length * serving.batch // exllamav3.PAGE) * exllamav3.PAGE
    lines = ["model:", f"  max_seq_len: {length}", f"  cache_size: {size}"]
    bits = exllamav3.cache_bits(serving)
    lines += [] if bits is None else [f"  cache_mode: {bits},{bits}"]
    lines += [f"  max_batch_size: {serving.batch}"] if serving.batch > 1 else []
    return Written("\n".join(lines), tuple(notes))


TABBYAPI = Engine(
    id="tabbyapi",
    title="TabbyAPI",
    place=say("in config.yml"),
    versions=say(
        "Its rope_scale and rope_alpha do nothing: exllamav3, its only backend, is not given "
        "them ({dead}). Without cache_size a max_seq_len alone is enough; a cache_size below it "
        "cuts it down.",
        dead=dated("rope_alpha", "tabbyapi"),
    ),
    sources=say(
        "{release}, config_sample.yml and backends/exllamav3/model.py",
        release=tried()["tabbyapi"].dated,
    ),
    write=write,
    language="text",
)
