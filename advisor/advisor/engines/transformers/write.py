"""Writing a configuration back: a whole config.json, or the fields to paste over those of one."""

import copy
from dataclasses import replace
from typing import Any, Literal

from advisor.comparing.layer import RopeLayer
from advisor.data import Config
from advisor.engines.engine import check_known
from advisor.engines.transformers import new, old
from advisor.engines.transformers.fields import has_width
from advisor.fields import DECLARED, ORIGINAL
from advisor.reader.file import read_config
from posenc.checks import check_choice
from posenc.scaling.dynamic import DynamicNTK
from posenc.scaling.longrope import LongRoPE
from posenc.scaling.yarn import YaRN

Generation = Literal["old", "new"]
# Fields that say what the objects written here say.
REPLACED = (
    *("rope_theta", "partial_rotary_factor", "rope_condense_ratio"),
    *("rope_scaling", "rope_parameters", ORIGINAL),
)


def to_hf(config: Config, generation: Generation = "new") -> dict[str, Any]:
    """See `RopeConfig.to_hf`."""
    check_choice("generation", generation, ("old", "new"))
    check_known(config)
    if not config.rotary:
        return copy.deepcopy(config.source)
    config = _prepared(config, generation)
    written = unchecked(config, generation)
    _check_read_back(config, written, generation)
    return written


def unchecked(config: Config, generation: Generation = "new") -> dict[str, Any]:
    """The whole file, whether it reads as it was meant or not."""
    return _pasted(config, _fields(config, generation))


def to_hf_fragment(config: Config, generation: Generation = "new") -> dict[str, Any]:
    """See `RopeConfig.to_hf_fragment`."""
    check_choice("generation", generation, ("old", "new"))
    check_known(config)
    if not config.rotary:
        return {}
    config = _prepared(config, generation)
    fields = _fields(config, generation)
    _check_read_back(config, _pasted(config, fields), generation)
    return _nested(config, fields)


def _prepared(config: Config, generation: Generation) -> Config:
    """The configuration in lengths that the generation understands."""
    return old.stretched(config) if generation == "old" else config


def _pasted(config: Config, fields: dict[str, Any]) -> dict[str, Any]:
    """The whole file with these fields in the place of its own."""
    source = copy.deepcopy(config.source)
    target = config.text_in(source)
    own = (config.text.own_name(name) for name in REPLACED)
    for name in (*REPLACED, *own, config.family.local_base):
        target.pop(name, None)
    target |= fields
    return source


def _check_read_back(config: Config, written: dict[str, Any], generation: Generation) -> None:
    """Refuse a file that says something else than the configuration.

    Raises:
        ValueError: If it does.
    """
    again = read_config(written)
    for name in ("layers", "layer_types", "rope_layers", "dual_chunk"):
        if meant(getattr(again, name)) != meant(getattr(config, name)):
            if generation == "old":
                raise ValueError(
                    "rope_scaling of transformers 4 cannot say what these layers do; "
                    "rope_parameters of transformers 5 can."
                )
            raise ValueError(
                "The fields of transformers 5 cannot say what these layers do: read back, "
                f"{name} differs."
            )


def meant(value: Any) -> Any:
    """A value to compare; trained lengths are left out where there is no scaling to use them."""
    if not isinstance(value, dict):
        return value
    return {
        key: replace(one, original_length=None)
        if isinstance(one, RopeLayer) and one.scaling is None
        else one
        for key, one in value.items()
    }


def _fields(config: Config, generation: Generation, keep_original: bool = False) -> dict[str, Any]:
    """The fields that say what the layers do; `keep_original` as in `old.fields`."""
    if generation == "new":
        return {"rope_parameters": new.parameters(config), **_beside(config)}
    return {**old.fields(config, keep_original), **_beside(config)}


def reaching_fragment(config: Config, generation: Generation) -> dict[str, Any]:
    """As `to_hf_fragment`, for readers that allow what is declared and take the factor as it is.

    The declared length is what YaRN reaches, and the trained length always stands in the object.
    Without rotary layers it is the declared length alone.
    """
    if not config.rotary:
        reach = config.reach
        return {} if reach is None else _nested(config, {config.text.own_name(DECLARED): reach})
    check_known(config)
    config = old.reaching(config)
    fields = _fields(config, generation, keep_original=True)
    _check_read_back(config, _pasted(config, fields), generation)
    return _nested(config, fields)


def _nested(config: Config, fields: dict[str, Any]) -> dict[str, Any]:
    """The fields where the text model stands."""
    for name in reversed(config.path):
        fields = {name: fields}
    return fields


def _beside(config: Config) -> dict[str, Any]:
    """Fields beside the object, the same in both generations."""
    layer = next(iter(config.rotary.values()))
    text = config.text
    out: dict[str, Any] = {}
    longest = layer.max_length
    if isinstance(layer.scaling, DynamicNTK):
        longest = layer.scaling.original_length
    if longest is not None:
        out[text.own_name(DECLARED)] = longest
    if has_width(text):
        out["rotary_dim"] = layer.rotary_dim
    if _needs_head_dim(config):
        out["head_dim"] = layer.head_dim
    if isinstance(text.values.get("layer_rope_theta"), list):
        given = text.values["layer_rope_theta"]
        out["layer_rope_theta"] = [layer.base if base else 0 for base in given]
    # Servers read ChatGLM's base from here alone.
    if text.given("rope_ratio") or (config.model_type == "chatglm" and layer.base != 10000):
        out["rope_ratio"] = layer.base / 10000
    if text.given(ORIGINAL) and layer.original_length is not None:
        out[ORIGINAL] = layer.original_length
    return out


def _needs_head_dim(config: Config) -> bool:
    """True where transformers 5.23 would find null for it, or might in the file pasted into."""
    asks = config.is_scaled_by(DynamicNTK, YaRN, LongRoPE)
    text = config.text
    has_one_size = not (text.given("qk_rope_head_dim") or text.given("global_head_dim"))
    return asks and has_one_size and (config.family.has_null_head_dim or "head_dim" in text.values)
