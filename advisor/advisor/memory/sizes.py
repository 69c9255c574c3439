"""Widths and counts of a model: what its file says, else the default of its class."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from advisor.data import Config
from advisor.families.all import OTHER_NAMES
from advisor.families.family import MOST_LAYERS
from advisor.fields import Fields, required
from advisor.tables import table
from posenc.checks import shortened

WIDEST = 10**8  # above any vocabulary; keeps products small enough to print
NAMES: dict[str, tuple[str, ...]] = {
    "num_hidden_layers": ("num_layers", "n_layer", "n_layers", "num_decoder_layers"),
    "hidden_size": ("n_embd", "d_model", "model_dim"),
    "num_attention_heads": ("n_head", "n_heads", "num_heads", "decoder_attention_heads"),
    "num_key_value_heads": ("num_kv_heads", "n_head_kv", "multi_query_group_num"),
    "head_dim": ("kv_channels", "d_kv", "attention_head_dim"),
    "intermediate_size": ("n_inner", "ffn_dim", "ffn_hidden_size", "d_ff", "decoder_ffn_dim"),
    "vocab_size": ("padded_vocab_size",),
    "max_position_embeddings": ("n_positions", "n_ctx", "max_target_positions"),
    "first_k_dense_replace": ("moe_layer_start_index",),
    "num_experts": ("num_local_experts", "n_routed_experts", "moe_num_experts"),
    "num_experts_per_tok": ("num_experts_per_token", "moe_topk", "moe_k", "top_k_experts"),
    "n_shared_experts": ("num_shared_experts", "moe_num_shared_experts"),
    "shared_intermediate_size": (
        *("shared_expert_intermediate_size", "moe_shared_expert_intermediate_size"),
    ),
}
"""Other names of a field, beside those of the family."""
ALIKE = {
    "chatglm": "glm",
    "exaone": "llama",
    "internlm2": "llama",
    "minicpm": "llama",
}
"""Types whose code comes with their weights, and what they are built like."""
ENCODERS = (
    *("albert", "bert", "big_bird", "camembert", "convbert", "data2vec-text", "deberta"),
    *("deberta-v2", "distilbert", "electra", "ernie", "esm", "esmc", "eurobert", "flaubert"),
    *("fnet", "funnel", "gte", "ibert", "jina_embeddings_v3", "layoutlm", "longformer", "luke"),
    *("megatron-bert", "mobilebert", "modernbert", "mpnet", "mra", "neomme", "nomic_bert"),
    *("nystromformer", "perceiver", "rembert", "roberta", "roberta-prelayernorm", "roc_bert"),
    *("roformer", "squeezebert", "tapas", "ultrabert", "xlm", "xlm-roberta", "xlm-roberta-xl"),
    *("xmod", "yoso"),
)
"""Types that read a whole text at once, unless their file says is_decoder."""


@cache
def class_defaults() -> Mapping[str, Mapping[str, Any]]:
    """Defaults of the classes of transformers 5.23, by `model_type`, under the common names.

    Only types whose cache was compared with that of transformers are among them; `weights` says
    whether the number of weights agreed as well. See tests/parity/test_memory.py.
    """
    return dict(table("memory/defaults.json"))


@dataclass(frozen=True)
class Sizes:
    """Whole numbers and flags of a model's text part.

    Args:
        model_type: Of the text part.
        text: Its fields in the file.
        defaults: What the class fills in.
    """

    model_type: str
    text: Fields
    defaults: Mapping[str, Any]

    @classmethod
    def of(cls, config: Config) -> "Sizes":
        """Read a configuration.

        Raises:
            ValueError: If nothing is known of the model's type.
        """
        given = OTHER_NAMES.get(config.read_as, ALIKE.get(config.read_as, config.read_as))
        known = class_defaults()
        for name in (given, f"{given}_text", given.removesuffix("_text")):
            if name in known:
                return cls(name, config.text, known[name])
        if given in ENCODERS and not config.text.flag("is_decoder"):
            raise ValueError(
                f"{given} is an encoder: it reads the whole text at once and keeps no key/value "
                "cache."
            )
        raise ValueError(
            f"What a model of the type {shortened(given) or '?'} keeps in memory is not known here."
        )

    def whole(self, name: str, minimum: int = 1, maximum: int = WIDEST) -> int | None:
        """A whole number; None where file and class leave it out, or the file says null.

        Raises:
            ValueError: If it is something else, or out of range; the message names the field.
        """
        own = self._given(name)
        if own is None:
            return self.defaults.get(name)
        fields = Fields(self.text.values, where=self.text.where)
        # -1 stands for "none" in some files (Phi's window, Jamba's list).
        return None if fields.get(own) in (None, -1) else fields.integer(own, minimum, maximum)

    def need(self, name: str, maximum: int = WIDEST) -> int:
        """As `whole`, and it must be there."""
        value = self.whole(name, maximum=maximum)
        return required(value, self.text.where + (self._given(name) or name))

    def indices(self, name: str) -> frozenset[int]:
        """The whole numbers in a list; none where there is no such list."""
        value = self.value(name)
        short = isinstance(value, list) and len(value) <= MOST_LAYERS
        return frozenset(one for one in value if isinstance(one, int)) if short else frozenset()

    def flag(self, name: str) -> bool:
        """A switch; false where nobody says."""
        own = self._given(name)
        return bool(self.defaults.get(name) if own is None else self.text.values[own])

    def value(self, name: str) -> Any:
        """A value as it stands, not checked."""
        own = self._given(name)
        return self.defaults.get(name) if own is None else self.text.values[own]

    def _given(self, name: str) -> str | None:
        """The name under which the file has it."""
        names = (name, self.text.own_name(name), *NAMES.get(name, ()))
        return next((one for one in names if one in self.text.values), None)
