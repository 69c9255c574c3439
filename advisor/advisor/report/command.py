"""`posenc explain`: the command."""

import json
import shlex
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import typer

from advisor.choosing.take import METHODS_TO_TAKE
from advisor.engines.all import ENGINES
from advisor.inputs.typed import name_of, read_config, sentence, tokens
from advisor.memory.cache import CACHE_BITS
from advisor.memory.cards import Card
from advisor.memory.stored import AS_STORED
from advisor.memory.weights import WEIGHT_BITS
from advisor.report.document import decision_of, explain
from advisor.report.draft import beside
from advisor.report.gpus import typed_gpus
from advisor.report.markdown import markdown
from advisor.report.parts import in_words
from advisor.report.patch import difference, lines_of, patched
from advisor.report.terminal import text
from posenc.checks import check_choice, check_int
from posenc.words import say

FOUND_ERROR = 1
UNREADABLE = 2
NOT_KNOWN = 3
REFUSED = 5
FORMS = ("text", "md", "json")
AT_LEAST = {"sure": ("sure", "setting"), "likely": ("sure", "setting", "likely")}
"""Words of --at-least, and how sure advice is that they let through."""
SHOWN = 3
"""Engines that the text for a terminal has unless one is asked for: those most people use."""
EPILOG = (
    "Exit status: 0, or 1 if a finding is an error (with --strict, or a warning), or 2 if "
    "something cannot be read or written (a field without a possible value ends the reading at the "
    "first one), or 3 if it is not known how the model's layers rotate, "
    "or 5 if --print, "
    "--diff or --write has nothing to write, or nothing as sure as --at-least asks, with the "
    "reason on standard error; of several files, "
    "the highest. "
    "Examples: posenc explain config.json --target 131072; "
    "posenc explain Qwen3-8B --target 131072 --engine vllm; "
    "vllm serve Qwen/Qwen3-8B $(posenc explain Qwen3-8B --target 128k --print vllm); "
    "posenc explain Qwen3-8B --target 131072 --cache-type fp8 --batch 8; "
    "posenc explain Qwen3-32B --target 128k --gpus '4 x L40S'; "
    "posenc explain config.json --target 131072 --method yarn --diff; "
    "posenc explain models/*/config.json --strict --json; "
    "posenc explain - --json < config.json."
)


@dataclass(frozen=True)
class Options:
    """The options of a command.

    Args:
        form: "text", "md", "json", "diff", or "print" for the arguments alone.
        engine: Id of the one engine that is written for; "" for all.
        is_one: One file was given.
    """

    target: int | None
    method: str
    read_as: str
    cost: tuple[str, str, int]
    gpus: tuple[Card, int] | None
    engine: str
    form: str
    write: Path | None
    force: bool
    strict: bool
    trained_with_file: bool
    draft: str
    at_least: str
    is_one: bool


