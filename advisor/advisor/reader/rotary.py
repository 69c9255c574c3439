"""One kind of rotary layer: how wide its heads are, what of them turns, and how fast."""

import math
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import torch

from advisor.comparing.layer import RopeLayer
from advisor.fields import LARGEST_BASE, ORIGINAL, WIDEST_HEAD, Fields, required
from advisor.reader.scalings import read_scaling, rope_type_of
from posenc.checks import LONGEST, check_int
from posenc.rope.scaling import Scaling
from posenc.scaling.dynamic import DynamicNTK
from posenc.scaling.longrope import LongRoPE
from posenc.scaling.proportional import Proportional
from posenc.scaling.yarn import yarn_mscale


def read_layer(text: Fields, key: str, params: Fields) -> RopeLayer:
    """One kind of rotary layer."""
    head_dim = head_dim_of(text, key)
    family = required(text.family, "model_type")
    if family.fixed_alpha:
        params = _of_fixed_alpha(params, head_dim)
    base = params.number("rope_theta", above=1, maximum=LARGEST_BASE)
    longest = text.integer("max_position_embeddings", 1)
    share = params.number("partial_rotary_factor", 0, 1)
    scaling = read_scaling(params, longest, 1.0 if share is None else share)
    if family.has_mscales and isinstance(scaling, LongRoPE):
        short, long = (
            required(params.number(name), params.label(name))
            for name in ("short_mscale", "long_mscale")
        )
        scaling = replace(scaling, short_mscale=short, long_mscale=long)
    layer = RopeLayer(
        head_dim=head_dim,
        rotary_dim=_rotary_dim(text, head_dim, isinstance(scaling, Proportional), share),
        base=required(base, params.label("rope_theta")),
        layout=_layout(text),
        scaling=scaling,
        original_length=params.integer("original_max_position_embeddings", 1) or longest,
        max_length=longest,
        nope_dim=(text.integer("qk_nope_head_dim", 0, WIDEST_HEAD) or 0) if _is_mla(text) else 0,
        softmax_multiplier=_softmax_multiplier(params, scaling)
        if family.multiplies_softmax
        else 1.0,
        own_scale=_own_scale(text),
        mrope_section=_sections(params),
        mrope_interleaved=params.flag("mrope_interleaved") or False,
    )
    if layer.mrope_section is None and sum(family.sections) == layer.rotary_dim // 2:
        turns = family.take_turns
        layer = replace(layer, mrope_section=family.sections, mrope_interleaved=turns)
    _check_frequencies(layer, params.where)
    return layer


def _of_fixed_alpha(params: Fields, head_dim: int) -> Fields:
    """Hunyuan's "dynamic" with alpha: NTK-aware scaling by alpha at every length, in the base."""
    alpha = params.number("alpha")
    if rope_type_of(params) != "dynamic" or not alpha:
        return params
    base = required(params.number("rope_theta", above=1, maximum=LARGEST_BASE), "rope_theta")
    larger = alpha_base(base, alpha, head_dim)
    return replace(params, values={**params.values, "rope_type": "default", "rope_theta": larger})


def alpha_base(base: float, alpha: float, head_dim: int) -> float:
    """The base of NTK-aware scaling by alpha."""
    return base * alpha ** (head_dim / (head_dim - 2)) if head_dim > 2 else base


def _softmax_multiplier(params: Fields, scaling: Scaling | None) -> float:
    """DeepSeek's g(s, mscale_all_dim)² on the softmax, which its code applies to every scaling."""
    all_dim = params.number("mscale_all_dim") if scaling is not None else None
    factor = getattr(scaling, "factor", None)
    return yarn_mscale(factor, all_dim) ** 2 if all_dim and factor is not None else 1.0


def _own_scale(text: Fields) -> float | None:
    """The model's scale of the scores; None for the usual 1/sqrt(width)."""
    family = required(text.family, "model_type")
    if not isinstance(family.softmax_scale, str):
        return family.softmax_scale
    if not family.softmax_scale:
        return None
    given = text.number(family.softmax_scale, above=0)
    return given**-0.5 if given is not None and family.softmax_root else given


def _sections(params: Fields) -> tuple[int, ...] | None:
    sections = params.numbers("mrope_section", 0, WIDEST_HEAD)
    for pairs in sections or ():
        if not pairs.is_integer():
            raise ValueError(f"{params.label('mrope_section')} must hold integers, got {pairs}.")
    return None if sections is None else tuple(int(pairs) for pairs in sections)


def _check_frequencies(layer: RopeLayer, where: str) -> None:
    """Ask for the frequencies now, so that a file that cannot give them is refused."""
    depends = isinstance(layer.scaling, DynamicNTK | LongRoPE)
    for length in (None, (layer.original_length or 1) + 1, LONGEST) if depends else (None,):
        try:
            inv_freq, factor = layer.frequencies(length)
        except ValueError as error:
            place = "" if str(error).startswith("head_dim") else where
            raise ValueError(f"{place}{error}") from None
        if not (torch.isfinite(inv_freq).all() and math.isfinite(factor)):
            raise ValueError(f"{where}rope_type {layer.rope_type!r} must give finite frequencies.")


