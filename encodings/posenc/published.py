"""Trained positions of other libraries: the names and shapes under which they were published."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import torch
from torch import Tensor

from posenc.checks import check_tensors
from posenc.cope.formula import CoPE
from posenc.fire.formula import FIRE
from posenc.kerple.formula import Kerple
from posenc.learned.formula import Learned
from posenc.places import PositionalEncoding, check_encoding
from posenc.t5.formula import T5Bias
from posenc.transformer_xl.formula import TransformerXL


def _as_it_is(published: Tensor, own: Tensor) -> Tensor:
    return published


def _reshaped(published: Tensor, own: Tensor) -> Tensor:
    return published.reshape(own.shape) if published.numel() == own.numel() else published


def _width_first(published: Tensor, own: Tensor) -> Tensor:
    return published.movedim(0, -1)


@dataclass(frozen=True)
class PublishedName:
    """A parameter of another library, and how it becomes ours."""

    name: str
    """The end of its name in a state_dict."""
    own: str
    """The parameter here."""
    change: Callable[[Tensor, Tensor], Tensor] = _as_it_is
    """From the published tensor and our parameter to a tensor of our shape."""


PUBLISHED: dict[type[PositionalEncoding], tuple[PublishedName, ...]] = {
    # transformers: T5, mT5, UMT5, LongT5; x-transformers: RelativePositionBias.
    T5Bias: (PublishedName("relative_attention_bias.weight", "table"),),
    Learned: (
        PublishedName("position_embeddings.weight", "table"),  # BERT, RoBERTa
        PublishedName("wpe.weight", "table"),  # GPT-2
        PublishedName("embed_positions.weight", "table"),  # OPT, BART
        PublishedName("position_embedding.weight", "table"),  # CLIP
    ),
    TransformerXL: (
        PublishedName("r_w_bias", "content_bias"),
        PublishedName("r_r_bias", "position_bias"),
        PublishedName("r_net.weight", "projection", _reshaped),  # kimiyoung/transformer-xl
        PublishedName("rel_attn.r", "projection", _width_first),  # transformers: XLNet
    ),
    CoPE: (PublishedName("pos_emb", "embedding", _reshaped),),  # the paper's listing
    # chijames/KERPLE: ParallelKerpleLog and ParallelKerplePower, (heads, 1, 1) each.
    Kerple: (PublishedName("bias_p", "r1", _reshaped), PublishedName("bias_a", "r2", _reshaped)),
    FIRE: (  # the paper's listing, appendix A.1
        PublishedName("mlp.0.weight", "mlp.0.weight"),
        PublishedName("mlp.0.bias", "mlp.0.bias"),
        PublishedName("mlp.2.weight", "mlp.2.weight"),
        PublishedName("mlp.2.bias", "mlp.2.bias"),
        PublishedName("c", "c", _reshaped),
        PublishedName("L_multiplier", "threshold_factor", _reshaped),
    ),
}


def load_published(
    encoding: PositionalEncoding, state: Mapping[str, Tensor], prefix: str = ""
) -> None:
    """Fill an encoding's parameters from a published state_dict, by the names that stand there.

    Args:
        encoding: An encoding with trained parameters; all of them are filled, or none.
        state: Tensors by name.
        prefix: Only names that begin with this count: one layer of many.

    Raises:
        ValueError: If no name, or more than one, ends as it must; if shapes differ; or if nothing
            is known of the encoding's published names.

    Source: the libraries that `PUBLISHED` names.
    """
    kind = type(check_encoding(encoding))
    if not isinstance(state, Mapping):
        raise ValueError(f"state must be tensors by name, got {type(state).__name__}.")
    if not isinstance(prefix, str):
        raise ValueError(f"prefix must be a text, got {type(prefix).__name__}.")
    own = dict(encoding.named_parameters())
    if kind not in PUBLISHED or not own:
        raise ValueError(f"encoding must have published names, and {kind.__name__} has none.")
    found: dict[str, Tensor] = {}
    for name, parameter in own.items():
        published = [each for each in PUBLISHED[kind] if each.own == name]
        keys = {
            key: each
            for each in published
            for key in state
            if key.startswith(prefix) and f".{key}".endswith(f".{each.name}")
        }
        ends = " or ".join(each.name for each in published)
        if len(keys) != 1:
            listed = ", ".join(sorted(keys)[:4]) or "none"
            after = f" after {prefix!r}" if prefix else ""
            raise ValueError(f"state must have one name that ends in {ends}{after}, got {listed}.")
        ((key, each),) = keys.items()
        check_tensors(state=state[key])
        changed = each.change(state[key], parameter)
        if changed.shape != parameter.shape:
            raise ValueError(
                f"state must have {key} for a {name} of shape {tuple(parameter.shape)}, got "
                f"{tuple(state[key].shape)}."
            )
        found[name] = changed
    with torch.no_grad():
        for name, tensor in found.items():
            own[name].copy_(tensor)
