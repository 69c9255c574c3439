"""How long a model was trained, which its file rarely says alone: its makers, its form, or nobody.

The declared length is the most edited field of a file, and each scaling came with a convention of
its own for it: the length of the training, or the longer one that the scaling reaches.
"""

import math
from dataclasses import dataclass

from advisor.comparing.layer import RopeLayer
from advisor.data import Config
from advisor.evidence import evidence_for
from advisor.fields import ORIGINAL, Fields
from advisor.known_models import KnownModel, same_shape
from advisor.reader.near_miss import OF_THE_FILE, OF_THE_OBJECT, meant
from advisor.released import (
    ROOM,
    is_same_scaling,
    is_unscaled,
    released,
    released_scalings,
)
from posenc.scaling.dynamic import DynamicNTK
from posenc.scaling.linear import Linear
from posenc.scaling.llama3 import Llama3
from posenc.scaling.proportional import Proportional
from posenc.scaling.yarn import YaRN

# Whose makers extended their models with the YaRN in their files: DeepSeek-V2, section 3.1.4
# (arXiv:2405.04434), DeepSeek-V3, section 4.3 (arXiv:2412.19437), Kimi K2, section 2.5
# (arXiv:2507.20534), gpt-oss's model card (arXiv:2508.10925), and the models built like them.
YARN_EXTENDED = ("deepseek", "kimi", "gpt_oss", "mistral4", "ministral3", "mistral3", "olmo3")
# Gemma 3 Technical Report, section 5.3 (arXiv:2503.19786): linear, by 8, to 131,072; the files of
# every size that is scaled say so. Whoever makes another size of it inherits both.
GEMMA3 = Linear(8.0)
GEMMA3_DECLARED = 131072
# Qwen's model cards add YaRN to a trained model, for long texts alone.
YARN_ADDED = ("qwen2", "qwen3")
QWEN3_DECLARED = 40960
QWEN3_TRAINED = 32768


@dataclass(frozen=True)
class Training:
    """How long the training of a rotary layer was, before any scaling.

    Attributes:
        length: L₀, tokens; None where nothing tells it.
        known: The known model of the same shape and base that tells it; None where the file does.
        either: The lengths that it may be, where the file leaves that open.
    """

    length: int | None
    known: KnownModel | None = None
    either: tuple[int, ...] = ()


def training(config: Config, layer_type: str) -> Training:
    """How long the training was.

    What makers say of a model of this shape and base comes first, then the file's own word (also
    where its name is misspelt), then the convention of its scaling.
    """
    layer = config.rotary[layer_type]
    word = own_word(config, layer_type)
    scaling = layer.scaling
    base = _base(config, layer_type)
    if base is not None and isinstance(scaling, Linear | Proportional) and not is_unscaled(layer):
        # The file of another model of this shape, unless it declares the one length or the other.
        base = base if _fits(layer, base[1]) else None
    if base is not None and base[1] > ROOM * (layer.max_length or base[1]):
        # What it declares is no word of its makers, and this file declares less.
        base = base if any(one.is_makers for one in evidence_for(base[0].name)) else None
    is_theirs = False
    if base is not None:
        known, length, unscaled = base
        is_theirs = _close(word or 1, length) or _close(word or 1, unscaled)
        if word is None or scaling is None or not is_theirs:
            return Training(length, known)
    if is_unscaled(layer):
        return Training(trained_length(config, layer_type) or layer.max_length)
    if word is not None and not is_theirs and are_swapped(layer, word):
        return Training(layer.max_length)
    if word is not None:
        is_room = (config.model_type or "").startswith("qwen3") and word == QWEN3_DECLARED
        return Training(QWEN3_TRAINED if is_room else word)
    if isinstance(scaling, DynamicNTK):
        return Training(scaling.original_length)
    declared = layer.max_length
    factor = getattr(scaling, "factor", 1.0)
    if declared is None or not isinstance(scaling, YaRN | Linear | Proportional):
        return Training(None)
    if config.text.values.get("max_sequence_length") == round(declared * factor):
        return Training(declared)  # Vicuna's files of 2023 have both lengths
    if isinstance(scaling, Linear) and is_extended(config, layer):
        return Training(None)
    if factor == 1 or declared < factor:
        return Training(declared)
    return Training(None, either=(round(declared / factor), declared))


def are_swapped(layer: RopeLayer, word: int) -> bool:
    """Whether the trained length stands where the declared one belongs, and the reverse.

    Then it is what the factor makes of the declared one; a fine-tune that declares less than its
    training is another thing.
    """
    declared = layer.max_length
    if declared is None or word <= declared:
        return False
    factor = layer.scaling.factor if isinstance(layer.scaling, YaRN | Llama3) else 1.0
    return word >= 0.99 * factor * declared


