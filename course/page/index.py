"""Lists of all pages: what the search field finds, and what others read to find pages."""

import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from difflib import get_close_matches
from html import escape, unescape
from itertools import pairwise
from typing import Any

from advisor import known_models
from advisor.engines.all import ENGINES
from course.page.document import Page
from course.page.header import NAME
from course.page.menu import ANSWERS, CHAPTERS, FIGURES, MENU, NUMBERS, Entry
from exhibits.pitfalls.all import PITFALLS
from posenc.words import say

KINDS = {
    "screen": say("Screen"),
    "chapter": say("Course"),
    "step": say("Course, a step"),
    "question": say("Question"),
    "term": say("Glossary"),
    "pitfall": say("Pitfall"),
    "figure": say("Picture"),
    "answer": say("Answer"),
}
"""Kinds of what is found."""
SUMMARY = say(
    "How a transformer knows where its tokens are: positional encodings as pictures that can be "
    "taken hold of, a course in small steps, and settings for models that are to read "
    "further than they were trained to."
)
MOST_NEAR = 5
FIRST_MODELS = ("Llama-3.1-8B", "Qwen3-8B", "Qwen2.5-7B-Instruct", "Gemma-3-12B", "DeepSeek-V3")
"""Those that stand for their family where no size is said."""
MODELS = [
    *dict.fromkeys(
        (*FIRST_MODELS, *(name for name in known_models() if not name.startswith("Yarn")))
    )
]
"""Names that are carried along; whoever types YaRN means the method."""
ALIKE = 0.7
NEARLY = 0.85  # of one word among several
LIKE_A_SCREEN = "<style>:root { --paper: light-dark(#ffffff, #161614) }</style>"
"""The ground of a screen, for an address where most look for one."""
MOST_LETTERS = 100  # of an address that is said again
MOST_WORDS = 4  # of it that are looked for one by one
KEYWORDS = re.compile(r'<meta name="keywords" content="([^"]*)">')
TERM = re.compile(r'<dt id="([^"]+)">(.*?)</dt>\s*<dd>(.*?)</dd>', re.DOTALL)
TAG = re.compile(r"<[^>]+>")


def search_index(pages: Iterable[Page], told: Callable[[str], str] = str) -> str:
    """JSON of what the search field finds: title, kind, address, words, and numbers it takes.

    Args:
        pages: Those that stand in no menu.
        told: Says a text in the reader's language.
    """
    listed = [*pages]
    entries = [
        _entry(told(group.label), told(entry.label), entry.address, told(entry.words), _more(entry))
        for group in MENU
        for entry in group.entries
        if entry.id not in CHAPTERS or not entry.address.startswith("/course/")
    ]
    there = {entry["address"] for entry in entries}
    searched = {entry.address: entry.search for entry in CHAPTERS.values()}
    for page in listed:
        kind = kind_of(page.path)
        if kind and page.path not in there:
            more = searched.get(page.path) or unescape("".join(KEYWORDS.findall(page.head)))
            entries.append(_entry(told(KINDS[kind]), page.title, page.path, page.description, more))
        if page.path == "/course/glossary/":
            entries += _terms(page, told(KINDS["term"]))
    entries += [
        _entry(told(KINDS[kind]), told(title), to, told(words), more)
        for kind, group in (("answer", ANSWERS), ("figure", FIGURES))
        for title, to, words, more in group
    ]
    entries += [
        _entry(
            told(KINDS["pitfall"]),
            told(pitfall.title),
            f"/pitfalls?pitfall={name}",
            "",
            "bug mistake wrong",
        )
        for name, pitfall in PITFALLS.items()
    ]
    return json.dumps(entries, ensure_ascii=False, separators=(",", ":"))


def _more(entry: Entry) -> str:
    """Words to find an entry by; of the studio also the models and engines that it knows."""
    if entry.id != "config":
        return entry.search
    return " ".join([entry.search, *known_models(), *(str(one.title) for one in ENGINES.values())])