def explain_command(
    configs: Annotated[
        list[str],
        typer.Argument(
            metavar="CONFIG...",
            help="A model's config.json, Mistral's or Meta's params.json, a GGUF file, or the name "
            "of a known model; - reads standard input. Several, one after another.",
        ),
    ],
    target: Annotated[
        str | None,
        typer.Option(
            metavar="TOKENS",
            help="Length to read, in tokens: 131072, 128k (of 1,024), 1e6. Default: the length "
            "that the file reaches.",
        ),
    ] = None,
    method: Annotated[
        str,
        typer.Option(
            metavar="ID",
            help=f"What to do in the place of the advice: {', '.join(METHODS_TO_TAKE)}; the first "
            "is the file as it is, the second no scaling. Default: what is advised.",
        ),
    ] = "",
    read_as: Annotated[
        str,
        typer.Option(
            metavar="TYPE",
            help="Read a file whose model type is not known as one of this type, such as llama; "
            "every result says so.",
        ),
    ] = "",
    cache_type: Annotated[
        str,
        typer.Option(
            metavar="KIND",
            help=f"Type of the numbers in the key/value cache: {', '.join(CACHE_BITS)}.",
        ),
    ] = "bfloat16",
    weight_type: Annotated[
        str,
        typer.Option(
            metavar="KIND",
            help=f"Type of the weights: {', '.join(WEIGHT_BITS)}. Default: as the file says.",
        ),
    ] = AS_STORED,
    batch: Annotated[
        int,
        typer.Option(metavar="N", help="Texts at once, each with a cache of the target length."),
    ] = 1,
    gpus: Annotated[
        str,
        typer.Option(
            metavar="GPUS",
            help="What it is to run on, such as '2 x RTX 4090': whether they hold it, the longest "
            "text there, and how an engine is told to split the model.",
        ),
    ] = "",
    engine: Annotated[
        str,
        typer.Option(metavar="ID", help=f"Settings of one engine alone: {', '.join(ENGINES)}."),
    ] = "",
    arguments: Annotated[
        str,
        typer.Option(
            "--print",
            metavar="ID",
            help="Print the arguments of one engine and nothing else, for $(…) in a command: "
            "without quotes. How sure that is and notes go to standard error.",
        ),
    ] = "",
    diff: Annotated[
        bool, typer.Option("--diff", help="Print what changes in the file, as a unified diff.")
    ] = False,
    report: Annotated[
        str,
        typer.Option(
            metavar="FORM",
            help="Print the report as md (Markdown) or json; the schema of the latter is "
            "advisor/report/schema.json.",
        ),
    ] = "",
    as_json: Annotated[
        bool,
        typer.Option(
            "--json", help="The same as --report json: of several files, a line for each."
        ),
    ] = False,
    draft: Annotated[
        str,
        typer.Option(
            metavar="FILE",
            help="The draft model (EAGLE, DFlash …) that is served beside it: whether its file "
            "goes with the target's scaling, and what to write into it.",
        ),
    ] = "",
    write: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Write the changed config.json there as well."),
    ] = None,
    force: Annotated[
        bool, typer.Option("--force", help="Let --write replace a file that is there.")
    ] = False,
    at_least: Annotated[
        str,
        typer.Option(
            metavar="WORD",
            help=f"Write nothing for advice that is less sure: {', '.join(AT_LEAST)}.",
        ),
    ] = "",
    trained_with_file: Annotated[
        bool,
        typer.Option(
            "--trained-with-file",
            help="The weights were trained with the file as it is: it stands as far as it reaches, "
            "whatever is known of models like it.",
        ),
    ] = False,
    strict: Annotated[
        bool, typer.Option("--strict", help="Exit with 1 for warnings too, not for errors alone.")
    ] = False,
) -> None:
    """Say what a config.json does to positions, and what is wrong with it.

    Prints what to do for the target length, how sure that is, and what it costs in memory. Then,
    for each kind of layer: trained, declared and reached length; base and layout; how many
    positions each pair of channels needs for a full turn, before and after scaling, and how often
    it turned in training; every method at the target length; which field counts for which engine.
    Then the findings, and the settings for the engines that most people use; --report md has
    those for every engine.

    A pair that made no full turn in training has shown only some angles. Where a longer text takes
    it to others, the model meets angles it has never seen: the column "pairs with new angles"
    counts these, and the last column does so for a model whose training was continued with the
    file's own scaling. "off the file from" is the distance from which some pair is turned to the
    opposite of what the file says; the lines "none" and "base 10000" show an engine that ignores
    the scaling, and one that does not find rope_theta.
    """
    # A terminal that has no Greek gets question marks, not a traceback.
    if hasattr(sys.stdout, "reconfigure"):
        sys.stdout.reconfigure(errors="replace")
    is_one = len(configs) == 1
    try:
        form = check_choice("--report", report or ("json" if as_json else "text"), FORMS)
        form = "print" if arguments else "diff" if diff else form
        _alone({"--print": arguments, "--diff": diff, "--report": report, "--json": as_json})
        _alone({"--print": arguments, "--engine": engine})
        _alone({"--method": method, "--trained-with-file": trained_with_file})
        for option, chosen, choices in (
            ("--engine", engine, (*ENGINES,)),
            ("--print", arguments, (*ENGINES,)),
            ("--method", method, METHODS_TO_TAKE),
            ("--cache-type", cache_type, (*CACHE_BITS,)),
            ("--weight-type", weight_type, (AS_STORED, *WEIGHT_BITS)),
            ("--at-least", at_least, (*AT_LEAST,)),
        ):
            if chosen:
                check_choice(option, chosen, choices)
        check_int("--batch", batch, 1, maximum=10**6)
        length = None if target is None else tokens("--target", target)
        cards = typed_gpus("--gpus", gpus) if gpus else None
        for option, is_given in (("--print", arguments), ("--write", write)):
            if is_given and not is_one:
                raise ValueError(f"{option} takes one file, got {len(configs)}.")
    except ValueError as error:
        typer.echo(str(error), err=True)
        raise typer.Exit(UNREADABLE) from None
    options = Options(
        target=length,
        method=method,
        read_as=read_as,
        cost=(cache_type, weight_type, batch),
        gpus=cards,
        engine=engine or arguments,
        form=form,
        write=write,
        force=force,
        strict=strict,
        trained_with_file=trained_with_file,
        draft=draft,
        at_least=at_least,
        is_one=is_one,
    )
    raise typer.Exit(max(_one(path, options) for path in configs))


