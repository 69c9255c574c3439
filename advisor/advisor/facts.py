"""Facts about engines by family of models and by field: facts.json, one row a line.

`engines` says for which families (`model_type` of the text model; "*" for all) the form was run in
the engine's own code, for which its code was read, and for which its own planner reserved the
cache that is said here. `gaps` says which settings an engine does
nothing with, or cannot load, for some families. `fields` says which field or flag an engine reads,
from which release and until when. Findings and notes take their sentences from here.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import ClassVar, Literal

from advisor.data import Config
from advisor.families.all import has_class
from advisor.layers import OtherLayer
from advisor.tables import table
from posenc.scaling.proportional import Proportional
from posenc.words import Sentence, say

Mark = Literal["ran", "read", "ignored", "refused", "not tried"]
ALL = "*"
SCALING = "scaling"
"""Every kind of scaling, among the settings of a gap."""
BASE = "base"
WINDOWS = "windows"
"""Layers with a window, among the settings of a gap: they see everything there."""
ANY = "any"
"""Every file of the family, among the settings of a gap: there is no class for it."""
NONE = "none"
"""No scaling, where the file has one."""
ALIBI = "alibi"
"""Heads with ALiBi's biases in the place of a rotation."""


@dataclass(frozen=True)
class Tried:
    """The parts of an engine that were run and that were read.

    Args:
        name: Of the product.
        version: The release or commit.
        date: Of that release.
        ran: Families of which the engine's own code computed what is written here.
        read: Families of which that code was read.
        also: Other releases, of which the form was run or read too.
        planned: Families of which the engine's own planner reserved what `memory.reserved` says.
        within: The package that it was run in, with its release; "" for its own.
        runs: Id of the engine that it runs models with, whose gaps are its own; "" for none.
    """

    name: str
    version: str
    date: str
    ran: tuple[str, ...]
    read: tuple[str, ...]
    also: tuple[str, ...] = ()
    planned: tuple[str, ...] = ()
    within: str = ""
    runs: str = ""
    LISTS: ClassVar = ("ran", "read", "also", "planned")

    @property
    def release(self) -> str:
        """Name and version."""
        return f"{self.name} {self.version}"

    @property
    def dated(self) -> str:
        """Name, version and date."""
        return f"{self.release} of {self.date}"


@dataclass(frozen=True)
class Gap:
    """Settings with which an engine does not do what they say, for some families.

    Args:
        engine: Id of the engine.
        families: `model_type`s of the text model; "*" for all.
        settings: Kinds of scaling, "scaling" for all of them, "base", "none", "windows", "alibi",
            or "any" for every file.
        does: "ignores": runs without the setting and says nothing; "misreads": computes something
            else; "refuses": does not start.
        where: The file and lines that say so.
        alone: Only for files of the text model alone, which the engine gives to another class.
    """

    engine: str
    families: tuple[str, ...]
    settings: tuple[str, ...]
    does: Literal["ignores", "misreads", "refuses"]
    where: str
    alone: bool = False

    def is_about(self, engine: str, config: Config) -> bool:
        """Whether it holds for an engine and a model's file."""
        is_meant = self.engine == engine and bool({ALL, config.model_type} & {*self.families})
        return is_meant and not (self.alone and config.path)


@dataclass(frozen=True)
class Field:
    """An engine's treatment of one field or flag.

    Args:
        field: Its name.
        engine: Id of the engine.
        does: "reads", "ignores", or "gone": a flag that is no longer accepted.
        since: The release from which that holds; the one that was read where no other is known.
        date: Of that release.
        where: A file, a pull request.
    """

    field: str
    engine: str
    does: Literal["reads", "ignores", "gone"]
    since: str
    date: str
    where: str


_GIVEN = table("facts.json")
TRIED = {
    engine: Tried(**row | {key: tuple(row.get(key, ())) for key in Tried.LISTS})
    for engine, row in _GIVEN["engines"].items()
}
"""The releases that were run or read, by engine."""
_OWN = [
    Gap(**row | {"engine": engine, **{key: tuple(row[key]) for key in ("families", "settings")}})
    for row in _GIVEN["gaps"]
    for engine in row["engine"].split()
]
GAPS = (
    *_OWN,
    *(
        replace(gap, engine=engine, where=f"it runs {TRIED[about.runs].name}")
        for engine, about in TRIED.items()
        for gap in _OWN
        if gap.engine == about.runs
    ),
)
"""Every setting that is known to do nothing or harm."""
_OF = {engine: [gap for gap in GAPS if gap.engine == engine] for engine in TRIED}
ROWS = tuple(Field(**row) for row in _GIVEN["fields"])
"""Every row on how engines treat fields and flags."""


def fields(field: str, does: str = "") -> dict[str, Field]:
    """Rows on one field, by engine; with `does`, only those of engines that do this with it."""
    about = (one for one in ROWS if one.field == field)
    return {one.engine: one for one in about if does in ("", one.does)}


def ignoring(field: str) -> str:
    """The engines that do not read a field, with the release that was read."""
    found = fields(field, "ignores").items()
    return ", ".join(f"{TRIED[engine].name} {one.since}" for engine, one in found)


def since(field: str, engine: str) -> str:
    """The release of an engine from which a row about a field holds."""
    return fields(field)[engine].since


def dated(field: str, engine: str) -> str:
    """The same with its date, in brackets."""
    about = fields(field)[engine]
    return f"{about.since} ({about.date})"


