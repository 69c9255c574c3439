"""The two trained lengths: without scaling, and with the scaling that the file asks for."""

from dataclasses import dataclass

from posenc.config.data import Config
from posenc.config.extend import trained_length
from posenc.config.layers import RopeLayer
from posenc.scaling.dynamic import DynamicNTK
from posenc.scaling.linear import Linear
from posenc.scaling.llama3 import Llama3
from posenc.scaling.longrope import LongRoPE
from posenc.scaling.proportional import Proportional
from posenc.scaling.yarn import YaRN

# Whose makers trained with the YaRN in their files: DeepSeek-V2, section 2.1 (arXiv:2405.04434),
# DeepSeek-V3, section 4.3 (arXiv:2412.19437), and the models built like it; gpt-oss's model card.
YARN_TRAINED = ("deepseek", "kimi", "gpt_oss", "mistral4", "ministral3", "mistral3")
# Qwen's model cards add YaRN to a trained model, for long texts alone.
YARN_ADDED = ("qwen2", "qwen3")


@dataclass(frozen=True)
class TrainedLengths:
    """What training has shown.

    Attributes:
        before: Tokens of the training without scaling; None where the file does not say.
        own: Tokens that the file's own scaling reaches; None without one, and for dynamic
            scaling, which follows the length of the text.
        declared: Tokens that the file declares.
        with_own: Whether the makers trained further with that scaling; None where that is not
            known.
    """

    before: int | None
    own: int | None
    declared: int | None
    with_own: bool | None = None

    @property
    def reach(self) -> int | None:
        """Tokens that the model reads as its file stands."""
        if self.own is not None:
            return self.own
        known = [length for length in (self.before, self.declared) if length is not None]
        return max(known, default=None)

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
    arXiv:2503.19786; and the families named above.
    """
    layer = config.rotary[layer_type]
    scaling, before = layer.scaling, trained_length(config, layer_type)
    if isinstance(scaling, DynamicNTK):
        return TrainedLengths(scaling.original_length, None, layer.max_length)
    if scaling is None or (isinstance(scaling, Proportional) and scaling.factor == 1):
        return TrainedLengths(before or layer.max_length, None, layer.max_length)
    own = layer.max_length
    if isinstance(scaling, YaRN):
        own = int(scaling.factor * scaling.original_length + 1e-6)
    return TrainedLengths(before, own, layer.max_length, _with_own(config, layer))


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
