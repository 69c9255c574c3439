"""The scaling that one rope_parameters object describes."""

from collections.abc import Callable

from advisor.fields import LARGEST_FACTOR, Fields, required
from posenc.checks import LONGEST, check_choice
from posenc.rope.scaling import Scaling
from posenc.scaling.dynamic import DynamicNTK
from posenc.scaling.linear import Linear
from posenc.scaling.llama3 import Llama3
from posenc.scaling.longrope import LongRoPE
from posenc.scaling.proportional import Proportional
from posenc.scaling.yarn import YaRN

TYPES = ("default", "linear", "dynamic", "yarn", "longrope", "llama3", "proportional")
MEANT = {
    **{word: word for word in TYPES},
    **dict.fromkeys(("ntk", "ntk-aware", "dynamic_ntk", "dynamic-ntk"), "dynamic"),
    **dict.fromkeys(("pi", "position_interpolation"), "linear"),
    **dict.fromkeys(("llama-3", "llama3.1"), "llama3"),
    "none": "default",
}
"""Words that were probably meant, by words that nobody reads, in small letters."""
DYNAMIC_YARN = (
    "YaRN whose factor follows the length of the text, which only the code of YaRN's authors has "
    "(jquesnelle/yarn, modeling_llama_yarn.py). Engines have YaRN with one factor: 'yarn', with "
    "the factor that the longest text needs"
)
BY_PARTS = (
    "a method of the papers, and no engine has it. 'yarn' with attention_factor 1 comes nearest; "
    "its ramp is another"
)
ALONE = {
    **dict.fromkeys(("dynamic-yarn", "dynamic_yarn"), DYNAMIC_YARN),
    **dict.fromkeys(("ntk-by-parts", "ntk_by_parts"), BY_PARTS),
}
"""Meanings of words that no engine reads and that no other word replaces."""
# Older words: "su" was LongRoPE's name, "mrope" is plain RoPE whose pairs follow several axes.
# "deepseek_yarn" is vLLM's: YaRN, whose mscale its dispatcher takes as DeepSeek's code does.
OLD_TYPES = {"su": "longrope", "mrope": "default", "deepseek_yarn": "yarn"}


def rope_type_of(params: Fields) -> str:
    """The type under its present name; `type` is the older key."""
    old = params.word("type")
    word = params.word("rope_type")
    word = word or old or "default"
    name = params.label("rope_type" if params.given("rope_type") else "type")
    # Phi-3 once called LongRoPE "yarn"; only LongRoPE has two lists.
    if word == "yarn" and params.given("short_factor") and params.given("long_factor"):
        return "longrope"
    spelt = word.strip().lower()
    if spelt in ALONE:
        raise ValueError(f"{name} must be a word that engines read, got {word!r}: {ALONE[spelt]}.")
    meant = MEANT.get(spelt)
    if meant is not None and word not in TYPES:
        raise ValueError(
            f"{name} must be a word that engines read, got {word!r}: {meant!r} is probably meant."
        )
    return OLD_TYPES.get(word) or check_choice(name, word[:40], (*TYPES, *OLD_TYPES))


def read_scaling(params: Fields, max_length: int | None, share: float) -> Scaling | None:
    """The scaling of a filled rope_parameters object, None for the type "default".

    Args:
        params: The object with type, base and trained length filled in.
        max_length: max_position_embeddings.
        share: partial_rotary_factor.

    Raises:
        ValueError: If a field is missing or out of range; the message names it.
    """
    readers: dict[str, Callable[[Fields, int | None], Scaling]] = {
        "linear": _linear,
        "dynamic": _dynamic,
        "yarn": _yarn,
        "longrope": _longrope,
        "llama3": _llama3,
    }
    kind = rope_type_of(params)
    if kind == "default":
        return None
    if kind == "proportional":
        return Proportional(share, _factor(params, default=1.0))
    return readers[kind](params, max_length)


def _factor(params: Fields, default: float | None = None) -> float:
    factor = params.number("factor", 1, LARGEST_FACTOR)
    return required(default if factor is None else factor, params.label("factor"))


def _original(params: Fields, minimum: int = 1) -> int:
    name = "original_max_position_embeddings"
    return required(params.integer(name, minimum), params.label(name))


def _linear(params: Fields, max_length: int | None) -> Scaling:
    return Linear(_factor(params))


def _dynamic(params: Fields, max_length: int | None) -> Scaling:
    # transformers takes max_position_embeddings here, whatever the original length says.
    return DynamicNTK(_factor(params), required(max_length, "max_position_embeddings"))


def _yarn(params: Fields, max_length: int | None) -> Scaling:
    original = _original(params)
    factor = params.number("factor", 1, LARGEST_FACTOR)
    if factor is None and "factor" in params.values and max_length is not None:
        factor = max(max_length / original, 1.0)
    # A bound of zero counts as unset.
    slow, fast = params.number("beta_slow") or 1.0, params.number("beta_fast") or 32.0
    _check_order(params, ("beta_slow", slow), ("beta_fast", fast))
    truncate = params.flag("truncate")
    return YaRN(
        required(factor, params.label("factor")),
        original,
        beta_fast=fast,
        beta_slow=slow,
        truncate=True if truncate is None else truncate,
        attention_factor=params.number("attention_factor", 0, LARGEST_FACTOR),
        mscale=params.number("mscale"),
        mscale_all_dim=params.number("mscale_all_dim"),
    )


def _check_order(params: Fields, low: tuple[str, float], high: tuple[str, float]) -> None:
    """Refuse bounds in the wrong order.

    Raises:
        ValueError: If the upper one is below the lower one.
    """
    if high[1] < low[1]:
        raise ValueError(
            f"{params.label(high[0])} must be at least {params.label(low[0])}, got {high[1]:g} "
            f"and {low[1]:g}: they are probably swapped."
        )


def _longrope(params: Fields, max_length: int | None) -> Scaling:
    original = _original(params, 2)
    factor = params.number("factor", above=0)
    if factor is None:
        factor = required(max_length, "max_position_embeddings") / original
    lists = [
        required(params.numbers(name, 1e-6, LONGEST), params.label(name))
        for name in ("short_factor", "long_factor")
    ]
    attention_factor = params.number("attention_factor")
    return LongRoPE(lists[0], lists[1], original, factor, attention_factor)


def _llama3(params: Fields, max_length: int | None) -> Scaling:
    low = required(params.number("low_freq_factor", above=0), params.label("low_freq_factor"))
    high = required(params.number("high_freq_factor"), params.label("high_freq_factor"))
    _check_order(params, ("low_freq_factor", low), ("high_freq_factor", high))
    return Llama3(_factor(params), low, high, _original(params))
