"""Which languages there are, and which one a session speaks.

The language is settled at the start of each whole run by `choose_language`, from `lang` in the
address, else from what the browser asks for, and stands in the session's state: there fragments
and callbacks find it, and no other session sees it.
"""

import gettext
import os
import re
from functools import cache
from io import BytesIO
from pathlib import Path

import streamlit as st
from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po

from posenc.words import Sentence, say
from ui.memory import memory
from ui.streamlit.run import is_running
from ui.words import pseudo

ENGLISH = "en"
PARAMETER = "lang"
ROOT = Path(__file__).parent.parent.parent
LOCALES = ROOT / "locales"
LESSONS = ROOT / "pages"
CHAPTERS = ROOT / "course" / "chapters"
SHARED = ("navigation.py", "plots/", "ui/")
"""Files with words that every screen may show."""
UNTOLD = say("This screen is not in your language yet. It is in English.")


def language() -> str:
    """Language of this run's session; English where no session runs, as in a worker."""
    if not is_running():
        return ENGLISH
    kept = memory()
    if "_app_language" not in kept:
        kept["_app_language"] = _asked_by_browser()
    spoken: str = kept["_app_language"]
    return spoken


def choose_language() -> Sentence | None:
    """Settle the language of the session; for the start of a whole run.

    Returns:
        What is wrong with the language that the address asks for, the first time that it does.
    """
    state = memory()
    asked = st.query_params.get(PARAMETER)
    if asked in languages():
        state["_app_language_asked"] = asked
    state["_app_language"] = asked_language() or _asked_by_browser()
    if asked is not None and asked not in (*languages(), state.get("_app_language_wrong")):
        state["_app_language_wrong"] = asked
        return say(
            "The address asks for a language that is not here. Here are: {allowed}.",
            allowed=", ".join(languages()),
        )
    return None


def settle_screen(screen: str) -> str:
    """Speak English on a screen that is not there in the language of the session.

    Returns:
        A sentence that says so, in that language; "" where it is there.
    """
    spoken = language()
    if has_screen(spoken, screen):
        return ""
    memory()["_app_language"] = ENGLISH
    return catalogue(spoken).gettext(UNTOLD.template)


def asked_language() -> str | None:
    """The language that an address has asked for, for the addresses that come; None without."""
    asked: str | None = memory().get("_app_language_asked")
    return asked


def language_of(asked: str | None, header: str) -> str:
    """Language of a page that is made for no session.

    Args:
        asked: The one that its address asks for.
        header: What the browser's Accept-Language says.
    """
    return asked if asked in languages() else best(header or ENGLISH, languages())


@cache
def languages() -> tuple[str, ...]:
    """Languages that are offered: English, and each that has a catalogue.

    A chapter or a screen that is not there in one of them is in English: `has_chapter`,
    `has_screen`. The made-up one is there where the environment has POSENC_PSEUDO=1.
    """
    folders = sorted(path.parent.name for path in LOCALES.glob("*/messages.po"))
    made_up = [pseudo.NAME] if os.environ.get("POSENC_PSEUDO") == "1" else []
    return (ENGLISH, *folders, *made_up)


@cache
def has_chapter(name: str, chapter: str) -> bool:
    """Whether a chapter of the course is there in a language: its words, and those around them."""
    if name in (ENGLISH, pseudo.NAME):
        return True
    words = CHAPTERS / chapter / f"words.{name}.md"
    return words.is_file() and not _lacking(name) & {"course/page/chapter.py"}


@cache
def has_contents(name: str) -> bool:
    """Whether what stands around the chapters of the course is there in a language."""
    return name in (ENGLISH, pseudo.NAME) or not _lacking(name) & {"course/page/contents.py"}


@cache
def has_screen(name: str, screen: str) -> bool:
    """Whether a screen is there in a language: lesson, own texts, and what all screens share.

    What the library says of its numbers is told in English, text by text, until it is translated.
    """
    if name in (ENGLISH, pseudo.NAME):
        return True
    lessons = (LESSONS / screen).glob(f"*.{ENGLISH}.md")
    is_told = all(
        path.with_name(f"{path.name.split('.')[0]}.{name}.md").is_file() for path in lessons
    )
    own = (f"pages/{screen}/", *SHARED)
    return is_told and not any(place.startswith(own) for place in _lacking(name))


@cache
def _lacking(name: str) -> frozenset[str]:
    """Files with a text that has no translation, or one that is only a guess."""
    return frozenset(
        place
        for message in read(name)
        if message.id and (message.fuzzy or not all(_strings(message.string)))
        for place, _line in message.locations
    )


def _strings(string: str | tuple[str, ...] | list[str] | None) -> tuple[str, ...]:
    return (string,) if isinstance(string, str) else tuple(string or ("",))


def read(name: str) -> Catalog:
    """A language's catalogue as its translators see it."""
    with (LOCALES / name / "messages.po").open("rb") as file:
        return read_po(file, locale=name)


@cache
def catalogue(name: str) -> gettext.NullTranslations:
    """The texts of a language; English is its own."""
    if name == pseudo.NAME:
        return pseudo.Pseudo()
    if name == ENGLISH:
        return gettext.NullTranslations()
    compiled = BytesIO()
    write_mo(compiled, read(name))
    compiled.seek(0)
    return gettext.GNUTranslations(compiled)


def _asked_by_browser() -> str:
    header = st.context.headers.get("Accept-Language") or st.context.locale or ENGLISH
    return best(header, languages())


@cache
def best(header: str, offered: tuple[str, ...]) -> str:
    """The offered language that a browser's Accept-Language header likes best, else English.

    The made-up language is only for those who ask for it in the address.
    """
    wishes: list[tuple[float, str]] = []
    for wish in header.split(","):
        name, _, quality = wish.partition(";q=")
        liked = float(quality) if re.fullmatch(r"\s*[\d.]+\s*", quality) else 1.0
        wishes.append((liked, name.strip().replace("_", "-")))
    real = [name for name in offered if name != pseudo.NAME]
    for _, name in sorted(wishes, key=lambda wish: -wish[0]):
        for candidate in (name, name.split("-")[0]):
            if candidate in real:
                return candidate
    return ENGLISH
