"""The command line: posenc explain config.json, posenc check URL, posenc engines."""

import json
import math
import sys
from dataclasses import replace
from pathlib import Path
from typing import Annotated, BinaryIO

from posenc.words import say

try:
    import typer
except ImportError:
    print(
        say(
            "The command line of posenc needs typer, which is not installed: "
            'pip install "posenc[cli]", or pip install typer.'
        ),
        file=sys.stderr,
    )
    raise SystemExit(2) from None

from posenc.checks import check_choice, check_int
from posenc.config.choosing.take import METHODS_TO_TAKE
from posenc.config.engines.all import ENGINES
from posenc.config.fields import LONGEST, READ_AS
from posenc.config.inputs.gguf import LONGEST_HEADER, MAGIC
from posenc.config.inputs.read import Given, read_bytes, read_text
from posenc.config.inputs.wrong_file import wrong_bytes
from posenc.config.memory.cache import CACHE_BITS
from posenc.config.memory.stored import AS_STORED
from posenc.config.memory.weights import WEIGHT_BITS
from posenc.config.rope import RopeConfig
from posenc.config.text import LONGEST_TEXT
from posenc.endpoint import command as endpoint
from posenc.report.document import decision_of, explain
from posenc.report.markdown import markdown
from posenc.report.patch import change, difference, lines_of, patched
from posenc.report.terminal import text

FOUND_ERROR, UNREADABLE, NOT_KNOWN, NOT_WRITTEN = 1, 2, 3, 4
FORMS = ("text", "md", "json")
SUFFIXES = (".json", ".gguf", ".txt")
"""What ends in one of these is a file that is not there, not the name of a model."""

app = typer.Typer(
    add_completion=False,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    help=say("Positional encodings of language models."),
)


@app.callback()
def _commands() -> None:
    """Positional encodings of language models."""


