"""The top of the studio: what to do, how sure that is and why, and what the length costs."""

from dataclasses import dataclass, replace

import pandas as pd
import streamlit as st

from advisor.choosing.choice import Choice, sure_words
from advisor.choosing.take import METHODS_TO_TAKE
from advisor.comparing.outcome import Outcome, outcome
from advisor.comparing.task import Task
from advisor.decision import Decision, decide, in_unit
from advisor.engines.all import ENGINES
from advisor.facts import TRIED
from advisor.memory.cache import CACHE_BITS
from advisor.memory.cards import CARDS, KEPT, MACHINE, Card, Fit
from advisor.memory.needs import Needs
from advisor.memory.planners.request import Request
from advisor.memory.planners.vllm import tokens_in_flight
from advisor.memory.reserved import Planner, cards_for, longest, reserved
from advisor.memory.stored import AS_STORED
from advisor.memory.weights import WEIGHT_BITS
from advisor.rope import RopeConfig
from posenc.rope.scaling import Scaling
from posenc.scaling.methods import METHODS
from posenc.words import say
from ui import controls, screen
from ui.charts.methods import listed
from ui.controls.model_config import plain
from ui.words import _, number, rounded, translate

ADVISED, AS_IT_IS = "advised", "file"
CARD = "h100"
SPEED = 400 * 10**12
"""Operations in a second, assumed, to say roughly how long a prompt is read."""
CARD_NAMES = {card.name.lower().replace(" ", "_"): card for card in CARDS}
MEMORY = say("Memory")
TAKEN = say("Your choice.")


@dataclass(frozen=True, kw_only=True)
class Memory:
    """Settings of the cost besides the file and the length."""

    cache_kind: str = controls.entry(
        controls.choice,
        say("KV cache type"),
        list(CACHE_BITS),
        "bfloat16",
        help=say(
            "Type of the numbers in the key/value cache; `q8_0` and `q4_0` are those of llama.cpp."
        ),
        under=MEMORY,
    )
    weight_kind: str = controls.entry(
        controls.choice,
        say("Weight type"),
        {AS_STORED: say("as in the file"), **{kind: kind for kind in WEIGHT_BITS}},
        AS_STORED,
        help=say(
            "Type of the weights. By default what the file's quantization_config says, else its "
            "own type. `int4` with a scale for each 128, `q4_k_m` as llama.cpp mixes it."
        ),
        under=MEMORY,
    )
    batch: int = controls.entry(
        controls.number,
        say("Concurrent requests"),
        1,
        1,
        10**6,
        help=say("Texts that are read at once; each has a cache of the target length."),
        under=MEMORY,
    )
    card: str = controls.entry(
        controls.choice,
        say("GPU"),
        {name: card.name for name, card in CARD_NAMES.items()},
        CARD,
        help=say("It has to hold weights and cache."),
        under=MEMORY,
    )


def choose_method() -> str:
    """Draw the one choice of a method; "" for the advice."""
    chosen = controls.choice(
        "extension",
        _("Method"),
        {
            ADVISED: _("as advised"),
            AS_IT_IS: _("the file as it is"),
            **{name: listed(name) for name in METHODS_TO_TAKE if name != "declared"},
        },
        ADVISED,
        help=_(
            "What sentence, settings and curves are about. The advice is the smallest change "
            "with which the model reads the target length."
        ),
    )
    return {ADVISED: "", AS_IT_IS: "declared"}.get(chosen, chosen)


def decision_of(config: RopeConfig, target: int, method: str, memory: Memory) -> Decision:
    """The decision for the target; the advice, and a sentence, where the method cannot be had."""
    request = (config, target or None, memory.cache_kind, memory.weight_kind, memory.batch)
    try:
        decision = decide(*request, method)
    except ValueError as error:
        if not method:
            raise
        said = _("What follows is about the method that is advised.")
        st.error(f"{plain(translate(error))} {said}")
        decision = decide(*request)
    return _on_card(decision, config, CARD_NAMES[memory.card])