def _entry(kind: str, title: str, address: str, words: str, more: str) -> dict[str, Any]:
    entry: dict[str, Any] = {
        "title": str(title),
        "kind": str(kind),
        "address": address,
        "words": str(words),
        "more": more,
    }
    entry |= {"numbers": NUMBERS[address]} if address in NUMBERS else {}
    return entry | ({"models": MODELS} if address == "/config" else {})


def _terms(page: Page, kind: str) -> list[dict[str, Any]]:
    """The terms of the glossary, each with its first sentence."""
    return [
        _entry(kind, _plain(term), f"{page.path}#{name}", _plain(text).split(". ")[0], "")
        for name, term, text in TERM.findall(page.body)
    ]


def _plain(html: str) -> str:
    return " ".join(unescape(TAG.sub("", html)).split())


def kind_of(path: str) -> str:
    """Kind of a page by its path; "" for one that only leads to others."""
    parts = path.strip("/").split("/")
    if parts[0] == "course" and len(parts) > 1:
        return "step" if len(parts) > 2 else "chapter"
    if parts[0] == "questions":
        return "question" if len(parts) > 1 else ""
    return "screen" if parts[0] else ""


def sitemap(pages: Iterable[Page], public: str) -> str:
    """XML that lists the addresses of all pages.

    Args:
        pages: Those of the site.
        public: Its address, "https://…/".
    """
    places = "".join(
        f"<url><loc>{escape(public + page.path.lstrip('/'))}</loc></url>\n" for page in pages
    )
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        f'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n{places}</urlset>\n'
    )


def robots(public: str) -> str:
    """robots.txt: everything may be read but what only works for a page that is open."""
    return (
        f"User-agent: *\nDisallow: /_stcore/\nDisallow: /media/\n\nSitemap: {public}sitemap.xml\n"
    )


def llms(pages: Iterable[Page], public: str) -> str:
    """llms.txt: what there is, with a sentence each, for programs that read."""
    titles = {"screen": "Explore", "chapter": "Course", "question": "Questions and answers"}
    lines = [f"# {NAME}", "", f"> {SUMMARY}"]
    listed = [*pages]
    for kind, title in titles.items():
        lines += ["", f"## {title}", ""]
        lines += [
            f"- [{page.title}]({public}{page.path.lstrip('/')}): {page.description}"
            for page in listed
            if kind_of(page.path) == kind
        ]
    return "\n".join(lines) + "\n"


def nearest(path: str, others: Iterable[Entry] = ()) -> list[Entry]:
    """Entries whose addresses are like one that there is not; at most five.

    Where its folder is known, or nearly, names in there are looked at, and the folder itself is the
    last.

    Args:
        path: The address.
        others: What there is besides the menu; elsewhere they are looked at if it has nothing.
    """
    menu = _by_address(entry for group in MENU for entry in group.entries)
    names = _by_address(others) | menu
    typed, _, last = path.strip("/").lower()[:MOST_LETTERS].rpartition("/")
    folder = _folder(typed, names)
    if folder in names:
        near = _like(last, _within(folder, names))
    else:
        near = [*_like(last, menu), *_worded(last, menu), *_like(last, names)]
    above = [names[name] for name in names if f"{folder}/".startswith(f"{name}/")]
    above.sort(key=lambda entry: -len(entry.address))
    return [*dict.fromkeys([*near[: MOST_NEAR - len(above)], *above])]


def _folder(typed: str, names: Mapping[str, Entry]) -> str:
    """The known folder that a typed one is like, part by part; where there is none, the typed."""
    if typed in names or not typed:
        return typed
    above, _, last = typed.rpartition("/")
    above = _folder(above, names)
    inside = {at.rpartition("/")[2]: at for at in _within(above, names)}
    like = get_close_matches(last, inside, 1, ALIKE)
    return inside[like[0]] if like else f"{above}/{last}".lstrip("/")


