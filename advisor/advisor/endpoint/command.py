"""`posenc check`: the command."""

import json
import os
import sys
from pathlib import Path
from typing import Annotated

import typer

from advisor.endpoint.check import Check, worst
from advisor.endpoint.client import Client, NoAnswerError
from advisor.endpoint.plan import Cost
from advisor.endpoint.result import Result
from advisor.endpoint.scaling import Expected
from advisor.inputs.typed import read_config, sentence, tokens
from advisor.rope import RopeConfig
from posenc.checks import printable
from posenc.words import Sentence, say

KEY = "POSENC_API_KEY"
FAULT = 1
UNREADABLE = 2
MARKS = {
    "right": say("right"),
    "wrong": say("WRONG"),
    "odd": say("look"),
    "unseen": say("not seen"),
}
EPILOG = (
    "Exit status: 0 if no fault was seen, 1 if one was (with --strict, or if something is worth a "
    "look or could not be seen), 2 if nothing could be asked. A key is read from POSENC_API_KEY. "
    "Examples: posenc check http://localhost:8000 config.json --target 131072; "
    "posenc check localhost:8080 Qwen3-8B --target 128k --other localhost:8081; "
    "posenc check localhost:8000 config.json --expected expected.json --json --strict."
)


def check(
    url: Annotated[
        str, typer.Argument(metavar="URL", help="The server, such as http://localhost:8000.")
    ],
    file: Annotated[
        str | None,
        typer.Argument(
            metavar="[FILE]",
            help="What it should run: a config.json, a GGUF file, the name of a known model; - "
            "reads standard input. Where it does not reach the target, what is advised for it.",
        ),
    ] = None,
    target: Annotated[
        str | None,
        typer.Option(
            metavar="TOKENS",
            help="Length that it should read: 131072, 128k, 1e6. Default: the length that the "
            "file reaches, without a file what the server admits to.",
        ),
    ] = None,
    read_as: Annotated[
        str,
        typer.Option(
            metavar="TYPE",
            help="Read a file of a type that is not known as one of this type, such as llama.",
        ),
    ] = "",
    model: Annotated[
        str, typer.Option(metavar="NAME", help="Which model, if the server has several.")
    ] = "",
    expected: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="What the model itself gives, written by `python -m models expected`.",
        ),
    ] = None,
    other: Annotated[
        str | None,
        typer.Option(
            metavar="URL", help="A server of the same model without scaling, to compare with."
        ),
    ] = None,
    budget: Annotated[
        str, typer.Option(metavar="TOKENS", help="Prompt tokens to send at most.")
    ] = "4M",
    timeout: Annotated[
        float, typer.Option(metavar="SECONDS", min=1, help="Longest wait for one answer.")
    ] = 600.0,
    plan: Annotated[
        bool, typer.Option("--plan", help="Say what it would cost, and send no prompt.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False,
    strict: Annotated[
        bool,
        typer.Option("--strict", help="Exit with 1 unless everything was seen to be right."),
    ] = False,
) -> None:
    """Ask a running server whether its settings took effect.

    Looks at the length that the server admits to, against file and target; at log-probabilities of
    short prompts, which static scaling changes; at one prompt sent cold, again (from the prefix
    cache) and among others (padded); at numbers hidden at the beginning, after one and two thirds
    and near the end of prompts of a quarter, half, three quarters and nearly all of the target; and
    at what becomes of a prompt that is too long. Costs are said before anything is sent. What
    cannot be seen is said as well.
    """
    if hasattr(sys.stdout, "reconfigure"):
        sys.stdout.reconfigure(errors="replace")
    try:
        asked = Check(
            Client(url, os.environ.get(KEY, ""), timeout, tokens("--budget", budget)),
            model=model,
            config=None if file is None else _config(file, read_as),
            target=None if target is None else tokens("--target", target),
            other=None if other is None else Client(other, "", timeout),
            expected=None if expected is None else _expected(expected),
        )
        costs = asked.prepare()
        if asked.advised:
            typer.echo(printable(asked.advised), err=True)
        typer.echo(cost(costs, asked.costs(True)), err=True)
        if plan:
            for one in costs:
                typer.echo(_row(one))
            return
        results = asked.run(lambda told: typer.echo(f"  {printable(told)} …", err=True))
    except (ValueError, NoAnswerError) as error:
        typer.echo(printable(str(error)), err=True)
        raise typer.Exit(UNREADABLE) from None
    except KeyboardInterrupt:
        typer.echo(say("Stopped."), err=True)
        raise typer.Exit(130) from None
    if as_json:
        typer.echo(json.dumps(asked.document(results), indent=2))
    else:
        typer.echo(text(results))
    if worst(results) in (("wrong", "odd", "unseen") if strict else ("wrong",)):
        raise typer.Exit(FAULT)


def cost(costs: tuple[Cost, ...], chat: tuple[Cost, ...]) -> Sentence:
    """The most that a check sends, in one sentence.

    Args:
        costs: Of every part.
        chat: The same where the server answers messages alone.
    """
    return say(
        "Sends at most {requests:,} prompts of {tokens:,} tokens together, and asks for at most "
        "{answers:,} tokens of answer ({chat:,} from a server that only chats).",
        requests=sum(one.requests for one in costs),
        tokens=sum(one.prompt_tokens for one in costs),
        answers=sum(one.answer_tokens for one in costs),
        chat=sum(one.answer_tokens for one in chat),
    )


def text(results: list[Result]) -> str:
    """Results as lines for a terminal."""
    width = max(map(len, MARKS.values()))
    return "\n".join(
        f"{MARKS[one.verdict].ljust(width)}  {one.part:8} {printable(one.sentence)}"
        for one in results
    )


def _row(one: Cost) -> str:
    return say(
        "{part:8} {requests:3} prompts, {tokens:,} tokens",
        part=one.part,
        requests=one.requests,
        tokens=one.prompt_tokens,
    )


def _config(path: str, read_as: str) -> RopeConfig:
    """The configuration of a file, standard input or a name.

    Raises:
        ValueError: If it cannot be read; the message begins with its name.
    """
    try:
        return read_config(path, read_as)[1]
    except ValueError as error:
        raise ValueError(sentence(str(error), path)) from None


def _expected(path: Path) -> Expected:
    """Read the file of --expected.

    Raises:
        ValueError: If it cannot be read.
    """
    try:
        return Expected.read(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise ValueError(f"{path} cannot be read: {reason}.") from None