def _on_card(decision: Decision, config: RopeConfig, card: Card) -> Decision:
    """The decision with what engines reserve on the chosen card."""
    cost = decision.needs
    if cost is None:
        return decision
    config = decision.choice.config or config
    request = _request(config, cost, card)
    return replace(decision, needs=replace(cost, reserved=reserved(request)))


def show_decision(decision: Decision) -> None:
    """Sentence and sureness."""
    choice = decision.choice
    sentence = plain(translate(decision.sentence))
    if choice.verdict == "unknown":
        reasons = " ".join(plain(translate(one.text)) for one in choice.reasons)
        st.warning(f"**{sentence}** {reasons}")
        return
    st.header(sentence, anchor=False)
    codes = {one.code for one in choice.reasons}
    words = sure_words(choice.sureness, choice.known is not None, codes)
    sure = translate(TAKEN if choice.verdict == "taken" else words)
    st.markdown(f"**{sure}**")


def show_reasons(decision: Decision) -> None:
    """Why that is the decision, and its lengths."""
    choice = decision.choice
    if choice.verdict == "unknown":  # they stand in the sentence
        return
    st.markdown(" ".join(plain(translate(one.text)) for one in choice.reasons))
    _show_numbers(decision)


def show_price(config: RopeConfig, decision: Decision, memory: Memory, engine: str) -> None:
    """Memory and time, as the chosen engine has them."""
    choice = decision.choice
    if choice.verdict == "unknown":
        return
    if decision.needs is None:
        if decision.missing:
            st.caption(plain(translate(decision.missing)))
        return
    _show_cost(choice.config or config, decision.needs, memory.card, engine)
    detail = st.expander(_("Memory in detail"), key="memory_detail", on_change="rerun")
    if detail.open:
        with detail:
            _show_memory(choice.config or config, decision.needs, memory.card)


def _show_numbers(decision: Decision) -> None:
    """The lengths, the factor and the sizes."""
    lengths = decision.choice.lengths
    factor = decision.choice.factor
    values = {}
    if lengths is not None and lengths.before is not None:
        values[_("trained length L₀")] = number(lengths.before)
    if lengths is not None and lengths.own is not None:
        values[_("with the file's scaling")] = number(lengths.own)
    if decision.target:
        values[_("target length L")] = number(decision.target)
    if factor is not None:
        is_own = decision.choice.verdict == "reaches"
        values[_("factor in the file") if is_own else _("factor k")] = rounded(factor)
    if decision.needs is not None:
        values[_("cache")] = size(decision.needs.cache)
        if decision.needs.weight_bytes is not None:
            values[_("weights")] = size(decision.needs.weight_bytes)
    screen.readouts(
        values,
        help={
            _("trained length L₀"): _("Tokens of a text in the training without scaling."),
            _("with the file's scaling"): _(
                "Tokens that the scaling in the file reaches. The reasons above say whether the "
                "makers extended the model with it."
            ),
            _("cache"): _("Keys and values of all concurrent requests at the target length."),
        },
    )


def _planner(cost: Needs, engine: str) -> Planner | None:
    """How an engine plans its cache; None where that is not known."""
    runs = TRIED[engine].runs or engine
    known = (one.planner for one in cost.reserved if one.cache is not None)
    return next((planner for planner in known if planner.engine == runs), None)


def _request(config: RopeConfig, cost: Needs, card: Card) -> Request:
    """The texts that an engine plans for on a card."""
    return Request(config, cost.length, cost.cache_kind, cost.batch, tokens_in_flight(card))