def _alone(options: dict[str, object]) -> None:
    """Refuse two options of which each says what is printed."""
    typed = [option for option, given in options.items() if given]
    if len(typed) > 1:
        raise ValueError(f"{typed[0]} and {typed[1]} exclude each other.")


def _one(path: str, options: Options) -> int:
    """Print one file's report, whatever the file does; the exit status."""
    try:
        return _explained(path, options)
    except Exception as error:  # a fault of ours: the other files still have their reports
        told = f"Not read to the end, which is a fault of posenc and not of the file: {error!r}."
        return _refuse(ValueError(told), path, options, UNREADABLE)


def _explained(path: str, options: Options) -> int:
    """Print one file's report; the exit status."""
    try:
        given, config = read_config(path, options.read_as)
        target = options.target or given.target
        decided = decision_of(
            config,
            target,
            options.method,
            options.cost,
            options.engine,
            options.trained_with_file,
            options.gpus,
        )
        document = explain(config, target, given, options.method, decided)
        settings = document["settings"]
        if options.draft:
            _, drafts = read_config(options.draft, "")
            advised = None if decided is None else decided.choice.config
            settings["notes"] += beside(drafts, advised or config, target)
        if options.engine:
            settings["engines"] = [
                one for one in settings["engines"] if one["id"] == options.engine
            ]
        is_written = config.is_known
        is_none = is_written and decided is not None and decided.choice.config is None
        if is_none and (options.form in ("print", "diff") or options.write is not None):
            return _refuse(ValueError(settings["notes"][0]), path, options, REFUSED)
        doubt = _doubt(document, options.at_least)
        if doubt and is_written and (options.form in ("print", "diff") or options.write):
            return _refuse(ValueError(doubt), path, options, REFUSED)
        if is_written and (options.form == "diff" or options.write is not None):
            changed = None if decided is None else decided.choice.config
            after = patched(config, changed or config)
            if options.write is not None:
                _write(options.write, lines_of(after), options.force)
    except ValueError as error:
        return _refuse(error, path, options, UNREADABLE)
    if options.form == "print" and is_written:
        try:
            typer.echo(_arguments(settings))
        except ValueError as error:
            return _refuse(error, path, options, REFUSED)
        for note in _notes(document, options.strict):
            typer.echo(note, err=True)
    elif options.form == "diff" and is_written:
        name = "config.json" if options.is_one else path
        typer.echo(difference(given.fields, after, name), nl=False)
        for told in _told(document, options.strict):
            typer.echo(told, err=True)
    elif options.form == "json":
        indent = 2 if options.is_one else None
        typer.echo(json.dumps(document, indent=indent, allow_nan=False))
    elif options.form == "md":
        typer.echo(markdown(document, name_of(path)), nl=False)
    elif options.form != "print":
        is_short = options.engine or is_none or not is_written
        told = text(document if is_short else _first_engines(document))
        typer.echo(told if options.is_one else f"==> {name_of(path)} <==\n{told}\n")
    if not config.is_known:
        told = say("Nothing is written: the model is not known here.")
        return _refuse(ValueError(told), path, options, NOT_KNOWN)
    return FOUND_ERROR if any(_wrong(document, options.strict)) else 0


