"""Which field of a config.json counts for which engine: trained length, factor, longest text."""

from dataclasses import dataclass, replace

from posenc.checks import check_choice
from posenc.config.data import RopeConfig
from posenc.config.fields import Fields
from posenc.config.findings.finding import text_of
from posenc.config.layers import RopeLayer
from posenc.config.read import given_objects
from posenc.scaling.dynamic import DynamicNTK
from posenc.scaling.linear import Linear
from posenc.scaling.llama3 import Llama3
from posenc.scaling.longrope import LongRoPE
from posenc.scaling.proportional import Proportional
from posenc.scaling.yarn import YaRN

ORIGINAL, LONGEST = "original_max_position_embeddings", "max_position_embeddings"
ENGINES = ("transformers 5.23", "transformers 4.51", "vLLM", "llama.cpp")


@dataclass(frozen=True)
class EngineReading:
    """What one engine makes of the lengths of a file.

    Args:
        engine: One of `ENGINES`.
        trained_length: L₀, tokens, None where the engine does not ask for it or finds none.
        trained_from: The field it is taken from, or why there is none.
        factor: What frequencies are stretched by; α for dynamic scaling; None without scaling.
        factor_from: The field or the ratio it is taken from.
        longest: Tokens it reads unless it is told otherwise.
        longest_from: The field or the product it is taken from.
    """

    engine: str
    trained_length: int | None
    trained_from: str
    factor: float | None
    factor_from: str
    longest: int | None
    longest_from: str


def engine_readings(config: RopeConfig, layer_type: str) -> tuple[EngineReading, ...]:
    """What each engine makes of the lengths that a file gives for one layer type.

    Args:
        config: A model's configuration.
        layer_type: Key of `config.rotary`.

    Returns:
        One reading for each of `ENGINES`.

    Raises:
        ValueError: If there is no such layer type.

    Source: transformers 5.23 and 4.51, modeling_rope_utils.py (issue 38224: YaRN's factor was
    replaced by the ratio of the lengths); vLLM, _get_and_verify_max_len; llama.cpp,
    llama-context.cpp and the conversion script. Read, not run, transformers 5.23 excepted.
    """
    check_choice("layer_type", layer_type, list(config.rotary))
    layer, text = config.rotary[layer_type], text_of(config)
    objects = given_objects(text)
    given = objects.get(layer_type) or next(iter(objects.values()))
    new = _transformers_5(layer, text, given, flat=len(objects) == 1)
    return new, _transformers_4(new, layer, text, given), _vllm(new, layer), _llama_cpp(new, layer)


def _transformers_5(layer: RopeLayer, text: Fields, given: Fields, flat: bool) -> EngineReading:
    longest = text.own_name(LONGEST)
    asks = isinstance(layer.scaling, YaRN | Llama3 | LongRoPE)
    if asks and flat and text.given(ORIGINAL):
        trained_from = ORIGINAL
    elif asks and given.given(ORIGINAL):
        trained_from = given.label(ORIGINAL)
    elif asks or isinstance(layer.scaling, DynamicNTK | None):
        trained_from = longest
    else:
        trained_from = "not asked for"
    factor = None
    if isinstance(layer.scaling, Linear | DynamicNTK | YaRN | Llama3 | LongRoPE | Proportional):
        factor = layer.scaling.factor
    factor_from = "" if factor is None else "not in the file"
    if factor is not None and given.given("factor"):
        factor_from = given.label("factor")
    elif factor is not None and text.given("rope_condense_ratio"):
        factor_from = "rope_condense_ratio"
    elif isinstance(layer.scaling, YaRN | LongRoPE):
        factor_from = f"{longest} / {ORIGINAL}"
    trained = layer.original_length
    if isinstance(layer.scaling, DynamicNTK):
        trained = layer.scaling.original_length
    if trained_from == "not asked for":
        trained = None
    return EngineReading(
        ENGINES[0], trained, trained_from, factor, factor_from, layer.max_length, longest
    )


def _transformers_4(
    new: EngineReading, layer: RopeLayer, text: Fields, given: Fields
) -> EngineReading:
    """YaRN took the ratio of the lengths, whatever the factor said."""
    reading = replace(new, engine=ENGINES[1])
    own = given.integer(ORIGINAL, 1)
    if not isinstance(layer.scaling, YaRN) or layer.max_length is None:
        return reading
    longest = text.own_name(LONGEST)
    if own is None:
        return replace(reading, trained_length=layer.max_length, trained_from=longest)
    return replace(
        reading,
        trained_length=own,
        trained_from=given.label(ORIGINAL),
        factor=layer.max_length / own,
        factor_from=f"{longest} / {ORIGINAL}, whatever factor says",
    )


def _vllm(new: EngineReading, layer: RopeLayer) -> EngineReading:
    """The longest text is worked out with the factor."""
    reading = replace(new, engine=ENGINES[2])
    if isinstance(layer.scaling, YaRN):
        product = round(layer.scaling.original_length * layer.scaling.factor)
        return replace(reading, longest=product, longest_from=f"{new.trained_from} · factor")
    scaled = isinstance(layer.scaling, Linear | DynamicNTK)
    if scaled and new.factor is not None and new.longest is not None:
        product = round(new.longest * new.factor)
        return replace(reading, longest=product, longest_from=f"{new.longest_from} · factor")
    return reading


def _llama_cpp(new: EngineReading, layer: RopeLayer) -> EngineReading:
    """What the conversion wrote into the model file, unless flags say otherwise."""
    reading = replace(new, engine=ENGINES[3])
    if isinstance(layer.scaling, DynamicNTK):
        return replace(reading, factor=None, factor_from="it has no dynamic scaling")
    return reading
