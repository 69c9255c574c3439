"""Words on the data of the real model's pictures: texts, versions, what is missing."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import streamlit as st

from models.measuring.loss import FILE as LOSSES
from models.measuring.loss import LOSS_METHODS
from models.measuring.passkey import FILE as PASSKEYS
from models.measuring.table import Row
from models.measuring.texts import TEXTS
from models.results.losses import Bits
from models.results.tables import DATA, SLIDE, Measured, Way, has_factor, lengths, load
from posenc.words import say
from ui import screen
from ui.jobs.looks import title
from ui.screen.lesson import load as lesson
from ui.screen.one_file import download
from ui.words import _, language, number, translate

READING_WIDTH = 900
KINDS = {
    "python": say("documentation and code of Python"),
    "prose": say("novels"),
    "manual": say("technical manuals"),
    "dialogue": say("dialogue of a game"),
}
"""Titles of texts, by id."""


def by_kind(found: Bits) -> dict[str, list[str]]:
    """Ids of the texts of each kind."""
    return {
        kind: [n for n, its in zip(found.texts, found.kinds, strict=True) if its == kind]
        for kind in dict.fromkeys(found.kinds)
    }


def band(found: Bits, partner: str) -> str:
    """Which texts stand behind the curves, and what the bands are."""
    kinds = ", ".join(
        _("{kind}: {count}", kind=translate(KINDS[kind]), count=len(names))
        for kind, names in by_kind(found).items()
    )
    if len(found.texts) < 2:
        return _("One text ({kinds}): another may say something else.", kinds=kinds)
    return _(
        "Mean over {count} texts ({kinds}). Texts can differ far more than methods do, so each is "
        "compared with itself: a band reaches from the text with the smallest difference to "
        "“{partner}” to the one with the largest. It says how these texts differ, not how others "
        "may.",
        count=len(found.texts),
        kinds=kinds,
        partner=partner,
    )


def stretches(found: Bits, trained: int) -> str:
    """Explanation of L and of the table's columns."""
    end = int(found.first[-1] + found.tokens[-1] + 1)
    return _(
        "L = {trained:,} tokens, the trained length; beyond L is up to token {end:,}. In brackets: "
        "from the text with the smallest difference to the one with the largest. The sliding "
        "window sees at most the last {trained:,} tokens: what costs less than it gains from "
        "reading farther.",
        trained=trained,
        end=end,
    )


def kind_of(s: Any) -> str:
    """The kind of texts that is chosen; "" for all."""
    return "" if s.kind == "all" else str(s.kind)


def behind(
    found: Bits, length: int, ways: Sequence[Way]
) -> list[screen.WordsFigure | screen.FoldedFigure]:
    """Which texts, which model, which versions, what is missing, how to measure again."""
    measured = load()
    texts = [
        _(
            "Texts, {kind}: {names}.",
            kind=translate(KINDS[kind]),
            names=", ".join(map(_source, names)),
        )
        for kind, names in by_kind(found).items()
    ]
    passes = _(
        "Nothing is drawn at random: a pass over one text gives the same numbers again. "
        "The first {length:,} tokens of each text are drawn, read in one pass of as many "
        "or more, in float32.",
        length=length,
    )
    methods = ",".join(dict.fromkeys(way.method for way in ways))
    listed = ",".join(dict.fromkeys(f"{w.factor:g}" for w in ways if has_factor(w.method)))
    factor = f" --factor {listed}" if listed else ""
    command = (
        f"python -m models losses --texts {','.join(found.texts)} --lengths {length}"
        f"{factor} --methods {methods} --out again"
    )
    facts = [about(measured), *texts, passes, versions(measured.losses)]
    return [
        screen.WordsFigure(missing_words(measured, length), small=True),
        screen.FoldedFigure(
            title=_("The model and the texts, the data, and how to measure them again"),
            figures=[
                *map(screen.WordsFigure, facts),
                Downloads(),
                screen.WordsFigure(code=command, language="bash"),
            ],
        ),
    ]


def _source(name: str) -> str:
    """A text with the package that holds it and its licence."""
    source = TEXTS[name]
    if not source.package:
        return _("`{name}` ({licence})", name=name, licence=translate(source.licence))
    return _(
        "`{name}` (Debian's `{package}`, {licence})",
        name=name,
        package=source.package,
        licence=translate(source.licence),
    )


def missing_words(measured: Measured, length: int) -> str:
    """Sentences on what was not measured at this length."""
    there = {str(row["method"]) for row in measured.losses if row["length"] == length}
    trained = measured.about.trained
    wanted = [m for m in LOSS_METHODS if m not in there and (length > trained or m != SLIDE.method)]
    parts = []
    if wanted and length > trained:
        parts.append(
            _("Not measured yet: {names}.", names=", ".join(title(method) for method in wanted))
        )
    if length > trained:
        parts.append(
            _(
                "Nothing was measured beyond token {length:,}, and nothing after a tuning at the "
                "longer length, which takes more than two cores: the small models show what a "
                "short tuning does.",
                length=lengths(measured.losses)[-1],
            )
        )
    return " ".join(parts)


def about(measured: Measured) -> str:
    """The model in a sentence."""
    its = measured.about
    return _(
        "{title}: {parameters:.1f} million parameters in {layers} layers, {heads} heads on "
        "{key_heads} for keys, RoPE with base {base:,.0f}, trained at {trained:,} tokens. Its "
        "weights are those of a file of 4 bits (Q4_1; embeddings of 8), read in float32. Nothing "
        "in it was tuned for longer texts.",
        title=its.title,
        parameters=its.parameters / 1e6,
        layers=its.layers,
        heads=its.heads,
        key_heads=its.key_heads,
        base=its.base,
        trained=its.trained,
    )


def versions(rows: Iterable[Row]) -> str:
    """With what the rows were measured, and how long that took."""
    rows = list(rows)
    passes = {(str(r["sha256"]), r["method"], r["factor"], r["length"]): r for r in rows}
    seconds = float(np.sum([float(row["seconds"]) for row in passes.values()]))
    names = "; ".join(dict.fromkeys(str(row["versions"]) for row in rows))
    return _(
        "Measured with `{names}`: {passes} passes, {hours} hours of one core.",
        names=names,
        passes=number(len(passes)),
        hours=number(seconds / 3600, ".1f"),
    )


@dataclass(frozen=True)
class Downloads:
    """The files that ship, as they are."""

    def draw(self) -> screen.Drawn:
        with st.container(horizontal=True):
            for name in (LOSSES, PASSKEYS):
                path = DATA / name
                if path.is_file():
                    label = {LOSSES: _("Losses (CSV)"), PASSKEYS: _("Keys (CSV)")}[name]
                    download(label, path.read_bytes, name, key=f"get_{path.stem}")
        return screen.Drawn()


@dataclass(frozen=True)
class About:
    """How it was measured; what it means and does not mean is one press away."""

    picture: str
    """Name of the section of the lesson."""

    def draw(self) -> screen.Drawn:
        section = lesson("measured", language()).sections[self.picture]
        first, _rest, more = section.partition("\n\n")
        with st.container(width=READING_WIDTH):
            st.markdown(first)
            with st.expander(_("What is measured, what the curves say, and what they do not say")):
                st.markdown(more)
        return screen.Drawn()
