"""Findings about indexers: a second rotation in layers that choose which keys they look at."""

from collections.abc import Iterator, Mapping

from advisor.data import Config
from advisor.facts import TRANSFORMERS
from advisor.families.all import name_of
from advisor.findings.finding import Told, judge
from posenc.words import Sentence, say

_ALIKE = say("channels are paired as in the attention")
_HALF = say("channels are paired (i, i + d/2), where the attention pairs (2i, 2i+1)")
_LAST = say("channels are paired as in the attention, but the last ones of a head turn")
_BLOCKS = say("queries turn, and one key for each block of the text, paired as in the attention")
_COMPRESSED = say("queries and compressed keys turn by the base of the compressed layers")
INDEXERS: Mapping[str, Sentence] = {
    "deepseek_v32": _HALF,
    "axk2": _HALF,
    "glm_moe_dsa": _ALIKE,
    "dots3_note_text": _ALIKE,
    "minimax_m3_vl_text": _ALIKE,
    "hy_v4": _LAST,
    "qwen4_exp_text": _BLOCKS,
    "deepseek_v4": _COMPRESSED,
}
"""How the indexer turns, by family. Source: transformers 5.23, the indexers' forward."""


@judge("info")
def second_rotation(config: Config) -> Iterator[Told]:
    """An indexer turns queries and keys of its own."""
    how = INDEXERS.get(name_of(config.read_as))
    if how is None or not config.rotary:
        return
    yield Told(
        ("model_type",),
        say(
            "A second rotation stands in the indexer, which chooses the keys that a query looks "
            "at: in {transformers} its {how}. An engine that turns it otherwise chooses other "
            "keys, without an error.",
            transformers=TRANSFORMERS,
            how=how,
        ),
    )
