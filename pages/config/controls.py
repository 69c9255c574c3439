"""The controls of the Scaling studio."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import streamlit as st

from advisor import RopeConfig, known_models
from advisor.choosing.lengths import TrainedLengths
from advisor.comparing.layer import RopeLayer
from advisor.comparing.task import Task
from advisor.layers import OtherLayer
from pages.config.comparison import Vectors
from posenc.scaling.methods import METHODS
from posenc.words import say
from ui import controls
from ui.charts.methods import listed, title
from ui.controls.model_config import TARGET, Model, plain
from ui.words import _

NAMES = {
    *("model", "target", "target_length", "config_json", "engine", "extension", "view"),
    *("read_as", "layer_type", "methods", "trained_with", "trained_length", "factor", "alpha"),
    *("window", "vectors", "seed", "query", "key"),
}
"""Names of the controls, of which a file needs some."""
PRESETS: controls.Presets = {
    "llama-3.1": ("Llama-3.1-8B", {"model": "Llama-3.1-8B", "target_length": ""}),
    "llama-2-32k": (say("Llama-2-7B to 32k"), {"model": "Llama-2-7B", "target_length": "32768"}),
    "qwen3-128k": (say("Qwen3-8B to 128k"), {"model": "Qwen3-8B", "target_length": "131072"}),
    "phi-3": ("Phi-3-mini-128k", {"model": "Phi-3-mini-128k", "target_length": ""}),
    "deepseek-v3": ("DeepSeek-V3", {"model": "DeepSeek-V3", "target_length": ""}),
    "gemma-3": ("Gemma-3-12B", {"model": "Gemma-3-12B", "target_length": ""}),
    "bloom": ("BLOOM-176B", {"model": "BLOOM-176B", "target_length": ""}),
}
PICTURES = {
    "wavelengths": say("Wavelengths"),
    "angles": say("Angles"),
    "resolution": say("Resolution"),
    "scores": say("Scores"),
    "short_prompts": say("Short prompts"),
    "ledger": say("Ledger"),
}
TRAINED_WITH = {
    "known": say("as far as known"),
    "unscaled": say("no scaling"),
    "file": say("the file's scaling"),
}
VECTORS = {"alike": say("alike"), "independent": say("independent"), "typed": say("typed")}
START = ("declared", "none", "yarn")
NOT_READ = "none"


@dataclass(frozen=True)
class Curves:
    """A reader's settings for rotary layers: those of the task, and the vectors to score."""

    trained_with: str
    numbers: Mapping[str, Any]
    vectors: Vectors

    def task(self, model: Model, layer: RopeLayer, target: int, lengths: TrainedLengths) -> Task:
        """The task for a layer; what is not set follows from what is known of its training.

        Raises:
            ValueError: If a length is missing or does not suit.
        """
        as_in_file = self.trained_with == "file" or (
            self.trained_with == "known" and lengths.with_own is True
        )
        numbers = {**self.numbers, "trained": self.numbers["trained"] or lengths.before or 0}
        return Task.of(layer, target, as_in_file, model.config.dual_chunk, **numbers)


def choose_family() -> str:
    """Draw the families as which a file of an unknown model may be read; "" for none."""
    configs = [RopeConfig.from_hf(model.config) for model in known_models().values()]
    families = sorted({config.read_as for config in configs if config.rotary})
    chosen = controls.choice(
        "read_as",
        _("Read as"),
        {NOT_READ: _("no known model"), **{one: one for one in families}},
        NOT_READ,
        help=_(
            "The model type is not known here. If the model is built like a known one, its "
            "file can be read as that; every result then says so."
        ),
    )
    return "" if chosen == NOT_READ else chosen


def choose_target() -> int:
    """Draw the target length; 0 is what the file declares."""
    return controls.tokens(
        TARGET,
        _("Target length L"),
        none=_("as declared"),
        help=_(
            "Tokens that the model is to read, L in the formula: 131072, or 64k and 128k, where "
            "k is 1,024. An empty field is the length that the file declares."
        ),
    )


def choose_layer_type(config: RopeConfig) -> str:
    """The kind of layer to look at; those that see everything first."""
    types = sorted(config.layers, key=lambda name: name in ("sliding_attention", "nope"))
    if len(types) == 1:
        return types[0]
    return controls.choice(
        "layer_type",
        _("Layers"),
        {name: plain(name) for name in types},
        help=_("This model's layers differ; each kind has its own frequencies."),
    )


def target_of(layer: RopeLayer | OtherLayer, asked: int) -> int:
    """The target length in tokens: as asked, or the length that the model declares.

    Raises:
        ValueError: If there is neither.
    """
    if isinstance(layer, OtherLayer):
        return asked or layer.max_length or 2 * 512
    length = asked or layer.target_length
    if not length:
        raise ValueError(say("max_position_embeddings is not in the file: set a target length."))
    return length


def choose_methods() -> list[str]:
    """Draw the list of methods; ids."""
    return controls.choices(
        "methods",
        _("Compared with"),
        {name: listed(name) for name in METHODS},
        START,
        help=_(
            "Each is set up for this file and target; {declared} is what the file says.",
            declared=title("declared"),
        ),
    )


def choose_curves() -> Curves:
    """Draw what rotary layers are asked."""
    trained_with = controls.choice(
        "trained_with",
        _("Training has shown"),
        TRAINED_WITH,
        help=_(
            "Angles up to L₀ without scaling; or, where training was continued with the file's "
            "scaling (Llama 3.1, DeepSeek), those up to the declared length. The makers' "
            "word counts unless you say otherwise."
        ),
    )
    with st.expander(_("Parameters of the curves")):
        return Curves(trained_with, _numbers(), _vectors())


def _numbers() -> dict[str, Any]:
    """Draw the parameters that are worked out from the lengths unless they are set."""
    return {
        "trained": controls.number(
            "trained_length",
            _("Trained length L₀ (0: from the file)"),
            0,
            0,
            10**12,
            step=1024,
            help=_(
                "Tokens of a text in the training without scaling: "
                "`original_max_position_embeddings`, else `max_position_embeddings`."
            ),
        ),
        "factor": controls.number(
            "factor",
            _("Factor k (0: L / L₀)"),
            0.0,
            0.0,
            1e6,
            step=1.0,
            help=_(
                "k of linear, NTK, by-parts, YaRN and Llama-3; L / L₀ covers the target with "
                "most of them. At least 1."
            ),
        ),
        "alpha": controls.number(
            "alpha",
            "α",
            2.0,
            1.0,
            64.0,
            step=0.5,
            help=_("Of NTK alpha and dynamic NTK; the factor of dynamic scaling in a file."),
        ),
        "window": controls.number(
            "window",
            _("Window w (0: L₀ / 4)"),
            0,
            0,
            10**12,
            step=256,
            help=_("Of Self-Extend, ReRoPE and Leaky ReRoPE: nearer distances stay as they are."),
        ),
    }


def _vectors() -> Vectors:
    """Draw the controls of query and key."""
    repeated = _("Commas between the numbers; they are repeated until the head is full.")
    return Vectors(
        controls.choice(
            "vectors",
            _("q and k of Scores"),
            VECTORS,
            help=_("Random ones: 64 draws of standard normal numbers; alike means k = q."),
        ),
        controls.number("seed", _("Seed"), 0, 0, 2**31 - 1, help=_("Of the random q and k.")),
        controls.vector("query", _("Query q"), "1, 2, 3, 4", help=repeated),
        controls.vector("key", _("Key k"), "4, 3, 2, 1", help=repeated),
    )
