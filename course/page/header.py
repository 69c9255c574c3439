"""The header of every page, plain pages and screens alike: name, menu, search."""

from collections.abc import Callable
from html import escape

from course.page.menu import MENU, Entry, Group
from posenc.words import say

NAME = say("Positional encodings")
"""Name of the site."""
FIND = say("Find: heat map, YaRN, padding …")
NOTHING = say("Nothing found for these words.")
ASK = say("All questions")

MOST_IN_A_COLUMN = 7
LABELS = [entry.label for group in MENU for entry in group.entries]
TWICE = {label for label in LABELS if LABELS.count(label) > 1}
"""Names of a chapter and a screen."""

HEADER = """\
<nav id="site"{lang} aria-label="{menu}" data-nothing="{nothing}" data-ask="{ask}">
<a class="skip" href="{main}">{skip}</a>
<a class="name" href="./">{name}</a>
<button class="find" type="button" aria-label="{find}" aria-controls="site-menu">\
<svg viewBox="0 0 20 20" width="20" height="20" fill="none" stroke="currentColor" \
stroke-width="2" aria-hidden="true"><circle cx="8.5" cy="8.5" r="5.5"/>\
<path d="m13 13 5 5"/></svg></button>
<button class="open" type="button" aria-expanded="false" aria-controls="site-menu">{menu}</button>
<div id="site-menu">
<div class="groups">
{groups}
</div>
<form role="search" action="./questions/">
<input type="search" role="combobox" autocomplete="off" spellcheck="false" aria-label="{find}" \
placeholder="{find}" aria-expanded="false" aria-controls="site-found" aria-autocomplete="list">
<ul id="site-found" role="listbox" aria-label="{found}" hidden></ul>
<p role="status" class="unseen"></p>
</form>
<button class="shade" type="button" title="{shade}">\
<svg viewBox="0 0 20 20" width="18" height="18" aria-hidden="true"><circle cx="10" cy="10" r="7" \
fill="none" stroke="currentColor" stroke-width="2"/><path d="M10 3a7 7 0 0 1 0 14z" \
fill="currentColor"/></svg><span>{shade}</span></button>
</div>
</nav>
"""
GROUP = """\
<details name="site-menu"{here}><summary>{label}<small> {words}</small></summary>
<ul{wide}>
{entries}
</ul></details>"""
ENTRY = '<li><a href="{href}"{here}><b>{label}</b>{kind} <small>{words}</small></a></li>'


def header(
    here: str, told: Callable[[str], str] = str, language: str = "", *, main: str = "#main"
) -> str:
    """HTML of the header, for a page whose `<base>`, if it is not the root itself, is the root.

    Args:
        here: Address of the page from the root of the site: "/rope", "/course/rope/lock/".
        told: Says a text in the reader's language.
        language: Its name, if that is not the page's own.
        main: Where the page itself begins, for who goes by the keyboard.
    """
    return HEADER.format(
        lang=f' lang="{language}"' if language else "",
        name=escape(told(NAME)),
        main=main,
        skip=escape(told(say("Skip to main content"))),
        menu=escape(told(say("Menu"))),
        find=escape(told(FIND)),
        found=escape(told(say("What is found"))),
        nothing=escape(told(NOTHING)),
        shade=escape(told(say("Light or dark"))),
        ask=escape(told(ASK)),
        groups="\n".join(_group(group, here, told) for group in MENU),
    )


def _group(group: Group, here: str, told: Callable[[str], str]) -> str:
    return GROUP.format(
        wide=' class="wide"' if len(group.entries) > MOST_IN_A_COLUMN else "",
        label=escape(told(group.label)),
        words=escape(told(group.words)),
        here=' class="here"' if any(is_at(entry, here) for entry in group.entries) else "",
        entries="\n".join(_entry(entry, here, told) for entry in group.entries),
    )


def _entry(entry: Entry, here: str, told: Callable[[str], str]) -> str:
    return ENTRY.format(
        href=f".{entry.address}",
        here=' aria-current="page"' if is_at(entry, here) else "",
        label=escape(told(entry.label)),
        kind=f", {escape(told(_kind(entry)))}" if entry.label in TWICE else "",
        words=escape(told(entry.words)),
    )


def _kind(entry: Entry) -> str:
    return say("the chapter") if entry.address.startswith("/course/") else say("the screen")


def is_at(entry: Entry, here: str) -> bool:
    """Whether a page is what an entry leads to; a step belongs to its chapter."""
    if entry.address == "/course/" or not entry.address.endswith("/"):
        return here == entry.address
    return here.startswith(entry.address)