def _show_cost(config: RopeConfig, cost: Needs, card: str, engine: str) -> None:
    """How many of the chosen card hold it in the chosen engine, in a sentence."""
    fit = next((one for one in cost.cards if one.card == CARD_NAMES[card]), None)
    words = plain(translate(cost.missing)) if fit is None else _fit_words(fit)
    theirs = _planner(cost, engine)
    if fit is not None and theirs is not None:
        request = _request(config, cost, fit.card)
        needed = cards_for(theirs, request, cost.weight_bytes or 0, fit.card)
        words = _engine_words(needed, fit, translate(theirs.title))
        words = f"{words} {_each_words(needed, engine)}"
    elif fit is not None:
        words = f"{words} {_each_words(fit, engine)}"
    if cost.stored is not None and cost.weights_assumed:
        words = f"{words} {translate(cost.stored.sentence)}"
    if cost.kept is not None:
        words = f"{words} {translate(cost.kept)}"
    if cost.operations is not None:
        matrices, attention = cost.operations
        work = _(
            "Reading a prompt of that length takes {total}, {share:.0%} of them in attention: "
            "about {seconds} s at {speed:,.0f} TFLOP/s, which is assumed (40% of an H100's "
            "bfloat16 peak).",
            total=operations(matrices + attention),
            share=attention / (matrices + attention),
            seconds=rounded((matrices + attention) / SPEED, 2),
            speed=SPEED / 10**12,
        )
        words = f"{words} {work}"
    st.markdown(words)


def _show_memory(config: RopeConfig, cost: Needs, card: str) -> None:
    """Show the layers' caches, the memory that engines reserve for them, and the cards that fit."""
    told = [one.sentence for one in cost.layers]
    if cost.stored is not None:
        told.append(cost.stored.sentence)
    st.markdown("\n".join(f"- {plain(translate(one))}" for one in told))
    st.dataframe(_all_engines(config, cost, CARD_NAMES[card]), hide_index=True)
    st.caption(
        _(
            "Before it reads a text, an engine reserves for the longest: vLLM in blocks, with the "
            "tokens in flight of that GPU; SGLang in pools; llama.cpp in steps of 256. Where their "
            "own planners were asked about this family (vLLM {vllm}, SGLang {sglang}, with an fp8 "
            "cache, two GPUs and four requests too; llama.cpp with 16 bits, for Llama, Qwen3 and "
            "Gemma 3 with q8_0, q4_0 and four requests too; transformers' cache), they said the "
            "same to within 0.1%; the other numbers are made from their source. The longest text "
            "is the one for which the reserved cache fits beside the weights.",
            vllm=TRIED["vllm"].version,
            sglang=TRIED["sglang"].version,
        )
    )
    if cost.cards:
        st.dataframe(_all_cards(cost.cards), hide_index=True)
    st.caption(
        _(
            "Weights and cache alone are counted; {kept:.0%} of each GPU is left for "
            "activations and the engine. Norms and biases (below a percent), towers for "
            "pictures and sound, and what cross-attention keeps are not counted. Memory of the "
            "GPUs: looked up in November 2026, not in the makers' own data sheets.",
            kept=KEPT,
        )
    )


def _engine_words(needed: Fit, ideal: Fit, engine: str) -> str:
    """How many cards hold what an engine reserves, and how many what the layers need."""
    told = {
        "count": needed.tried,
        "card": needed.card.name,
        "left": size(abs(needed.left)),
        "engine": engine,
    }
    if needed.cards is None:
        words = _(
            "**{count} × {card} do not hold weights and cache in {engine}:** {left} too little on "
            "each.",
            **told,
        )
    elif needed.cards == 1:
        words = _(
            "**One {card} holds weights and cache in {engine}**, with {left} to spare.", **told
        )
    else:
        words = _(
            "**{count} × {card} hold weights and cache in {engine}**, with {left} to spare on "
            "each.",
            **told,
        )
    if ideal.cards in (needed.cards, None):
        return words
    less = _("What the layers need would fit on {count}.", count=ideal.cards)
    return f"{words} {less}"


def _fit_words(fit: Fit) -> str:
    told = {"count": fit.tried, "card": fit.card.name, "left": size(abs(fit.left))}
    if fit.cards is None:
        return _(
            "**{count} × {card} do not hold weights and cache:** {left} too little on each.", **told
        )
    if fit.cards == 1:
        return _("**One {card} holds weights and cache**, with {left} to spare.", **told)
    return _("**{count} × {card} hold weights and cache**, with {left} to spare on each.", **told)


