"""The key/value cache as engines reserve it: in blocks, groups and pools, for the longest text.

What the layers need is `cache_bytes`. An engine plans before it reads a text: it rounds up, gives
groups of layers equal blocks, and keeps more of a layer with a window than the window.
"""

import math
from bisect import bisect_right
from collections.abc import Callable
from dataclasses import dataclass, replace

from posenc.config.data import Config
from posenc.config.facts import TRIED
from posenc.config.fields import LONGEST
from posenc.config.memory.cards import Card, room
from posenc.config.memory.planners import llama_cpp, sglang, transformers, vllm
from posenc.config.memory.planners.request import Layers, Request, layers_on_card
from posenc.words import Sentence, say


@dataclass(frozen=True)
class Planner:
    """An engine's plan.

    Attributes:
        engine: Id of the engine.
        title: Its name, and how it is started.
        plan: Bytes on each card. Raises ValueError where they are not known.
    """

    engine: str
    title: Sentence
    plan: Callable[[Request, Layers], int]


PLANNERS = (
    Planner("vllm", say("vLLM"), vllm.plan),
    Planner("sglang", say("SGLang"), sglang.plan),
    Planner("llama_cpp", say("llama.cpp"), llama_cpp.plan),
    Planner("llama_cpp", say("llama.cpp --swa-full"), llama_cpp.plan_swa_full),
    Planner("transformers_5", say("transformers"), transformers.plan),
)
"""Every engine whose plan is known, those that most people use first."""


@dataclass(frozen=True)
class Reserved:
    """Cache that one engine reserves.

    Attributes:
        planner: The engine.
        cache: Bytes on each card; None where they are not known.
        missing: Why they are not; "" where they are.
        compared: Whether the engine's own planner says so for the family, within 0.1 %.
    """

    planner: Planner
    cache: int | None
    missing: str = ""
    compared: bool = False


def reserved(request: Request) -> tuple[Reserved, ...]:
    """Cache that each of `PLANNERS` reserves.

    Raises:
        ValueError: If the model's type is not known, or the file lacks a width or count.
    """
    layers = layers_on_card(request.config, request.cards)
    answers = []
    for planner in PLANNERS:
        compared = request.config.model_type in TRIED[planner.engine].planned
        try:
            answers.append(Reserved(planner, planner.plan(request, layers), compared=compared))
        except ValueError as error:
            answers.append(Reserved(planner, None, missing=str(error)))
    return tuple(answers)


def longest(
    config: Config,
    weights: int,
    card: Card,
    cards: int = 1,
    kind: str = "bfloat16",
    batch: int = 1,
) -> dict[str, int]:
    """The longest text that an engine has room for on a card, beside so many bytes of weights.

    The other arguments and the errors are those of `Request` and `reserved`.

    Returns:
        Tokens, at most `LONGEST`, by the title of each of `PLANNERS` that knows; 0 where nothing
        fits.
    """
    request = Request(config, LONGEST, kind, batch, vllm.tokens_in_flight(card), cards)
    layers = layers_on_card(config, cards)
    left = room(card) - math.ceil(weights / cards)
    lengths = range(1, LONGEST + 1)
    found = {}
    for planner in PLANNERS:
        try:
            found[str(planner.title)] = bisect_right(
                lengths,
                left,
                key=lambda length: planner.plan(replace(request, length=length), layers),
            )
        except ValueError:  # the engine's plan is not known
            continue
    return found
