"""All of a check: what is wanted, what is asked in which order, and what was seen."""

import random
from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any

from advisor.choosing.choose import choose
from advisor.choosing.lengths import trained_lengths
from advisor.endpoint import lengths, long, same, scaling
from advisor.endpoint.ask import Asking
from advisor.endpoint.client import Client, LateError, NoAnswerError, SpentError
from advisor.endpoint.plan import Cost, over, plan, repeated
from advisor.endpoint.result import Outcome, Result, Verdict
from advisor.rope import RopeConfig
from posenc.words import Sentence, say

FORMAT = 1
SHORTEST = 512
"""Tokens; below that there is no room for a quarter with a question."""
WORST: tuple[Verdict, ...] = ("wrong", "odd", "unseen", "right")

NOT_TOLD = Outcome("not_told", "unseen", "The server says no length of its own.")
CAPPED = Outcome(
    "capped",
    "wrong",
    "Capped: the server admits to {admitted:,} tokens of the {target:,} ({where}), and nothing "
    "longer is sent. To change: {change}.",
)
CAPPED_BY_FILE = Outcome(
    "capped",
    "wrong",
    "Capped: the server admits to {admitted:,} tokens of the {target:,}, and the model file "
    "that it runs declares {declared:,} ({where}). Nothing longer is sent. To change: {change}; "
    "where the file's length caps that, it has to be raised too (llama-server: --override-kv "
    "ARCH.context_length=int:{length}, where ARCH is the file's general.architecture).",
)
FILE_SHORT = Outcome(
    "file_short",
    "wrong",
    "The server admits to {admitted:,} tokens, and the file reaches {reach:,} of the "
    "{target:,}: nothing in it scales that far ({where}).",
)
BEYOND_FILE = Outcome(
    "beyond_file",
    "odd",
    "The server admits to {admitted:,} tokens, more than the {reach:,} that it is meant to reach "
    "({where}).",
)
REACHED = Outcome(
    "reached",
    "right",
    "The server admits to {admitted:,} tokens, and the target is {target:,} ({where}).",
)


@dataclass(frozen=True)
class Wanted:
    """The lengths and scaling expected of a server.

    Attributes:
        target: L, tokens.
        reach: Tokens that the file reaches; None without a file.
        trained: Tokens of the training without scaling; None where that is not known.
        scaled: Whether the file asks for a scaling; None without a file.
        static: Whether that changes short prompts too; None without a file.
    """

    target: int
    reach: int | None = None
    trained: int | None = None
    scaled: bool | None = None
    static: bool | None = None

    @classmethod
    def of(cls, config: RopeConfig, target: int | None) -> "Wanted":
        """The lengths and scaling that a file asks for.

        Raises:
            ValueError: If neither says how far.
        """
        length = target or config.reach
        if length is None:
            raise ValueError("The file names no length: set --target.")
        before = [trained_lengths(config, name).before for name in config.rotary]
        scaled = any(layer.scaling is not None for layer in config.rotary.values())
        return cls(
            length,
            config.reach,
            max((one for one in before if one), default=None),
            scaled,
            scaling.is_static(config),
        )