def _each_words(fit: Fit, engine: str) -> str:
    """The share of each of several cards, and how the engine is told to split the model."""
    if fit.tried == 1:
        return ""
    words = _(
        "Each holds {weights} of weights and {cache} of the cache.",
        weights=size(fit.weights),
        cache=size(fit.cache),
    )
    if fit.machines > 1:
        more = _("They are {machines} machines of {count}.", machines=fit.machines, count=MACHINE)
        words = f"{words} {more}"
    split = ENGINES[engine].split
    if split is None:
        return words
    flags = split(fit.split.tensor, fit.split.stages, fit.machines)
    return f"{words} {_('To split the model: `{flags}`.', flags=flags)}"


def _all_engines(config: RopeConfig, cost: Needs, card: Card) -> pd.DataFrame:
    """One row for each engine: what it reserves, and the longest text on the card."""
    rows = {
        _("engine"): [translate(one.planner.title) for one in cost.reserved],
        _("reserved"): [
            _("not known") if one.cache is None else size(one.cache) for one in cost.reserved
        ],
        _("its own planner"): [
            "–" if one.cache is None else _("the same") if one.compared else _("not asked")
            for one in cost.reserved
        ],
    }
    fit = next((one for one in cost.cards if one.card == card and one.cards is not None), None)
    if fit is not None and cost.weight_bytes is not None:
        cards = fit.cards or 1
        most = longest(config, cost.weight_bytes, card, cards, cost.cache_kind, cost.batch)
        column = _("longest text on {count} × {card}", count=cards, card=card.name)
        rows[column] = [
            number(most[one.planner.title]) if one.planner.title in most else "–"
            for one in cost.reserved
        ]
    return pd.DataFrame(rows)


def _all_cards(cards: tuple[Fit, ...]) -> pd.DataFrame:
    """One row for each card."""
    return pd.DataFrame(
        {
            _("GPU"): [fit.card.name for fit in cards],
            _("GiB"): [fit.card.gib for fit in cards],
            _("how many"): [
                _("more than {count}", count=fit.tried) if fit.cards is None else number(fit.cards)
                for fit in cards
            ],
            _("to spare on each"): ["–" if fit.cards is None else size(fit.left) for fit in cards],
        }
    )


def size(count: int) -> str:
    """Bytes as they are read: 12.0 GiB."""
    value, unit = in_unit(count)
    return _("{value:,.1f} {unit}", value=value, unit=unit)


def operations(count: int) -> str:
    """Operations in the largest unit of which there is about one: 3.1 PFLOP."""
    units = ((10**18, "EFLOP"), (10**15, "PFLOP"), (10**12, "TFLOP"), (10**9, "GFLOP"))
    one, unit = next((pair for pair in units if count >= pair[0]), units[-1])
    return _("{value:,.1f} {unit}", value=count / one, unit=unit)


def with_choice(
    outcomes: list[Outcome], task: Task, choice: Choice, layer_type: str
) -> list[Outcome]:
    """The outcomes with that of the choice, with the factor that is written."""
    is_set = choice.verdict in ("extend", "taken") and choice.method in METHODS
    if choice.config is None or layer_type not in choice.layer_types or not is_set:
        return outcomes
    layer = choice.config.rotary.get(layer_type) or next(iter(choice.config.rotary.values()))
    method = METHODS[choice.method]
    if choice.method != "declared" and layer.base == task.layer.base:
        own = layer.scaling
        method = replace(method, make=lambda case: _turned(own, case.factor / task.factor))
    by_id = {one.method.id: one for one in outcomes} | {method.id: outcome(method, task)}
    return [by_id[name] for name in METHODS if name in by_id]


def _turned(scaling: Scaling | None, times: float) -> Scaling | None:
    """The scaling with its factor multiplied."""
    if times == 1 or not hasattr(scaling, "factor"):
        return scaling
    return replace(scaling, factor=max(1.0, scaling.factor * times))  # type: ignore[type-var,union-attr]