def _within(folder: str, names: Mapping[str, Entry]) -> dict[str, Entry]:
    return {at: names[at] for at in names if at.rpartition("/")[0] == folder}


def _by_address(entries: Iterable[Entry]) -> dict[str, Entry]:
    return {entry.address.strip("/").lower(): entry for entry in entries}


def _like(last: str, names: Mapping[str, Entry]) -> list[Entry]:
    """Those whose last part is like a name, the nearest first, or has it in it."""
    by_last: dict[str, Entry] = {}
    for name, entry in names.items():
        by_last[_letters(name.rpartition("/")[2])] = entry
    typed = _letters(last)
    found = [by_last[name] for name in get_close_matches(typed, by_last, MOST_NEAR, ALIKE)]
    part_of = [entry for name, entry in by_last.items() if len(typed) > 2 and typed in name]
    return [*dict.fromkeys([*found, *part_of])]


def _worded(last: str, names: Mapping[str, Entry]) -> list[Entry]:
    """Those whose names, or words to find them by, are nearly the typed; those by name first.

    Two words that follow each other count as one, too, as an address may run them together. Where
    nothing is like the whole, the entries that have most of the typed words are meant.
    """
    by_words: dict[str, list[Entry]] = {}
    for entry in names.values():
        words = _words(f"{entry.label} {entry.search}")
        for word in {*words, *map("".join, pairwise(words))}:
            by_words.setdefault(word, []).append(entry)
    typed = _letters(last)
    whole = [word for word in get_close_matches(typed, by_words, 1, ALIKE) if len(word) > 1]
    if not whole:
        each = [get_close_matches(word, by_words, 1, NEARLY) for word in _words(last)[:MOST_WORDS]]
        counts = Counter(entry for found in each for word in found for entry in by_words[word])
        most = max(counts.values(), default=0)
        return [entry for entry, count in counts.items() if count == most]
    return sorted(by_words[whole[0]], key=lambda entry: whole[0] not in _letters(entry.label))


def _letters(text: str) -> str:
    return "".join(_words(text))


def _words(text: str) -> list[str]:
    """Words of letters and numbers, small."""
    return re.findall(r"[^\W_]+", text.lower())


def same_but_for_capitals(path: str, others: Iterable[Entry] = ()) -> str:
    """Address of the page that another one names in other letters: "/rope" for "/RoPE"; or ""."""
    names = _by_address(entry for group in MENU for entry in group.entries)
    entry = (_by_address(others) | names).get(path.strip("/").lower())
    return entry.address if entry and entry.address.strip("/") != path.strip("/") else ""


def _kind(entry: Entry) -> str:
    """Say whether an entry is a chapter or a screen: two may have one name."""
    kind = kind_of(entry.address)
    return f" <small>{escape(KINDS[kind])}</small>" if kind else ""


def not_found(path: str, others: Iterable[Entry] = ()) -> Page:
    """The page for an address that there is not; `others` as for `nearest`."""
    near = nearest(path, others)
    links = "".join(
        f'<li><a href="{entry.address}">{escape(entry.label)}</a>{_kind(entry)}'
        f"<br>{escape(entry.words)}</li>"
        for entry in near
    )
    meant = (
        say("Were you looking for this?")
        if len(near) == 1
        else say("Were you looking for one of these?")
    )
    return Page(
        path=path,
        title=say("There is no such page"),
        description=say("There is nothing at this address."),
        body=(
            f"<article class='text'><h1>{escape(say('There is no such page'))}</h1>"
            f"<p>{escape(say('There is nothing at {path}.', path=path[:MOST_LETTERS]))}</p>"
            + (f"<p>{escape(meant)}</p><ul>{links}</ul>" if near else "")
            + f"<p>{escape(say('Find, at the top, searches all screens and steps.'))}</p>"
            + f'<p><a href="/">{escape(say("To the home page"))}</a></p></article>'
        ),
        head='<meta name="robots" content="noindex">' + LIKE_A_SCREEN,
    )