def _first_engines(document: dict[str, Any]) -> dict[str, Any]:
    """The document with the first engines alone, and how to get the others."""
    settings = document["settings"]
    more = say(
        "{count} more engines: --engine ID for one of them (posenc engines lists their ids), "
        "--report md for all.",
        count=len(settings["engines"]) - SHOWN,
    )
    shown = {"engines": settings["engines"][:SHOWN], "notes": [*settings["notes"], more]}
    return {**document, "settings": {**settings, **shown}}


def _refuse(error: ValueError, path: str, options: Options, status: int) -> int:
    """Say on standard error why a file has no answer; the exit status."""
    message = str(error)
    if message.startswith("target_length ") and options.target is None:
        message = say(
            "--method {method} needs a --target beyond what the file reaches.",
            method=options.method,
        )
    told = sentence(message, path)
    typer.echo(told if options.is_one or path in told else f"{path}: {told}", err=True)
    return status


def _arguments(settings: dict[str, Any]) -> str:
    """The text of the one engine, as the shell's `$(…)` takes it apart: by spaces, without quotes.

    Raises:
        ValueError: If there is none.
    """
    (one,) = settings["engines"]
    if one["text"] is None:
        raise ValueError(one["refused"])
    if one["first"] is not None:
        raise ValueError(
            f"The arguments alone do not do what is asked for in {one['title']}. {one['first']}"
        )
    if one["language"] != "bash":
        return str(one["text"])
    words = shlex.split(one["text"])
    for word in words:
        if len(word.split()) != 1:
            raise ValueError(
                f"{one['title']} takes an argument with spaces, which $(…) would cut at each: "
                f"take the line from --engine {one['id']}."
            )
    return " ".join(words)


def _notes(document: dict[str, Any], strict: bool) -> Iterator[str]:
    """How sure the advice is, what the arguments cannot say, and what is wrong with the file."""
    decision = document["decision"]
    if decision is not None and decision["sureness"] != "sure":
        yield in_words(decision)
    yield from _told(document, strict)
    (one,) = document["settings"]["engines"]
    yield from one["notes"]
    yield from document["settings"]["notes"]


def _doubt(document: dict[str, Any], at_least: str) -> str:
    """Why the advice is not as sure as was asked for; "" where it is."""
    decision = document["decision"]
    if not at_least or decision is None or decision["sureness"] in AT_LEAST[at_least]:
        return ""
    return say(
        "Nothing is written, with --at-least {word}. {how}", word=at_least, how=in_words(decision)
    )


def _told(document: dict[str, Any], strict: bool) -> Iterator[str]:
    """The findings that set the exit status, for standard error."""
    for finding in _wrong(document, strict):
        yield f"{finding['message']} {finding['remedy']}".strip()


def _wrong(document: dict[str, Any], strict: bool) -> list[dict[str, Any]]:
    """The findings that set the exit status."""
    wrong = ("error", "warning") if strict else ("error",)
    return [one for one in document["findings"] if one["severity"] in wrong]


def _write(path: Path, content: str, force: bool) -> None:
    """Write a file.

    Raises:
        ValueError: If it is there already and `force` is not set, or it cannot be written.
    """
    try:
        with path.open("w" if force else "x", encoding="utf-8") as file:
            file.write(content)
    except FileExistsError:
        raise ValueError(f"{path} is there already; --force replaces it.") from None
    except OSError as error:
        raise ValueError(f"{path} cannot be written: {error.strerror or error}.") from None
