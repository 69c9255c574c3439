"""How a checkpoint stores its weights: what quantization_config says, and what it leaves alone."""

import math
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from advisor.data import Config
from posenc.words import Sentence, say

AS_STORED = "file"
"""In the place of a type: as the checkpoint stores its weights."""
MOST_PATTERNS = 20000
PLAIN = {"float32": 32.0, "bfloat16": 16.0, "float16": 16.0}
PARTS = {
    "embedding": say("embedding"),
    "output": say("output layer"),
    "attention": say("attention"),
    "recurrent": say("recurrent layers"),
    "dense": say("dense feed-forward layers"),
    "experts": say("experts"),
    "shared": say("shared experts"),
    "router": say("router"),
}
NOTHING = say("nothing")
UNTOUCHED = ("embedding", "output", "router")
"""Parts that every method leaves in the type of the model, unless the file says otherwise."""
SIGNS = (
    ("embedding", ("embed",)),
    ("output", ("lm_head", "output_layer")),
    ("shared", ("shared_expert", "shared_mlp")),
    ("router", ("router", "shared_expert_gate")),
    ("experts", ("experts",)),
    ("recurrent", ("linear_attn", "mamba", "mixer")),
    ("attention", ("attn", "attention", "q_proj", "k_proj", "v_proj", "o_proj")),
    ("dense", ("mlp", "gate_proj", "up_proj", "down_proj", "feed_forward")),
)
"""Parts, and words in the names of their modules; the first that fits holds."""


@dataclass(frozen=True)
class Stored:
    """How weights are stored.

    Attributes:
        method: The word for it: quant_method or quant_algo of the file, or the type of the weights.
        kind: One of `WEIGHT_BITS`, or "int3" and the like.
        bits: Bits of a converted weight, with its share of the scales.
        plain: Bits of one that is not converted.
        kept: For each part, the share of its layers that is not converted.
        known: False where the method is not known here, and all is counted as not converted.
        assumed: The file names neither a quantization nor a type.
    """

    method: str
    kind: str
    bits: float
    plain: float
    kept: Mapping[str, float]
    known: bool = True
    assumed: bool = False

    @property
    def sentence(self) -> Sentence:
        """How weights are stored, in words."""
        if not self.known:
            return say(
                "How {method} stores weights is not known here: all are counted with {plain:g} "
                "bits.",
                method=self.method,
                plain=self.plain,
            )
        if self.assumed:
            return say(
                "The file as it is read here names no type of weights: counted in {kind}.",
                kind=self.kind,
            )
        if self.bits == self.plain:
            return say(
                "The file names no quantization: weights are counted in {kind}.", kind=self.kind
            )
        kept, *others = [PARTS[part] for part, share in self.kept.items() if share] or [NOTHING]
        for other in others:
            kept = say("{first}, {next}", first=kept, next=other)
        return say(
            "The file says {method}: {bits:.3g} bits for a converted weight with its scales. Left "
            "with {plain:g} bits, wholly or in some layers: {kept}.",
            method=self.method,
            bits=self.bits,
            plain=self.plain,
            kept=kept,
        )

    def in_bytes(self, parts: Mapping[str, int]) -> int:
        """Bytes of weights, counted by part."""
        bits = 0.0
        for part, count in parts.items():
            kept = self.kept.get(part, 0.0)
            bits += count * (kept * self.plain + (1 - kept) * self.bits)
        return math.ceil(bits / 8)


def stored_as(config: Config, layers: int) -> Stored:
    """How the checkpoint of a file stores its weights.

    Returns:
        The `Stored`; bfloat16, or the file's own type, where it names no quantization.
    """
    text = config.text.values
    outer = config.source
    named = next((one for one in _types(text, outer) if one in PLAIN), None)
    dtype = named or "bfloat16"
    plain = PLAIN[dtype]
    given = _object(text) or _object(outer)
    if not given:
        return Stored(
            method=dtype, kind=dtype, bits=plain, plain=plain, kept={}, assumed=named is None
        )
    method, found = _bits(given)
    if found is None:
        return Stored(method=method, kind=dtype, bits=plain, plain=plain, kept={}, known=False)
    kind, bits = found
    if method == MLX:
        return Stored(
            method=method, kind=kind, bits=bits, plain=plain, kept=_left_out(given, layers)
        )
    kept = dict.fromkeys(UNTOUCHED, 1.0)
    if given.get("lm_head") is True:
        kept["output"] = 0.0
    return Stored(
        method=method, kind=kind, bits=bits, plain=plain, kept=kept | _left_out(given, layers)
    )


def _types(*objects: Mapping[str, Any]) -> Iterable[str]:
    for one in objects:
        for name in ("dtype", "torch_dtype"):
            if isinstance(one.get(name), str):
                yield one[name].removeprefix("torch.")


