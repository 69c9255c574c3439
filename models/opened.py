"""A model that is open: transformers' own code with posenc's attention in it."""

import math
import operator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn

from advisor import RopeConfig
from advisor.inputs.text import parse_config
from advisor.layers import Layer
from models.families import FAMILIES, Family
from models.files.find import Found
from models.files.gguf import Progress, check_size, converted
from models.home import Home
from models.running import connect
from models.tokens import Tokens, Vocabulary

LONGEST_CONFIG = 1 << 20
CONVERTING = 0.8
"""Part of the time that converting takes, where a file has to be converted first."""


@dataclass(frozen=True, eq=False)
class Model:
    """A model that is open. It is shared: nothing of it is ever changed.

    Args:
        id: Short word, for addresses and caches.
        title: What readers see.
        net: transformers' model, which runs only inside `models.forward`.
        config: What its config says about positions.
        vocabulary: Its tokenizer.
    """

    id: str
    title: str
    net: Any
    config: RopeConfig
    vocabulary: Vocabulary

    @property
    def family(self) -> Family:
        """Where its parts are."""
        return FAMILIES[str(self.config.model_type)]

    @property
    def base(self) -> nn.Module:
        """The model without its head."""
        return self.net.base_model

    @cached_property
    def layers(self) -> tuple[nn.Module, ...]:
        """Its layers, from the first."""
        return tuple(operator.attrgetter(self.family.layers)(self.base))

    @cached_property
    def attentions(self) -> dict[nn.Module, int]:
        """The attention of each layer, and which layer that is."""
        find = operator.attrgetter(self.family.attention)
        return {find(layer): index for index, layer in enumerate(self.layers)}

    @property
    def heads(self) -> int:
        """Query heads of a layer."""
        return int(self.net.config.num_attention_heads)

    @property
    def width(self) -> int:
        """Channels between layers."""
        return int(self.net.config.hidden_size)

    @property
    def device(self) -> torch.device:
        """Where it computes."""
        return next(self.net.parameters()).device

    @cached_property
    def parameters(self) -> int:
        """Numbers that were trained."""
        return sum(parameter.numel() for parameter in self.net.parameters())

    @cached_property
    def bytes(self) -> int:
        """Memory that its weights take."""
        return sum(p.numel() * p.element_size() for p in self.net.parameters())

    @property
    def length(self) -> int | None:
        """Tokens that its config says it reads."""
        return self.config.reach

    @property
    def rotates(self) -> bool:
        """Whether positions enter by rotation in some layer."""
        return bool(self.config.rotary)

    @property
    def table_rows(self) -> int | None:
        """Rows of the table of positions that is added to embeddings; None where there is none."""
        if not self.family.word_positions:
            return None
        return int(operator.attrgetter(self.family.word_positions)(self.base).num_embeddings)

    def layer(self, index: int) -> Layer:
        """How a layer uses positions, by the model's config."""
        return self.config.layer_at(index)

    def tokens(self, text: str) -> Tokens:
        """A text in its tokens."""
        return self.vocabulary.cut(text)

    def logits(self, hidden: Tensor) -> Tensor:
        """Logits of every token of the vocabulary.

        Args:
            hidden: What the head reads, (batch, seq, width).

        Returns:
            (batch, seq, vocabulary).
        """
        if self.family.masked:
            return self.net.cls(hidden)
        logits = self.net.get_output_embeddings()(hidden)
        cap = getattr(self.net.config, "final_logit_softcapping", None)
        return logits if cap is None else torch.tanh(logits / cap) * cap


def open_model(
    found: Found,
    home: Home | None = None,
    device: torch.device | str = "cpu",
    progress: Progress = lambda part: None,
) -> Model:
    """Open a model: its weights in float32 on a device.

    A GGUF file is converted first, once. No code of the checkpoint is run.

    Args:
        found: What to open, of `models.files.find`.
        home: Where converted models are kept, and how much weights may take.
        device: Where it computes.
        progress: Gets the part that is done, 0 to 1.

    Raises:
        ValueError: If it cannot be opened, in a sentence.
    """
    home = home or Home.from_environment()
    folder = found.path
    start = 0.0
    if found.is_gguf:
        folder = converted(found.path, home, lambda part: progress(CONVERTING * part))
        start = CONVERTING
    progress(start)
    config = read_config(folder)
    check_size(folder.name, 4 * stored_parameters(folder), home.max_memory)
    vocabulary = Vocabulary.read(folder)
    progress((1 + start) / 2)
    net = _load(folder, config).to(device)
    model = Model(found.id, found.title, net, config, vocabulary)
    connect(net, model.family, model.layers, model.attentions)
    progress(1.0)
    return model


def read_config(folder: Path) -> RopeConfig:
    """Read config.json of a directory.

    Raises:
        ValueError: If there is none, or its family is not offered.
    """
    file = folder / "config.json"
    if not file.is_file() or file.stat().st_size > LONGEST_CONFIG:
        raise ValueError(f"{folder.name} has no config.json that can be read.")
    try:
        config = RopeConfig.from_hf(parse_config(file.read_text("utf-8")))
    except ValueError as error:
        raise ValueError(f"The config.json of {folder.name} cannot be read: {error}") from None
    if config.model_type not in FAMILIES:
        raise ValueError(
            f"{folder.name} is of the family {config.model_type!r:.80}, which cannot be opened "
            f"here. These can: {', '.join(FAMILIES)}."
        )
    return config


def stored_parameters(folder: Path) -> int:
    """Numbers in the safetensors of a directory, by their headers alone.

    Raises:
        ValueError: If there are none, or one is damaged.
    """
    from safetensors import safe_open

    files = sorted(folder.glob("*.safetensors"))
    if not files:
        raise ValueError(
            f"{folder.name} holds no *.safetensors. Other formats can run code when they are "
            "opened and are not read; save the model with save_pretrained to get one."
        )
    count = 0
    for file in files:
        try:
            with safe_open(file, framework="pt") as tensors:
                shapes = [tensors.get_slice(name).get_shape() for name in tensors.keys()]  # noqa: SIM118
        except Exception as error:  # safetensors raises its own type for a damaged file
            raise ValueError(f"{file.name} is not a safetensors file: {error!s:.200}") from None
        count += sum(map(math.prod, shapes))
    return count


def _load(folder: Path, config: RopeConfig) -> nn.Module:
    # Not from transformers itself, whose lazy names fail where two threads ask for them first.
    from transformers.models.auto.modeling_auto import AutoModelForCausalLM, AutoModelForMaskedLM
    from transformers.utils.logging import disable_progress_bar

    disable_progress_bar()
    family = FAMILIES[str(config.model_type)]
    kind: Any = AutoModelForMaskedLM if family.masked else AutoModelForCausalLM
    try:
        net = kind.from_pretrained(
            folder,
            dtype=torch.float32,
            use_safetensors=True,
            local_files_only=True,
            trust_remote_code=False,
            attn_implementation="eager",
        )
    except (OSError, KeyError, TypeError, ValueError, RuntimeError) as error:
        reason = (str(error).strip().splitlines() or [type(error).__name__])[0]
        raise ValueError(f"transformers cannot load {folder.name}: {reason:.200}") from None
    return net.eval().requires_grad_(False)
