"""The menu leads to all screens and chapters, from every page below every prefix."""

import re
from html import unescape
from pathlib import Path
from urllib.parse import urljoin

import pytest

from course.chapters import COURSE
from course.page.header import header
from course.page.menu import CHAPTERS, MENU, SCREENS

PAGES = Path(__file__).parents[3] / "pages"
ENTRIES = [entry for group in MENU for entry in group.entries]


def links(html: str) -> list[tuple[str, str]]:
    """Address and name of each entry, in their order."""
    return re.findall(r'<li><a href="([^"]*)"[^>]*><b>(.*?)</b>', html)


def test_every_screen_that_has_pictures_stands_in_the_menu():
    screens = {path.parent.name for path in PAGES.glob("*/screen.py")} - {"home"}
    assert {*SCREENS} - {"playlist", "homework"} == screens
    assert tuple(CHAPTERS) == COURSE


@pytest.mark.parametrize("root", ["http://host/", "http://host/lectures/nlp/"])
def test_links_count_from_the_root_below_a_prefix(root):
    found = [urljoin(root, href) for href, _ in links(header("/course/rope/"))]
    assert found == [root + entry.address.removeprefix("/") for entry in ENTRIES]


@pytest.mark.parametrize(
    ("here", "marked"),
    [
        ("/rope", ["/rope"]),
        ("/course/rope/lock/", ["/course/rope/"]),
        ("/course/", ["/course/"]),
        ("/questions/sqrt-d/", ["/questions/"]),
        ("/", []),
        ("/ropes", []),
    ],
)
def test_the_page_that_is_shown_is_marked(here, marked):
    html = header(here)
    found = re.findall(r'<a href="([^"]*)" aria-current="page">', html)
    assert found == [f".{address}" for address in marked]
    assert html.count('class="here"') == len(marked)


def test_every_entry_says_in_a_sentence_what_is_there():
    told = {unescape(name) for _, name in links(header("/"))}
    assert told == {entry.label for entry in ENTRIES}
    for entry in ENTRIES:
        assert entry.words.endswith("."), entry.id
        assert 20 <= len(entry.words) <= 80, entry.id


def test_the_header_speaks_the_readers_language():
    told = header("/rope", told=lambda text: f"«{text}»")
    for label, words in re.findall(r"<b>(.*?)</b> <small>(.*?)</small>", told):
        assert (label[0], label[-1], words[0], words[-1]) == ("«", "»", "«", "»")


def test_what_has_the_name_of_another_says_what_it_is():
    lines = [line for line in header("/").splitlines() if "<b>RoPE</b>" in line]
    assert [line.split("</b>")[1].split(" <small>")[0] for line in lines] == [
        ", the chapter",
        ", the screen",
    ]
    assert all(
        "<b>ALiBi</b> <small>" in line for line in header("/").splitlines() if ">ALiBi<" in line
    )