def _object(values: Mapping[str, Any]) -> dict[str, Any]:
    for name in ("quantization_config", "compression_config", "quantization"):
        if isinstance(values.get(name), dict):
            return dict(values[name])
    return {}


def _number(values: Mapping[str, Any], *names: str) -> float | None:
    """The first of these fields that holds a number above 0."""
    for name in names:
        value = values.get(name)
        if isinstance(value, int | float) and not isinstance(value, bool) and 0 < value <= 10**6:
            return float(value)
    return None


def _bits(given: Mapping[str, Any]) -> tuple[str, tuple[str, float] | None]:
    """The method's word; the kind and the bits of a converted weight, None where not known."""
    method = str(given.get("quant_method") or "?")[:40].lower()
    algo = str(given.get("quant_algo") or given.get("format") or "")[:40].lower()
    name = f"{method} {algo}"
    bits = _number(given, "bits", "weight_bits", "w_bit", "num_bits")
    for word, kind, each in _FLOATS:
        if word in name:
            return word, (kind, each)
    if method in ("awq", "gptq", "auto-round", "auto_round", "intel/auto-round") and bits:
        group = _number(given, "group_size", "q_group_size")
        # A scale of 16 bits and a zero point for each group; without groups one for each row.
        return method, _integers(bits, (16 + bits) / group if group else 0.0)
    if method == "?" and bits:
        # mlx-lm names no method and converts embeddings too, with scales and biases of 16 bits.
        return MLX, _integers(bits, 32 / (_number(given, "group_size") or 64))
    if method in ("bitsandbytes", "bnb"):
        return method, _bitsandbytes(given)
    if method == "compressed-tensors":
        return method, _compressed(given)
    if method in ("fp8", "fbgemm_fp8") or (method == "modelopt" and algo == "fp8"):
        return method, ("fp8", 8.0)
    return method, None


MLX = "MLX"
_FLOATS = (
    ("mxfp4", "mxfp4", 4.25),
    ("nvfp4", "nvfp4", 4.5),
    ("mxfp8", "mxfp8", 8.25),
)
"""Words in a method's name; four or eight bits and a scale of eight for each 32, or for 16."""


def _integers(bits: float, more: float) -> tuple[str, float]:
    return f"int{bits:g}", bits + more


def _bitsandbytes(given: Mapping[str, Any]) -> tuple[str, float] | None:
    if given.get("load_in_8bit") is True:
        return "int8", 8.0
    if given.get("load_in_4bit") is not True:
        return None
    # A scale of 32 bits for each 64 weights; twice quantized, 8 bits and 32 for each 256 of them.
    is_double = given.get("bnb_4bit_use_double_quant") is True
    return "int4", 4 + (8 / 64 + 32 / (64 * 256) if is_double else 32 / 64)


def _compressed(given: Mapping[str, Any]) -> tuple[str, float] | None:
    """compressed-tensors: the first group that says how weights are stored."""
    groups = given.get("config_groups")
    for group in groups.values() if isinstance(groups, dict) else ():
        weights = group.get("weights") if isinstance(group, dict) else None
        bits = _number(weights, "num_bits") if isinstance(weights, dict) else None
        if bits is None or not isinstance(weights, dict):
            continue
        size = _number(weights, "group_size")
        if weights.get("type") == "float" and bits == 4:
            return ("mxfp4", 4.25) if size == 32 else ("nvfp4", 4.5)
        if weights.get("type") == "float" and bits == 8:
            return ("mxfp8", 8.25) if size == 32 else ("fp8", 8.0)
        return _integers(bits, 16 / size if size else 0.0)
    return None


def _left_out(given: Mapping[str, Any], layers: int) -> dict[str, float]:
    """For each part that the file names, the share of its layers that is not converted."""
    found: dict[str, set[int]] = {}
    for name in ("modules_to_not_convert", "ignore", "exclude_modules", "llm_int8_skip_modules"):
        patterns = given.get(name)
        for pattern in patterns[:MOST_PATTERNS] if isinstance(patterns, list) else ():
            if not isinstance(pattern, str) or (part := _part(pattern[:200].lower())) is None:
                continue
            place = re.search(r"layers\.(\d{1,5})(?:\D|$)", pattern[:200])
            places = {int(place[1])} if place else set(range(layers))
            found.setdefault(part, set()).update(one for one in places if one < layers)
    return {part: len(places) / layers for part, places in found.items()}


def _part(pattern: str) -> str | None:
    """The part that a pattern names; None for what is not counted: norms, towers, drafts."""
    if any(word in pattern for word in ("vision", "visual", "norm", "mtp", "bias", "audio")):
        return None
    last = re.sub(r"[^a-z0-9_]+$", "", pattern).rpartition(".")[2]
    if last in ("gate", "wg"):
        return "router"
    for part, words in SIGNS:
        if any(word in pattern for word in words):
            return part
    return None