def without_window(config: Config, called: Literal["release", "name"] = "release") -> str:
    """The engines that give no window to this family's layers, by what was read or by name."""
    found = (one for one in GAPS if WINDOWS in one.settings and config.model_type in one.families)
    return ", ".join(dict.fromkeys(getattr(TRIED[one.engine], called) for one in found))


def asked(config: Config, before: Config) -> set[str]:
    """An engine's tasks: kinds of scaling, "base" where it is not the file's, "alibi"."""
    out = {
        layer.rope_type
        for layer in config.rotary.values()
        if layer.scaling is not None
        and not (isinstance(layer.scaling, Proportional) and layer.scaling.factor == 1)
    }
    bases = [{key: one.base for key, one in each.rotary.items()} for each in (config, before)]
    if bases[0] != bases[1]:
        out.add(BASE)
    if any(isinstance(one, OtherLayer) and one.encoding == ALIBI for one in config.layers.values()):
        out.add(ALIBI)
    scaled = [any(one.scaling for one in each.rotary.values()) for each in (config, before)]
    return out | {NONE} if scaled == [False, True] else out


def gap(engine: str, config: Config, before: Config) -> Gap | None:
    """Why a setting would do nothing in an engine for this model; None where that is not known."""
    wanted = asked(config, before)
    if wanted - {BASE, NONE, ALIBI}:
        wanted.add(SCALING)
    wanted.add(ANY)
    for one in _OF.get(engine, ()):
        if one.is_about(engine, config) and wanted & {*one.settings}:
            return one
    return None


def refused_file(before: Config) -> Gap | None:
    """Why transformers' class does not load a file as it is: servers that read with it stop too."""
    found = gap("transformers_5", before, before)
    return found if found is not None and found.does == "refuses" else None


def no_windows(engine: str, config: Config, length: int | None = None) -> Sentence | None:
    """Note that an engine does not support this family's windows, and what it does instead.

    None for a length that no window cuts off; without one, what the file reaches.
    """
    window = config.text.get("sliding_window")
    if not isinstance(window, int) or window >= (length or config.reach or 0):
        return None
    for one in GAPS:
        is_meant = one.engine == engine and config.model_type in one.families
        if is_meant and WINDOWS in one.settings:
            return say(
                "{engine} has no windows for {model} ({where}): every token sees all that came "
                "before it, unscaled beyond {window:,}, and the cache is that of full attention.",
                engine=TRIED[engine].release,
                model=config.model_type,
                where=one.where,
                window=window,
            )
    return None


def mark(engine: str, config: Config, before: Config) -> Mark:
    """Whether settings were run for a model's family, or read, do nothing, or are not written."""
    found = gap(engine, config, before)
    about = TRIED[engine]
    if found is not None:
        return "ignored" if found.does == "ignores" else "refused"
    # What engines were run for is how they rotate.
    if ALL in about.ran or (config.rotary and config.model_type in about.ran):
        return "ran"
    looked = {*about.ran, *about.read}
    return "read" if {ALL, config.model_type} & looked else "not tried"


def refusal(found: Gap, config: Config, before: Config, writes: Callable[[str], bool]) -> Sentence:
    """Why no line is offered, and what does work, among the engines that write these settings."""
    about = TRIED[found.engine]
    told = {
        "engine": about.release,
        "settings": _named(asked(config, before), found),
        "model": config.model_type,
        "where": found.where,
        "instead": _instead(found, config, before, writes),
    }
    if ANY in found.settings:
        return say("{engine} has no class for {model} ({where}). {instead}", **told)
    if found.does == "misreads":
        return say(
            "{engine} computes something else from {settings} for {model} ({where}). {instead}",
            **told,
        )
    if found.does == "refuses":
        return say(
            "{engine} does not load {model} files with {settings} ({where}). {instead}", **told
        )
    return say(
        "{engine} ignores {settings} for {model}: it would run the model without, silently "
        "({where}). {instead}",
        **told,
    )


def _named(wanted: set[str], found: Gap) -> Sentence:
    if ALIBI in wanted:
        return say("ALiBi")
    kinds = wanted - {BASE, NONE}
    if SCALING not in found.settings:
        kinds &= {*found.settings}
    if kinds:
        return say("{kinds} scaling", kinds=", ".join(sorted(kinds)))
    return say("another base") if BASE in wanted & {*found.settings} else say("no scaling")


def _instead(found: Gap, config: Config, before: Config, writes: Callable[[str], bool]) -> Sentence:
    """A larger base, and engines in which the same was run."""
    others = [
        about.release
        for name, about in TRIED.items()
        if name != found.engine
        and gap(name, config, before) is None
        and mark(name, config, before) == "ran"
        and writes(name)
    ]
    blocked = {
        setting for one in GAPS if one.is_about(found.engine, config) for setting in one.settings
    }
    told = {"engines": ", ".join(others)}
    if blocked & {BASE, ANY, ALIBI}:
        if others:
            return say("Run with it: {engines}.", **told)
        if not has_class(config.model_type or ""):
            return say("The model's own class is code beside the weights.")
        return say("The model's own class is in {release}.", release=TRANSFORMERS)
    if not others:
        return say("It does read a larger base: the method NTK-aware.")
    return say(
        "It does read a larger base: the method NTK-aware. Run with the scaling: {engines}.", **told
    )


TRANSFORMERS = TRIED["transformers_5"].release
"""The release whose classes files are read by."""
