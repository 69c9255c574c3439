"""The two trained lengths: without scaling, and with the scaling that the file asks for."""

from dataclasses import dataclass

from posenc.config.data import Config
from posenc.config.evidence import Evidence, trained_tokens
from posenc.config.extend import trained_length
from posenc.config.layers import RopeLayer
from posenc.scaling.dynamic import DynamicNTK
from posenc.scaling.linear import Linear
from posenc.scaling.llama3 import Llama3
from posenc.scaling.longrope import LongRoPE
from posenc.scaling.proportional import Proportional
from posenc.scaling.yarn import YaRN

# Whose makers trained with the YaRN in their files: DeepSeek-V2, section 3.1.4
# (arXiv:2405.04434), DeepSeek-V3, section 4.3 (arXiv:2412.19437), and the models built like it;
# gpt-oss's model card.
YARN_TRAINED = ("deepseek", "kimi", "gpt_oss", "mistral4", "ministral3", "mistral3")
# Qwen's model cards add YaRN to a trained model, for long texts alone.
YARN_ADDED = ("qwen2", "qwen3")
ROOM = 1.5
"""How much more than its training a file may declare for room to answer: Qwen3's 40,960 of 32,768
are read as they are, Nemo's 1,024,000 of 131,072 are not."""


@dataclass(frozen=True)
class TrainedLengths:
    """What training has shown.

    Attributes:
        before: Tokens of the training without scaling; None where neither file nor makers say.
        own: Tokens that the file's own scaling reaches; None without one, and for dynamic
            scaling, which follows the length of the text.
        declared: Tokens that the file declares.
        with_own: Whether the makers trained further with that scaling; None where that is not
            known.
        told: What the makers published of the training, if that is known.
        has_chunks: The file asks for Dual Chunk Attention, which reaches further by itself.
    """

    before: int | None
    own: int | None
    declared: int | None
    with_own: bool | None = None
    told: Evidence | None = None
    has_chunks: bool = False

    @property
    def reach(self) -> int | None:
        """Tokens that the model reads as its file stands."""
        if self.own is not None:
            return self.own
        if self.before is None or self.declared is None:
            return self.before or self.declared
        return self.before if self.is_never_trained else max(self.before, self.declared)

    @property
    def is_never_trained(self) -> bool:
        """Whether the file declares far more than its makers trained with, and has no scaling."""
        if self.own is not None or self.has_chunks or self.told is None:
            return False
        return (self.declared or 0) > ROOM * (self.before or 0)

    @property
    def shown(self) -> int | None:
        """Tokens of the longest text of training, as far as that is known."""
        return self.own if self.with_own else self.before or self.reach


def trained_lengths(config: Config, layer_type: str) -> TrainedLengths:
    """The lengths that rotary layers were trained with.

    Args:
        config: A model's configuration.
        layer_type: Key of `config.rotary`.

    Source: Llama 3, section 3.4.2, arXiv:2407.21783; Phi-3, arXiv:2404.14219; Gemma 3, section 2,
    arXiv:2503.19786; the families named above; `trained_tokens` for the makers' word.
    """
    layer, told = config.rotary[layer_type], trained_tokens(config)
    scaling, before = layer.scaling, trained_length(config, layer_type)
    if isinstance(scaling, DynamicNTK):
        return TrainedLengths(scaling.original_length, None, layer.max_length, told=told)
    if scaling is None or (isinstance(scaling, Proportional) and scaling.factor == 1):
        before = before or layer.max_length
        if told is not None and told.tokens is not None:
            before = min(before or told.tokens, told.tokens)
        return TrainedLengths(
            before, None, layer.max_length, told=told, has_chunks=config.dual_chunk is not None
        )
    own = layer.max_length
    if isinstance(scaling, YaRN):
        own = int(scaling.factor * scaling.original_length + 1e-6)
    return TrainedLengths(before, own, layer.max_length, _with_own(config, layer), told)


def _with_own(config: Config, layer: RopeLayer) -> bool | None:
    """Whether the makers trained with the scaling in the file."""
    kind = config.model_type or ""
    if isinstance(layer.scaling, Llama3 | LongRoPE):
        return True
    if isinstance(layer.scaling, Linear):
        return True if kind.startswith("gemma3") else None
    if not isinstance(layer.scaling, YaRN):
        return None
    finetuned = any(given.get("finetuned") is True for given in config.objects.values())
    if finetuned or kind.startswith(YARN_TRAINED):
        return True
    return False if kind.startswith(YARN_ADDED) else None