@dataclass
class Check:
    """A check of one server.

    Args:
        client: The server.
        model: Which of its models; "" for its only one.
        config: The file that it should run; None without.
        target: L, tokens; None for what the file reaches, or the server admits to.
        other: A server of the same model without scaling, to compare with.
        expected: What the model gives, where it is at hand.
    """

    client: Client
    model: str = ""
    config: RopeConfig | None = None
    target: int | None = None
    other: Client | None = None
    expected: scaling.Expected | None = None
    advised: str = ""
    """Why something else than the file is compared with the server; "" where it is the file."""

    def prepare(self) -> tuple[Cost, ...]:
        """Ask for lengths, which costs nothing, and say what the rest costs at most.

        Raises:
            NoAnswerError: If the server gives no answer.
            ValueError: If it is not clear what to ask, or the budget does not cover it.
        """
        first = self.client.get("/v1/models")
        named = lengths.names(first.body)
        if not self.model and len(named) > 1:
            raise ValueError(
                "The server has several models: choose one with --model, of "
                f"{', '.join(named):.400}."
            )
        self.model = self.model or (named[0] if named else "")
        self.told = lengths.given_lengths(self.client, self.model)
        self.admitted = lengths.serves(self.told)
        self.wanted = self._wanted()
        costs = self.costs(False)
        total = sum(cost.prompt_tokens for cost in costs)
        if total > self.client.tokens:
            raise ValueError(
                f"This would send up to {total:,} prompt tokens, and --budget is "
                f"{self.client.tokens:,}: raise it, or set a smaller --target."
            )
        return costs

    def costs(self, chats: bool) -> tuple[Cost, ...]:
        """The most that every part of the check costs.

        Args:
            chats: Whether the server answers messages alone, so that answers need room.
        """
        compares = self.expected is not None or self.other is not None
        return tuple(
            cost
            for cost in plan(self._longest, self.admitted, chats, self.other is not None)
            if (cost.part != "scaling" or compares) and (cost.part != "cut" or not self._is_capped)
        )

    @property
    def _is_capped(self) -> bool:
        return self.admitted is not None and self.admitted < self.wanted.target

    @property
    def _longest(self) -> int:
        """Tokens of the longest prompt, but for the one that has to be cut."""
        return min(self.wanted.target, self.admitted or self.wanted.target)

    def _wanted(self) -> Wanted:
        if self.config is not None:
            self.config, self.advised = reaching(self.config, self.target)
            wanted = Wanted.of(self.config, self.target)
        elif self.target or self.admitted:
            wanted = Wanted(self.target or self.admitted or 0)
        else:
            raise ValueError("The server names no length and no file is given: set --target.")
        if wanted.target < SHORTEST:
            raise ValueError(f"--target must be at least {SHORTEST:,}.")
        return wanted

    def run(self, progress: Callable[[Sentence], None] = lambda sentence: None) -> list[Result]:
        """Ask everything; `prepare` comes first.

        Returns:
            What was seen, in the order in which it was asked.

        Raises:
            ValueError: If the server answers no prompt at all.
            NoAnswerError: If it gives no answer to the first one.
        """
        asking = Asking(self.client, self.model)
        why = asking.settle()
        if why:
            raise ValueError(f"The server answers no prompt: {why}")
        prompts = long.LongPrompts(asking, random.Random())
        prompts.weigh()
        results = [self._length()]
        progress(say("Log-probabilities of short prompts"))
        results += _answered("scaling", lambda: [self._scaling(asking)])
        progress(say("The same prompt again, and among others"))
        size = repeated(self._longest)
        results += _answered("cache", lambda: _repeated(prompts, size))
        progress(say("Numbers in long prompts"))
        results += _answered("needles", lambda: self._long(prompts))
        return results

    def _long(self, prompts: long.LongPrompts) -> list[Result]:
        wanted = self.wanted
        first, tried = long.needles(prompts, self._longest, wanted.trained, wanted.scaled)
        if self._is_capped:
            return [first]
        beyond = over(wanted.target, self.admitted)
        is_over = first.code in ("no_answer", "late") or any(
            one.found is None or one.is_cut for one in tried
        )
        if beyond is None or is_over:
            return [first]
        return [first, *_answered("cut", lambda: [long.cut(prompts, beyond, self.admitted)])]

    def _scaling(self, asking: Asking) -> Result:
        if self.expected is None and self.other is None:
            return Result(
                "scaling",
                "nothing_to_compare",
                "unseen",
                say(
                    "Whether short prompts are scaled cannot be told from one server alone: "
                    "--expected FILE compares with the model itself, --other URL with a server "
                    "without scaling."
                ),
            )
        seen, why = scaling.short_answers(asking)
        if why:
            return _no_numbers(self.client.root, why)
        if self.expected is not None:
            return scaling.compared(seen, self.expected)
        assert self.other is not None
        try:
            page = self.other.get("/v1/models")
            names = lengths.names(page.body)
            beside = Asking(self.other, self.model if self.model in names else (names or [""])[0])
            why = beside.settle()
            there, none = ([], why) if why else scaling.short_answers(beside)
        except NoAnswerError as error:  # no fault of the server that is checked
            there, none = [], error.args[0]
        if none:
            return _no_numbers(self.other.root, none)
        return scaling.between_servers(seen, there, self.other.root, self.wanted.static)

    def _length(self) -> Result:
        """The length that the server admits to, against file and target."""
        wanted = self.wanted
        admitted = self.admitted
        declared = min((n.tokens for n in self.told if n.meaning == "declares"), default=None)
        evidence = {
            "told": [asdict(one) for one in self.told],
            "admitted": admitted,
            "declared": declared,
            "target": wanted.target,
            "file": wanted.reach,
        }
        return _length(admitted, declared, wanted).result(
            "length",
            evidence,
            admitted=admitted,
            target=wanted.target,
            reach=wanted.reach,
            declared=declared,
            length=wanted.target,
            change=lengths.change(self.told, wanted.target),
            where="; ".join(f"{one.where} = {one.tokens:,}" for one in self.told),
        )

    def document(self, results: list[Result]) -> dict[str, Any]:
        """The results as plain data."""
        return {
            "format": FORMAT,
            "url": self.client.root,
            "advised": self.advised,
            "model": self.model,
            "wanted": asdict(self.wanted),
            "asked": {"requests": self.client.requests, "prompt_tokens": self.client.sent},
            "verdict": worst(results),
            "results": [asdict(one) for one in results],
        }


