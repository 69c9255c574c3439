"""Numbers of the last chapter that its picture does not know."""

from collections.abc import Callable

from posenc.config.evidence import LENGTHS, evidence_for
from posenc.config.known_models import known_models
from posenc.config.layers import RopeLayer
from posenc.config.rope import RopeConfig

QWEN = "Qwen3-8B"
LLAMA = "Llama-3.1-8B"
LONG = 131_072


def _score(name: str, length: int) -> float:
    """Score of a model in RULER, percent."""
    (one,) = [each for each in evidence_for(name) if each.kind == "ruler"]
    return one.scores[LENGTHS.index(length)]


def _configs() -> list[bool]:
    """Whether any layer rotates, of each released model that is known here."""
    configs = [RopeConfig.from_hf(one.config) for one in known_models().values()]
    return [any(isinstance(one, RopeLayer) for one in it.layers.values()) for it in configs]


CHOOSING: dict[str, Callable[[], int | float]] = {
    "qwen3_32k": lambda: _score(QWEN, 32_768),
    "qwen3_128k": lambda: _score(QWEN, LONG),
    "llama31_32k": lambda: _score(LLAMA, 32_768),
    "llama31_128k": lambda: _score(LLAMA, LONG),
    "rows_of_long": lambda: LONG,
    "table_of_long": lambda: LONG * 4096 / 1e6,
    "known_models": lambda: len(_configs()),
    "known_rotating": lambda: sum(_configs()),
    "bert_rows": lambda: int(known_models()["BERT-base"].config["max_position_embeddings"]),
}
"""Name to what computes it."""