def is_consistent(layer: RopeLayer) -> bool:
    """Whether a file's own YaRN says of itself how far it reaches: factor times L₀ is declared."""
    scaling = layer.scaling
    if not isinstance(scaling, YaRN) or layer.max_length is None or scaling.factor <= 1:
        return False
    return math.isclose(scaling.factor * scaling.original_length, layer.max_length, rel_tol=0.01)


def trained_length(config: Config, layer_type: str) -> int | None:
    """L₀, tokens, as the file alone says it.

    Qwen3's files declare 40,960 tokens: 32,768 for the output and 8,192 for the prompt. Its makers
    count from 32,768.

    Returns:
        The length; None where the file does not say it.

    Source: model cards of Qwen3-8B and Qwen3-30B-A3B, section "Processing Long Texts".
    """
    layer = config.rotary[layer_type]
    is_qwen3 = (config.model_type or "").startswith("qwen3")
    if is_qwen3 and layer.scaling is None and layer.max_length == QWEN3_DECLARED:
        return QWEN3_TRAINED
    return layer.trained_length


def is_extended(config: Config, layer: RopeLayer) -> bool:
    """Whether the makers extended the model with the scaling in its file.

    Where a known model of this shape is released with a scaling, it must be this one; else YaRN
    alone tells it, by its family.
    """
    finetuned = any(given.get("finetuned") is True for given in config.objects.values())
    if isinstance(layer.scaling, YaRN) and finetuned:
        return True
    theirs = released_scalings(config)
    if theirs:
        return any(is_same_scaling(layer.scaling, one) for _, one in theirs)
    if config.model_type == "gemma3_text" and layer.scaling == GEMMA3:
        return layer.max_length == GEMMA3_DECLARED
    return isinstance(layer.scaling, YaRN) and (config.model_type or "").startswith(YARN_EXTENDED)


def own_word(config: Config, layer_type: str) -> int | None:
    """The file's own original_max_position_embeddings, also under a misspelt name."""
    given = config.objects.get(layer_type) or config.objects.get("all") or Fields({})
    if layer_type == "all" and not given.values:
        # Layers of several types that are all alike are one; their objects are not.
        given = next(iter(config.objects.values()), given)
    for fields, known in ((given, OF_THE_OBJECT), (config.text, OF_THE_FILE)):
        names = [name for name, right in meant(fields.values, known).items() if right == ORIGINAL]
        for value in (fields.get(ORIGINAL), *(fields.values[name] for name in names)):
            if isinstance(value, int | float) and not isinstance(value, bool) and value >= 1:
                return int(value)
    return None


def _base(config: Config, layer_type: str) -> tuple[KnownModel, int, int] | None:
    """The known model of the same shape and base, its L₀, and what it declares unscaled.

    One whose length is the one that the file's scaling counts from comes first, then one with the
    same kind of scaling, then one without; of these, one whose length is that of the file.
    """
    ours = config.rotary[layer_type]
    word = None if is_unscaled(ours) else own_word(config, layer_type)
    found = []
    for known in same_shape(config):
        theirs = released(known.name).rotary
        layer = theirs.get(layer_type) or next(iter(theirs.values()), None)
        length = None if layer is None else _released_length(known, layer)
        if layer is not None and length is not None:
            declared = (is_unscaled(layer) and layer.max_length) or length
            rank = (
                not (word is not None and _close(word, length)),
                layer.rope_type != ours.rope_type,
                layer.scaling is not None,
                not _fits(ours, declared),
            )
            found.append((rank, (known, length, declared)))
    return min(found, key=lambda one: one[0], default=(None, None))[1]


def _fits(layer: RopeLayer, length: int) -> bool:
    """Whether a file declares this length, or the one that its linear scaling makes of it."""
    factor = layer.scaling.factor if isinstance(layer.scaling, Linear | Proportional) else 1.0
    return any(_close(layer.max_length or 1, times * length) for times in (1, factor))


def _released_length(known: KnownModel, layer: RopeLayer) -> int | None:
    """L₀ of a known model: of its training, else as documented, else of its released file."""
    if not is_unscaled(layer):
        return layer.trained_length
    said = {one.kind: one.tokens for one in evidence_for(known.name) if one.is_makers}
    if said.get("trained"):
        return said["trained"]
    yarn = {one.original for one in evidence_for(known.name) if one.kind == "yarn"}
    documented = said.get("documented") or next(iter(yarn), None)
    declared = layer.max_length
    if documented and declared and not documented <= declared <= ROOM * documented:
        return documented
    return declared


def _close(one: float, other: float) -> bool:
    """Whether two lengths may be the same one told twice: 128,000 and 131,072."""
    return max(one, other) < 1.1 * min(one, other)