def reaching(config: RopeConfig, target: int | None) -> tuple[RopeConfig, str]:
    """The configuration that a server should run: engines take a scaling on the command line too.

    Args:
        config: The file.
        target: L, tokens; None for what the file reaches.

    Returns:
        The file, and ""; where it does not reach the target, it with what is advised, and why.
    """
    if target is None or config.reach is None or config.reach >= target:
        return config, ""
    choice = choose(config, target)
    if choice.config is None or (choice.config.reach or 0) < target:
        return config, ""
    return choice.config, say(
        "The file reaches {reach:,} tokens. The server is held against what is advised for "
        "{target:,}: {clause}.",
        reach=config.reach,
        target=target,
        clause=choice.clause,
    )


def worst(results: list[Result]) -> Verdict:
    """The gravest verdict of all: "wrong", "odd", "unseen", or else "right"."""
    seen = {one.verdict for one in results}
    return next(verdict for verdict in WORST if verdict in seen)


def _length(admitted: int | None, declared: int | None, wanted: Wanted) -> Outcome:
    target = wanted.target
    reach = wanted.reach
    if admitted is None:
        return NOT_TOLD
    if admitted < target:
        return CAPPED if declared is None or declared >= target else CAPPED_BY_FILE
    if reach is not None and reach < target:
        return FILE_SHORT
    if reach is not None and admitted > reach:
        return BEYOND_FILE
    return REACHED


def _repeated(prompts: long.LongPrompts, size: int) -> list[Result]:
    first, alone, prompt = same.twice(prompts, size)
    if alone is None:
        return [first]
    return [
        first,
        *_answered("shared", lambda: [same.shared(prompts, size)]),
        *_answered("batch", lambda: [same.among(prompts, size, alone, prompt)]),
    ]


def _answered(part: str, look: Callable[[], list[Result]]) -> list[Result]:
    """The results of a part; where no answer comes, that."""
    try:
        return look()
    except SpentError as error:
        return [Result(part, "spent", "unseen", error.args[0])]
    except LateError as error:
        return [Result(part, "late", "unseen", error.args[0])]
    except NoAnswerError as error:
        return [Result(part, "no_answer", "wrong", error.args[0])]


def _no_numbers(url: str, why: str) -> Result:
    told = say(
        "Whether short prompts are scaled cannot be told of {url}: {why}.",
        url=url,
        why=why.rstrip("."),
    )
    return Result("scaling", "no_log_probs", "unseen", told)
