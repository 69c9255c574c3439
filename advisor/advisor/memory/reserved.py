"""The key/value cache as engines reserve it: in blocks, groups and pools, for the longest text.

What the layers need is `cache_bytes`. An engine plans before it reads a text: it rounds up, gives
groups of layers equal blocks, and keeps more of a layer with a window than the window.
"""

import math
from bisect import bisect_right
from collections.abc import Callable
from dataclasses import dataclass, replace

from advisor.data import Config
from advisor.facts import TRIED
from advisor.memory.cache import split_heads
from advisor.memory.cards import COUNTS, MACHINE, Card, Fit, Split, room, split
from advisor.memory.planners import llama_cpp, sglang, transformers, vllm
from advisor.memory.planners.request import Layers, Request, layers_on_card
from posenc.checks import LONGEST
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


BY_LAYERS = ("llama_cpp", "transformers_5")
"""Engines that give each of several cards some of the layers (--split-mode layer, device_map);
the others give each a share of the heads."""
BY_STAGES = ("vllm",)
"""Engines that split by layers between machines (--pipeline-parallel-size), and by heads within;
the others by heads over all machines. Where heads cannot be divided, both take layers."""


@dataclass(frozen=True)
class Reserved:
    """Cache that one engine reserves.

    Attributes:
        planner: The engine.
        cache: Bytes on each card; None where they are not known.
        missing: Why they are not; "" where they are.
        compared: Whether the engine's own planner says so for the family, within 0.1%.
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
    answers = []
    for planner in PLANNERS:
        compared = request.config.model_type in TRIED[planner.engine].planned
        try:
            answers.append(Reserved(planner, _on_each(planner, request), compared=compared))
        except ValueError as error:
            answers.append(Reserved(planner, None, missing=str(error)))
    return tuple(answers)


def _on_each(planner: Planner, request: Request) -> int:
    """Bytes that an engine reserves on each of the cards.

    Raises:
        ValueError: If they are not known.
    """
    if planner.engine not in BY_LAYERS:
        lies = split_in(planner.engine, request.config, request.cards)
        within = replace(request, cards=lies.tensor)
        on_card = planner.plan(within, layers_on_card(within.config, within.cards))
        return math.ceil(on_card / lies.stages)
    whole = planner.plan(replace(request, cards=1), layers_on_card(request.config, 1))
    return math.ceil(whole / request.cards)


def split_in(engine: str, config: Config, cards: int) -> Split:
    """The split of a model over several cards in an engine.

    Raises:
        ValueError: If the model's type is not known, or the file lacks a width or count.
    """
    if engine in BY_LAYERS:
        return Split(1, cards)
    together = MACHINE if engine in BY_STAGES else cards
    return split(cards, *split_heads(config), together)


def cards_for(planner: Planner, request: Request, weights: int, card: Card) -> Fit:
    """How many of a card hold the weights and what an engine reserves beside them.

    Args:
        planner: One of `PLANNERS`.
        request: The texts; its number of cards is not looked at.
        weights: Bytes.
        card: The card.

    Raises:
        ValueError: If it is not known what the engine reserves.
    """
    # Those that split by layers alone do so within one machine.
    for count in COUNTS[: COUNTS.index(MACHINE) + 1 if planner.engine in BY_LAYERS else None]:
        cache = _on_each(planner, replace(request, cards=count))
        lies = split_in(planner.engine, request.config, count)
        fit = Fit(card, count, math.ceil(weights / count), cache, lies)
        if fit.left >= 0:
            break
    return fit


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
    left = room(card) - math.ceil(weights / cards)
    lengths = range(1, LONGEST + 1)
    found = {}
    for planner in PLANNERS:
        try:
            found[str(planner.title)] = bisect_right(
                lengths,
                left,
                key=lambda length: _on_each(planner, replace(request, length=length)),
            )
        except ValueError:  # the engine's plan is not known
            continue
    return found
