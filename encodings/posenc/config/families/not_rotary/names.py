"""Names of fields and tables of model types that families without rotation share."""

from typing import Any

from posenc.config.families.family import Encoding, Family, called

DECODER = called(hidden="d_model", heads="decoder_attention_heads", layers="decoder_layers")
"""Encoder-decoders as BART has them: what writes text is the decoder."""


def families(words: str, encoding: Encoding, **more: Any) -> dict[str, Family]:
    """The model types of a list in words, which have all but their name in common.

    Args:
        words: Model types with spaces between.
        encoding: How positions enter.
        more: Other arguments of `Family`.
    """
    return dict.fromkeys(words.split(), Family(encoding=encoding, **more))
