"""Fields that an engine lays over the file's own when it starts."""

from typing import Any, Literal

from advisor.data import Config
from advisor.engines.engine import given_object
from advisor.engines.flags import changed
from advisor.engines.transformers.write import reaching_fragment
from advisor.facts import refused_file
from advisor.fields import DECLARED, ORIGINAL
from posenc.scaling.yarn import YaRN

# Of these the files are flat, and transformers 5 moves the fields into a text part as it loads.
MOVED = ("qwen2_vl", "qwen2_5_vl")
# What an object of the file may say and ours leaves out, because it is the usual.
USUAL: dict[str, Any] = {
    "beta_fast": 32.0,
    "beta_slow": 1.0,
    "truncate": True,
    "attention_factor": None,
    "mscale": None,
    "mscale_all_dim": None,
}
# Other fields of a length, in the order in which vLLM (`derive_max_model_len_and_key`) looks.
LENGTHS = (
    *("max_position_embeddings", "n_positions", "max_seq_len", "seq_length", "model_max_length"),
    *("max_sequence_length", "max_seq_length", "seq_len"),
)


def other_lengths(config: Config) -> dict[str, int]:
    """Lengths that the file gives besides the declared one, tokens by field."""
    given = {name: config.text.values.get(name) for name in LENGTHS}
    given.pop(config.text.own_name(DECLARED), None)
    return {
        name: value
        for name, value in given.items()
        if isinstance(value, int) and not isinstance(value, bool) and value > 0
    }


def reads_the_file(config: Config, before: Config, length: int | None) -> bool:
    """Whether a length is all that has to be said: the file's own scaling and length are right."""
    if refused_file(before) is not None or lacks_sections(before):
        return False
    declared, own = (
        max((one.max_length or 0 for one in each.layers.values()), default=0)
        for each in (config, before)
    )
    is_within = length is None or length <= own
    return not changed(config, before) and declared == own and is_within


def lacks_sections(before: Config) -> bool:
    """Whether engines do not see M-RoPE's sections, which the class alone knows."""
    return any(
        layer.mrope_section is not None and not given_object(before, key).given("mrope_section")
        for key, layer in before.rotary.items()
    )


def says(config: Config, fields: dict[str, Any]) -> bool:
    """Whether a file's text part says all of these fields already."""
    values = config.text.values
    return all(_same(values.get(name), value) for name, value in fields.items())


def _same(given: Any, value: Any) -> bool:
    if not (isinstance(given, dict) and isinstance(value, dict)):
        return bool(given == value)
    kind = given.get("rope_type", given.get("type"))
    named = {**given, "rope_type": kind, "type": kind}
    # A trained length that is left out on purpose has to go.
    is_left_out = ORIGINAL in given and ORIGINAL not in value
    return not is_left_out and all(named.get(key) == one for key, one in value.items())


def overrides(
    config: Config, before: Config, generation: Literal["old", "new"], length: int | None = None
) -> dict[str, Any]:
    """The fields of `reaching_fragment`, complete even where they are merged with the file's.

    Engines merge an object within a text part, and some every object: what the file's own object
    says and ours does not would stay.

    Args:
        config: What the engine is to do.
        before: What the model's own file says.
        generation: As for `to_hf`.
        length: Tokens that are asked for, which may be more than YaRN's factor times the trained
            length: positions grow more slowly than tokens where there are images.
    """
    fields = reaching_fragment(config, generation)
    if not fields:
        return {}  # no layer rotates, and no length is declared
    text = config.text_in(fields)
    for name in ("rope_parameters", "rope_scaling"):
        if isinstance(text.get(name), dict):
            _complete(before, text[name])
    if config.text.own_name(DECLARED) in text:
        text[DECLARED] = text[config.text.own_name(DECLARED)]
        if config.is_scaled_by(YaRN):
            text[DECLARED] = max(text[DECLARED], length or 0)
        text |= dict.fromkeys(other_lengths(before), text[DECLARED])
    is_moved = config.source.get("model_type") in MOVED and not config.path
    return {"text_config": fields} if is_moved and fields else fields


def _complete(before: Config, written: dict[str, Any]) -> None:
    """Say what is usual where the file says something else."""
    by_type = {key: one for key, one in written.items() if isinstance(one, dict)}
    for key, one in (by_type or {"all": written}).items():
        given = given_object(before, key).values if before.objects else {}
        kind = one.get("rope_type", one.get("type"))
        if given.get("type") not in (None, kind):
            one["type"] = kind
        if given.get("partial_rotary_factor") is not None:
            one.setdefault("partial_rotary_factor", 1.0)
        if kind == "yarn":
            for name, usual in USUAL.items():
                if given.get(name) not in (None, usual) and name not in one:
                    one[name] = usual
