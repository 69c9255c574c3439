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
    """Languages that are offered: English, and each that is complete.

    The made-up one is there where the environment has POSENC_PSEUDO=1.
    """
    folders = sorted(path.parent.name for path in LOCALES.glob("*/messages.po"))
    made_up = [pseudo.NAME] if os.environ.get("POSENC_PSEUDO") == "1" else []
    return (ENGLISH, *(name for name in folders if is_complete(name)), *made_up)


def is_complete(name: str) -> bool:
    """True if every text of a language's catalogue, every lesson and homework is translated."""
    lessons = LESSONS.glob(f"*/*.{ENGLISH}.md")
    return not untranslated(read(name)) and all(
        path.with_name(path.name.replace(f".{ENGLISH}.md", f".{name}.md")).is_file()
        for path in lessons
    )


def untranslated(texts: Catalog) -> list[str]:
    """Texts of a catalogue without a translation, or with one that is only a guess."""
    messages = (message for message in texts if message.id)
    return [
        message.id if isinstance(message.id, str) else message.id[0]
        for message in messages
        if message.fuzzy or not all(_strings(message.string))
    ]


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
