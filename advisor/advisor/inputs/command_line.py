"""A command line that starts an engine: its model, its length, and what is wrong with it."""

import copy
import json
import re
import shlex
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from advisor.engines.all import ENGINES
from advisor.engines.transformers import new
from advisor.facts import since
from advisor.rope import RopeConfig
from posenc.words import Sentence, say

PROGRAM = re.compile(
    r"(\w+=\S+ )*(\$ ?)?(sudo |docker run .*?)?"
    r"(vllm serve|python[\d.]* -m (vllm|sglang)\S*|sglang serve|(\S*/)?llama-(server|cli)) ",
    re.DOTALL,
)
"""The beginning of a command line that is read."""
LONGEST_LINE = 20000
MODEL = ("--model", "--model-path", "-m", "-hf", "--hf-repo")
LENGTH = ("--max-model-len", "--context-length", "--ctx-size", "-c")
FIELDS = ("--hf-overrides", "--json-model-override-args")
GONE = ("--rope-scaling", "--rope-theta")
ROPE = ("rope_scaling", "rope_parameters", "rope_theta")


@dataclass(frozen=True)
class Line:
    """A command line.

    Attributes:
        engine: Id of the engine that it starts.
        model: The model, as it is named.
        flags: Values by the flag, in the order of the line.
    """

    engine: str
    model: str
    flags: Mapping[str, str] = field(default_factory=dict)

    @property
    def length(self) -> int | None:
        """Tokens that the line asks for."""
        word = next((self.flags[name] for name in LENGTH if name in self.flags), "").lower()
        times = {"k": 1024 if self.engine == "llama_cpp" else 1000}.get(word[-1:], 1)
        digits = word if times == 1 else word[:-1]
        return int(digits) * times if digits.isdigit() and 0 < int(digits) < 10**12 else None


def is_line(text: str) -> bool:
    """Whether a text starts an engine."""
    return PROGRAM.match(_joined(text)) is not None


def _joined(text: str) -> str:
    return re.sub(r"\\\r?\n\s*", " ", text.strip())


def parsed(text: str) -> Line:
    """Take a command line apart.

    Raises:
        ValueError: If it is too long, its quotes do not match, or it names no model.
    """
    line = _joined(text)
    if len(line) > LONGEST_LINE:
        raise ValueError(f"The command line must have at most {LONGEST_LINE:,} characters.")
    try:
        words = shlex.split(line, comments=True)
    except ValueError:
        raise ValueError("The command line has a quote that is not closed.") from None
    engine = "sglang" if "sglang" in line[:200] else "vllm"
    engine = "llama_cpp" if "llama-" in line[:200] else engine
    flags: dict[str, str] = {}
    alone = []
    name = ""
    for word in words:
        if word.startswith("-") and not re.fullmatch(r"-[\d.]+", word):
            name, _, value = word.partition("=")
            name = name if name in MODEL + LENGTH else name.replace("_", "-")
            flags[name] = value
        elif name and not flags[name]:
            flags[name] = word
        else:
            alone.append(word)
    model = next((flags[one] for one in MODEL if flags.get(one) and not _is_module(flags, one)), "")
    if "serve" in alone and not model:
        model = next(iter(alone[alone.index("serve") + 1 :]), "")
    if not model:
        raise ValueError("The command line names no model.")
    return Line(engine, model, flags)


def _is_module(flags: Mapping[str, str], name: str) -> bool:
    """Whether -m is python's."""
    return name == "-m" and flags[name].startswith(("vllm", "sglang"))


def judged(line: Line, fields: dict[str, Any]) -> Iterator[Sentence]:
    """Find what is wrong with a line for a model's file.

    Args:
        line: The line.
        fields: The model's own config.json.
    """
    title = ENGINES[line.engine].title
    if line.engine == "vllm":
        for name in GONE:
            if name in line.flags:
                yield say(
                    "vLLM has no {flag} since {gone}, and does not start with it.",
                    flag=name,
                    gone=since("--rope-scaling", "vllm"),
                )
    before = RopeConfig.from_hf(fields)
    source = copy.deepcopy(before.source)
    for name in FIELDS:
        if name not in line.flags:
            continue
        try:
            laid = json.loads(line.flags[name])
        except ValueError:
            laid = None
        if not isinstance(laid, dict):
            yield say("{flag} must hold an object of JSON.", flag=name)
            continue
        yield from _nested(before, laid, name)
        _lay(source, laid)
    try:
        config = RopeConfig.from_hf(source)
    except ValueError as error:
        yield say("What the line lays over the file cannot be read: {error}", error=str(error))
        return
    told = {one.code for one in before.findings}
    for one in config.findings:
        if one.severity != "info" and one.code not in told:
            yield say("With this line: {message}", message=one.message)
    slots = _slots(line)
    if slots > 1 and line.length is not None:
        yield say(
            "llama-server shares {length:,} tokens among {slots} slots: each reads {each:,}.",
            length=line.length,
            slots=slots,
            each=line.length // slots,
        )
    longest = _longest(config, line.engine)
    if line.length is not None and longest is not None and line.length > longest:
        yield say(
            "{engine} reads at most {longest:,} tokens with this line, and {length:,} are asked "
            "for: it does not start, or cuts.",
            engine=title,
            longest=longest,
            length=line.length,
        )


def _slots(line: Line) -> int:
    """Texts that llama-server reads at once, as far as the line says."""
    given = next((line.flags[one] for one in ("-np", "--parallel") if one in line.flags), "")
    return int(given) if line.engine == "llama_cpp" and given.isdecimal() else 1


def _nested(config: RopeConfig, laid: Mapping[str, Any], flag: str) -> Iterator[Sentence]:
    """Whether the object stands where the text model's fields do."""
    outer = [name for name in ROPE if name in laid]
    if config.path and outer and config.path[0] not in laid:
        yield say(
            "{flag} has {field} beside {part}, where this model's text part does not look: write "
            "it within {part}.",
            flag=flag,
            field=outer[0],
            part=config.path[0],
        )
    if not config.path and isinstance(laid.get("text_config"), dict):
        yield say(
            "{flag} has text_config, and this model's file has none: write its fields at the top.",
            flag=flag,
        )


def _lay(source: dict[str, Any], laid: Mapping[str, Any]) -> None:
    """Lay fields over a file: an object of a part is merged, any other is replaced."""
    for name, value in laid.items():
        if name.endswith("_config") and isinstance(source.get(name), dict):
            _lay(source[name], value if isinstance(value, dict) else {})
        else:
            source[name] = value


def _longest(config: RopeConfig, engine: str) -> int | None:
    """The longest text that the engine finds in the file."""
    read: Callable[..., Any] | None = ENGINES[engine].reading
    if engine == "llama_cpp" or not config.rotary:
        return None  # its flags stretch by themselves
    found = [new.reading(config, key) for key in config.rotary]
    if read is not None:
        pairs = zip(found, config.rotary, strict=True)
        found = [read(one, config, key) for one, key in pairs]
    return max((one.longest for one in found if one.longest is not None), default=None)
