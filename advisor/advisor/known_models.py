"""Released models' config.json files, as far as positions are concerned."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any

from advisor.data import Config
from advisor.families.all import name_of
from advisor.families.classes import TEXT_PARTS
from advisor.fields import DECLARED, Fields
from advisor.reader.part import text_fields, text_type
from advisor.reader.shape import base_of, scaling_of, shape_of
from advisor.tables import table
from posenc.words import Sentence


@dataclass(frozen=True)
class KnownModel:
    """The fields of one model's config.json that concern positions.

    Args:
        name: The model.
        status: "read" in a copy of the file or in released code, "read in part", "class default" of
            transformers 5.23, or "assumed", not checked.
        source: Which of the values come from where, a sentence.
        config: The fields, for `RopeConfig.from_hf`.
        repository: Its name on Hugging Face, where its weights are; "" where it is not noted.
        made_from: The model whose shape it has, where others than that one's makers extended it.
    """

    name: str
    status: str
    source: Sentence
    config: dict[str, Any]
    repository: str = ""
    made_from: str = ""

    @property
    def model(self) -> str:
        """The model's name, without what was added to its file."""
        return self.name.split(" with ")[0]

    @cached_property
    def text(self) -> Fields:
        """The fields of the text model."""
        return text_fields(self.config)

    @cached_property
    def base(self) -> float | None:
        """The base of all layers, as in `Config`."""
        return base_of(self.text)

    @cached_property
    def scaling(self) -> tuple[object, object]:
        """The scaling's word and factor, as in `Config`."""
        return scaling_of(self.text)

    @cached_property
    def family(self) -> str:
        """The text model's family by its name in `FAMILIES`."""
        is_plain = self.config.keys().isdisjoint(TEXT_PARTS)
        return name_of(self.config["model_type"] if is_plain else text_type(self.config))

    @cached_property
    def declared(self) -> int | None:
        """Tokens that the file declares; None where it does not say."""
        return self.text.get(DECLARED)


def known_models() -> dict[str, KnownModel]:
    """Every known model that is offered, by name, from known_models.json beside this file."""
    return {model.name: model for model in _read("known_models.json")}


def all_models() -> dict[str, KnownModel]:
    """Those, and further sizes of them, by name."""
    return {model.name: model for model in _all()}


def model_named(name: str) -> KnownModel:
    """A known model, offered or told by its shape alone."""
    return next(model for model in _all() if model.name == name)


@cache
def _all() -> tuple[KnownModel, ...]:
    """The models that are offered, and those of other_models.json: further sizes of these."""
    return (*_read("known_models.json"), *_read("other_models.json"))


@cache
def _read(name: str) -> tuple[KnownModel, ...]:
    return tuple(
        KnownModel(**row | {"source": Sentence(row["source"], {})}) for row in table(f"{name}")
    )


def of_family(config: Config) -> tuple[KnownModel, ...]:
    """The known models of the same family, whatever their size."""
    models = _by_family().get(name_of(config.read_as), ())
    return tuple(model for model in models if is_wrapped_alike(config, model))


def alike(config: Config) -> tuple[KnownModel, ...]:
    """The known models that a file's model may be: of its family, with its shape and its base.

    Args:
        config: Of any model; one fine-tuned from a known model has the same shape.

    Returns:
        Of those with the same scaling and factor, of those with Llama 3's or LongRoPE of other
        numbers, of those without one if there are none, else all; of these, those that declare
        what the file does, if any. In their order in the list, and mostly none or one.
    """
    found = same_shape(config)
    kind, _ = theirs = scaling_of(config.text)
    same = tuple(model for model in found if model.scaling == theirs)
    if not same and kind in ("llama3", "longrope"):
        # Whoever adds a scaling adds another one; this is the makers', with edited numbers.
        same = tuple(model for model in found if model.scaling[0] == kind)
    same = same or tuple(model for model in found if model.scaling[0] is None) or found
    return of_length(config, same)


def of_length(config: Config, models: tuple[KnownModel, ...]) -> tuple[KnownModel, ...]:
    """Those of the models that declare what the file does; else no more than it, else all.

    Yi-34B and Yi-34B-200K have one shape and one base: a file of 8,192 tokens may be the former's.
    """
    declared = config.text.get(DECLARED)
    if not isinstance(declared, int | float):
        return models
    same = tuple(model for model in models if model.declared == declared)
    return same or tuple(one for one in models if (one.declared or 0) <= declared) or models


def same_shape(config: Config) -> tuple[KnownModel, ...]:
    """The known models of a file's family, shape and base, whatever their scaling."""
    return tuple(model for model in of_shape(config) if model.base == config.base)


def other_bases(config: Config) -> tuple[tuple[KnownModel, float], ...]:
    """The known models of this shape whose base a file should have, with that base.

    Those of another base: all where none has the file's, else those that declare what it declares
    and no one with its base does. None where no layer turns with a base.
    """
    if not config.rotary:
        return ()
    text = config.text
    declared = text.get(DECLARED)
    size = text.get("vocab_size")
    models = [one for one in of_shape(config) if _is_near(size, one.text.get("vocab_size"), 128)]
    own = [one for one in models if one.base == config.base]
    others = [one for one in models if one not in own and not one.made_from]
    if own:
        room = 0.1 * (declared or 0)
        if any(_is_near(declared, one.declared, room) for one in own):
            return ()
        others = [one for one in others if _is_near(declared, one.declared, room)]
    return tuple((one, one.base) for one in others if config.base and one.base)


def base_field(known: KnownModel, base: float) -> tuple[str, float]:
    """The field in which a known model's file says its base, and what stands there."""
    if known.text.given("rope_ratio"):
        return "rope_ratio", base / 10000
    return "rope_theta", base


def lost_base(config: Config) -> tuple[KnownModel, float] | None:
    """The known model of this shape whose base a file lost, and that base; None without one.

    The file names no base, or Hunyuan's own without the alpha that makes it larger.
    """
    others = other_bases(config) if config.family.names_base else ()
    models = of_length(config, tuple(known for known, _ in others))
    found = {base: known for known, base in others if known in models}
    if len(found) != 1:
        return None
    base, known = next(iter(found.items()))
    objects = (config.text, *config.objects.values())
    if not any(one.given("rope_theta") for one in objects):
        return known, base
    is_same = config.text.get("rope_theta") == known.text.get("rope_theta")
    return (known, base) if config.family.fixed_alpha and is_same else None


def _is_near(one: object, other: object, room: float) -> bool:
    if not isinstance(one, int | float) or not isinstance(other, int | float):
        return True
    return abs(one - other) < room


def is_wrapped_alike(config: Config, model: KnownModel) -> bool:
    """Whether the file's text model stands where the known one's does, or alone.

    A model with images or speech was made from a text model, and trained with other texts.
    """
    return not config.path or config.source.get("model_type") == model.config.get("model_type")


def of_shape(config: Config) -> tuple[KnownModel, ...]:
    """The known models of a file's family and shape, whatever their base."""
    return _by_shape(name_of(config.read_as)).get(config.shape, ())


@cache
def _by_shape(family: str) -> Mapping[tuple, tuple[KnownModel, ...]]:
    """The known models of a family."""
    found: dict[tuple, tuple[KnownModel, ...]] = {}
    for model in _by_family().get(family, ()):
        key = shape_of(model.text)
        found[key] = (*found.get(key, ()), model)
    return found


@cache
def _by_family() -> Mapping[str, tuple[KnownModel, ...]]:
    found: dict[str, tuple[KnownModel, ...]] = {}
    for model in _all():
        found[model.family] = (*found.get(model.family, ()), model)
    return found