@app.command(
    "explain",
    epilog="Exit status: 0, or 1 if a finding is an error (with --strict, or a warning), or 2 if "
    "something cannot be read or written, or 3 if it is not known how the model's layers rotate, "
    "or 4 if that is known and the "
    "model's form of file is not written here. "
    "Examples: python -m posenc explain config.json --target 131072; "
    "python -m posenc explain Qwen3-8B --target 131072 --engine vllm; "
    "python -m posenc explain Qwen3-8B --target 131072 --cache-type fp8 --batch 8; "
    "python -m posenc explain config.json --target 131072 --method yarn --diff; "
    "python -m posenc explain - --json < config.json.",
)
def explain_command(
    config: Annotated[
        str,
        typer.Argument(
            metavar="CONFIG",
            help="A model's config.json, Mistral's or Meta's params.json, a GGUF file, or the name "
            "of a known model; - reads standard input.",
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
    engine: Annotated[
        str | None,
        typer.Option(metavar="ID", help=f"Settings of one engine alone: {', '.join(ENGINES)}."),
    ] = None,
    diff: Annotated[
        bool, typer.Option("--diff", help="Print what changes in the file, as a unified diff.")
    ] = False,
    report: Annotated[
        str | None,
        typer.Option(
            metavar="FORM",
            help="Print the report as md (Markdown) or json; the schema of the latter is "
            "posenc/report/schema.json.",
        ),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="The same as --report json.")] = False,
    write: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Write the changed config.json there as well."),
    ] = None,
    force: Annotated[
        bool, typer.Option("--force", help="Let --write replace a file that is there.")
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
    Then the findings, and the settings for each engine.

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
    name = say("standard input") if config == "-" else config
    try:
        form = check_choice("--report", report or ("json" if as_json else "text"), FORMS)
        if engine is not None:
            check_choice("--engine", engine, list(ENGINES))
        if method:
            check_choice("--method", method, METHODS_TO_TAKE)
        check_choice("--cache-type", cache_type, list(CACHE_BITS))
        check_choice("--weight-type", weight_type, [AS_STORED, *WEIGHT_BITS])
        check_int("--batch", batch, 1, maximum=10**6)
        length = None if target is None else _tokens("--target", target)
        if diff and form != "text":
            raise ValueError(
                say("--diff prints the diff alone: leave it out, or leave out --report and --json.")
            )
    except ValueError as error:
        typer.echo(str(error), err=True)
        raise typer.Exit(UNREADABLE) from None
    try:
        given = _given(config, name)
        if read_as:
            given = replace(given, fields={**given.fields, READ_AS: read_as})
        read = RopeConfig.from_hf(given.fields)
        if read_as and read.identified_by != READ_AS:
            raise ValueError(
                say(
                    "--read-as is for files whose model type is not known; this one is read as "
                    "{family}.",
                    family=read.read_as,
                )
            )
        cost = (cache_type, weight_type, batch)
        document = explain(read, length, given, method, decision_of(read, length, method, cost))
        if engine is not None:
            every = document["settings"]["engines"]
            document["settings"]["engines"] = [one for one in every if one["id"] == engine]
        known = read.is_known and not read.family.own_form
        if known and (diff or write is not None):
            after = patched(read, change(read, length, method).config)
            if write is not None:
                _write(write, lines_of(after), force)
    except ValueError as error:
        typer.echo(_sentence(str(error), name), err=True)
        raise typer.Exit(UNREADABLE) from None
    if diff and known:
        typer.echo(difference(given.fields, after), nl=False)
    elif form == "json":
        typer.echo(json.dumps(document, indent=2, allow_nan=False))
    elif form == "md":
        typer.echo(markdown(document, name), nl=False)
    else:
        typer.echo(text(document))
    if not read.is_known:
        typer.echo(
            _sentence(say("Nothing is written: the model is not known here."), name), err=True
        )
        raise typer.Exit(NOT_KNOWN)
    if not known:
        told = say("Nothing is written: the model is read exactly, and its form not written yet.")
        typer.echo(_sentence(told, name), err=True)
        raise typer.Exit(NOT_WRITTEN)
    wrong = ("error", "warning") if strict else ("error",)
    if any(finding.severity in wrong for finding in read.findings):
        raise typer.Exit(FOUND_ERROR)


def _tokens(option: str, typed: str) -> int:
    """A number of tokens as people type it: 131072, 131,072, 128k, 1M or 1e6.

    Raises:
        ValueError: If it is none, or out of range.
    """
    digits = typed.strip().replace(",", "").replace("_", "").lower()
    times = {"k": 1024, "m": 1024**2}.get(digits[-1:], 1)
    try:
        tokens = float(digits if times == 1 else digits[:-1]) * times
    except ValueError:
        tokens = math.nan
    if not tokens.is_integer():
        raise ValueError(
            say("{option} must be a number of tokens, such as 131072 or 128k, got {typed!r}.",
                option=option, typed=typed[:40])
        )  # fmt: skip
    return check_int(option, int(tokens), 2, maximum=LONGEST)


def _write(path: Path, content: str, force: bool) -> None:
    """Write a file.

    Raises:
        ValueError: If it is there already and `force` is not set, or it cannot be written.
    """
    try:
        with path.open("w" if force else "x", encoding="utf-8") as file:
            file.write(content)
    except FileExistsError:
        raise ValueError(say("{path} is there already; --force replaces it.", path=path)) from None
    except OSError as error:
        reason = error.strerror or str(error)
        raise ValueError(
            say("{path} cannot be written: {reason}.", path=path, reason=reason)
        ) from None


def _given(path: str, name: str) -> Given:
    """What a file, standard input or a name holds.

    Raises:
        ValueError: If it cannot be read.
    """
    try:
        if path == "-":
            return read_bytes(_beginning(sys.stdin.buffer, name))
        with Path(path).open("rb") as file:
            return read_bytes(_beginning(file, name))
    except FileNotFoundError as error:
        if Path(path).suffix in SUFFIXES or Path(path).is_absolute():
            raise _unreadable(error, name) from None
        return read_text(path)
    except OSError as error:
        raise _unreadable(error, name) from None


def _unreadable(error: OSError, name: str) -> ValueError:
    reason = error.strerror or str(error)
    return ValueError(say("{name} cannot be read: {reason}.", name=name, reason=reason))


def _beginning(file: BinaryIO, name: str) -> bytes:
    """The file, or the first 16 MiB of a GGUF file.

    Raises:
        ValueError: If another file is longer than 1 MiB.
    """
    data = file.read(LONGEST_TEXT + 1)
    if data[:4] == MAGIC:
        return data + file.read(LONGEST_HEADER - len(data))
    if len(data) > LONGEST_TEXT and wrong_bytes(data) is None:
        raise ValueError(
            say(
                "{name} is larger than 1 MiB; a config.json has a few thousand bytes. Is it the "
                "right file?",
                name=name,
            )
        )
    return data


def _sentence(message: str, name: str) -> str:
    """The message with the file's own name, and the option as it was typed."""
    if message.startswith("target_length "):
        message = "--target " + message.removeprefix("target_length ")
    elif message.startswith("config.json "):
        message = name + message.removeprefix("config.json")
    elif not message.startswith(name):
        message = f"{name}: {message}"
    return "".join(c if c.isprintable() else "·" for c in message)


def _config(path: str) -> RopeConfig:
    """The configuration of a file, standard input or a name.

    Raises:
        ValueError: If it cannot be read; the message begins with its name.
    """
    name = say("standard input") if path == "-" else path
    try:
        return RopeConfig.from_hf(_given(path, name).fields)
    except ValueError as error:
        raise ValueError(_sentence(str(error), name)) from None


app.command("check", epilog=endpoint.EPILOG)(endpoint.command(_config, _tokens))


@app.command()
def engines() -> None:
    """List the engines for which `explain` writes settings."""
    for one in ENGINES.values():
        typer.echo(f"{one.id:16} {one.title}, {one.place}")


def main() -> None:
    """Run the command line, as the console script `posenc` or as `python -m posenc`."""
    app(prog_name="posenc")


if __name__ == "__main__":
    main()