def head_dim_of(text: Fields, key: str) -> int:
    """Channels of a head that may be rotated."""
    if _is_mla(text):
        rotated = text.integer("qk_rope_head_dim", 2, WIDEST_HEAD)
        return check_int(text.label("qk_rope_head_dim"), rotated, 2, even=True)
    own = required(text.family, "model_type").head_dims
    name = {"full_attention": "global_head_dim", **own}.get(key, "head_dim")
    name = name if text.get(name) is not None else "head_dim"
    is_null = name in text.values and text.values[name] is None
    given = None if is_null else text.integer(name, 2, WIDEST_HEAD)
    if given is not None:
        return given
    width = text.integer("hidden_size", 2, WIDEST_HEAD * 1024)
    heads = text.integer("num_attention_heads", 1, WIDEST_HEAD)
    if width is None or heads is None:
        raise ValueError("head_dim must be given, or hidden_size and num_attention_heads.")
    return check_int("hidden_size / num_attention_heads", width // heads, 2, maximum=WIDEST_HEAD)


def _is_mla(text: Fields) -> bool:
    return text.get("qk_rope_head_dim") is not None


def _rotary_dim(text: Fields, head_dim: int, proportional: bool, share: float | None) -> int:
    if proportional:
        return check_int("head_dim", head_dim, 2, even=True)
    if _is_mla(text):
        return head_dim
    given = text.integer("rotary_dim", 2, WIDEST_HEAD)
    if given is not None:
        return check_int("rotary_dim", given, 2, maximum=head_dim, even=True)
    if share in (None, 1):
        return check_int("head_dim", head_dim, 2, even=True)
    name = f"{text.own_name('partial_rotary_factor')} · head_dim"
    return check_int(name, int(head_dim * (share or 0)), 2, even=True)


def _layout(text: Fields) -> Any:
    family = required(text.family, "model_type")
    if family.layout == "interleaved" and text.flag("rope_interleave") is False:
        return "half"
    return family.layout


MOST_LAYER_TYPES = 16
STRETCHED = ("llama3", "yarn", "longrope")


def given_objects(text: Fields, filled: Mapping[str, Mapping[str, Any]]) -> dict[str, Fields]:
    """rope_scaling or rope_parameters as the file has it, for "all" layers or by kind.

    Args:
        text: The file.
        filled: What its class makes of it, see `Part.parameters`.
    """
    old, new = text.section("rope_scaling"), text.section("rope_parameters")
    given = old if old and old.values else new or Fields({}, where="rope_parameters.")
    nested = {key: value for key, value in given.values.items() if isinstance(value, dict)}
    if len(nested) > MOST_LAYER_TYPES:
        raise ValueError(
            f"{given.where.rstrip('.')} must hold at most {MOST_LAYER_TYPES} layer types, got "
            f"{len(nested)}."
        )
    family = required(text.family, "model_type")
    if filled and "all" not in filled:
        # Older files say the base of layers with a window first.
        first = ("sliding_attention", "full_attention") if family.local_base else nested
        kinds = [kind for kind in dict.fromkeys((*first, *filled)) if kind in filled]
        return {kind: _given_of_kind(kind, filled[kind], given, new) for kind in kinds}
    if not nested and (family.head_dims or text.get("global_head_dim")):
        return {"sliding_attention": given, "full_attention": given}  # Gemma 4: two head sizes
    own = filled.get("all", {})
    if not given.values and own.get("rope_type") != "default":
        return {"all": replace(given, values={**own, "rope_theta": None})}  # the class scales
    if not nested:
        return {"all": given}
    return {key: _within(given, key) for key in nested}


def _given_of_kind(
    key: str, values: Mapping[str, Any], given: Fields, new: Fields | None
) -> Fields:
    """One kind in the file: its own object, or what the class took of the object for all."""
    if isinstance(given.values.get(key), dict):
        return _within(given, key)
    own = (new.values if new else {}).get(key)
    said = {**(own if isinstance(own, dict) else {}), **given.values}
    taken = {name: one for name, one in said.items() if name in values and values[name] == one}
    return Fields(taken, where=given.where)


def _within(given: Fields, key: str) -> Fields:
    """The object of one kind. transformers reads `truncate` beside these, not within."""
    beside = {"truncate": given.values["truncate"]} if "truncate" in given.values else {}
    return Fields({**beside, **given.values[key]}, where=f"{given.where}{key}.")


def rope_parameters(
    text: Fields, objects: Mapping[str, Fields], filled: Mapping[str, Mapping[str, Any]]
) -> dict[str, Fields]:
    """The `given_objects` with type, base, share of rotated channels and trained length filled in.

    What the file says of a kind comes first, then what its class fills in, then, where there is no
    class or it refuses the file, the fields beside the object.
    """
    return {
        key: _filled(params, filled.get(key, {}), text, key == "all")
        for key, params in objects.items()
    }


def _filled(params: Fields, own: Mapping[str, Any], text: Fields, flat: bool) -> Fields:
    """One object, filled in."""
    values = {name: one for name, one in own.items() if one is not None}
    values |= params.values
    says_type = params.given("rope_type") or params.given("type")
    values["rope_type"] = rope_type_of(params if says_type else replace(params, values=values))
    if values.get("rope_theta") in (None, text.get("rope_theta")):
        base = text.number("rope_theta", above=1, maximum=LARGEST_BASE)
        ratio = None if text.given("rope_theta") else text.number("rope_ratio", above=0)
        values["rope_theta"] = 10000.0 * ratio if ratio else base
    share = text.number("partial_rotary_factor", 0, 1)
    is_said = not own or text.given("partial_rotary_factor")
    if values.get("partial_rotary_factor") is None and share is not None and is_said:
        values["partial_rotary_factor"] = share
    condense = text.number("rope_condense_ratio", above=0)
    if values["rope_type"] == "default" and condense not in (None, 1):
        values |= {"rope_type": "linear", "factor": condense}
    if values["rope_type"] in STRETCHED:
        top = text.integer(ORIGINAL, 1)
        longest = text.integer("max_position_embeddings", 1)
        values[ORIGINAL] = (top if flat else None) or values.get(ORIGINAL) or longest
    return Fields(values, where=params.where)
