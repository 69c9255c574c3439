"""Texts are read from what is on the machine, the novels without R."""

import hashlib
import zlib
from pathlib import Path
from pydoc_data.topics import topics

import pytest

from models.measuring.texts import IN_ORDER, TEXTS, here, read_text, whole_text
from models.opened import Model
from tests.models import tiny


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Model:
    """Its tokens are bytes."""
    return tiny.opened(tiny.save("llama", tmp_path_factory.mktemp("m")))


def number(value: int) -> bytes:
    return value.to_bytes(4, "big")


def serialised(lines: list[str]) -> bytes:
    """A character vector as R Internals describes it."""
    data = b"X\n" + number(3) + number(0x40201) + number(0x30500) + number(5) + b"UTF-8"
    data += number(16) + number(len(lines))
    for line in lines:
        data += number(0x40009) + number(len(line.encode())) + line.encode()
    return number(len(data)) + zlib.compress(data)


def novels(root: Path, cut: int = 0) -> Path:
    """Novels where Debian's package has them; the file."""
    file = root / TEXTS["emma"].path
    file.parent.mkdir(parents=True)
    written = b"".join(serialised([f"Novel {name}", "", "It was – so."]) for name in IN_ORDER)
    file.write_bytes(written[: len(written) - cut])
    return file


def test_a_text_of_python(model: Model) -> None:
    text = read_text("topics", model, 300)
    whole = "\n\n".join(topics[key] for key in sorted(topics))
    assert text.sha256 == hashlib.sha256(whole.encode()).hexdigest()[:16]
    assert len(text.ids) == 300
    assert text.ids == model.tokens(whole[:300]).ids[:300]
    assert text.kind == "python"
    assert read_text("topics", model, 20).sha256 == text.sha256


def test_every_text_of_python_is_there_and_long(tmp_path: Path) -> None:
    """32,768 tokens of a real model are some 130,000 characters."""
    assert here(tmp_path) == tuple(name for name in TEXTS if TEXTS[name].kind == "python")
    for name in here(tmp_path):
        assert len(whole_text(name, tmp_path)) > 200_000


def test_novels_are_read_from_the_package_of_r(tmp_path: Path, model: Model) -> None:
    novels(tmp_path)
    assert set(here(tmp_path)) - set(here(Path("/nowhere"))) == set(IN_ORDER)
    for name in IN_ORDER:
        expected = f"Novel {name}\n\nIt was – so."
        text = read_text(name, model, 20, tmp_path)
        assert text.ids == model.tokens(expected).ids[:20]
        assert text.sha256 == hashlib.sha256(expected.encode()).hexdigest()[:16]
        assert text.kind == "prose"


def test_manuals_are_files_one_after_the_other(tmp_path: Path, model: Model) -> None:
    git = tmp_path / "usr/share/doc/git-doc/user-manual.txt"
    vim = tmp_path / "usr/share/vim/vim90/doc"
    for folder in (git.parent, vim):
        folder.mkdir(parents=True)
    git.write_text("= Git User Manual\n")
    (vim / "usr_02.txt").write_text("second")
    (vim / "usr_01.txt").write_text("first")
    (vim / "options.txt").write_text("no part of the manual")
    assert whole_text("git", tmp_path) == "= Git User Manual\n"
    assert whole_text("vim", tmp_path) == "first\n\nsecond"
    assert read_text("vim", model, 5, tmp_path).kind == "manual"


SCENARIO = """
[message]
    speaker=Konrad
    # po: a remark for translators
    message= _ "There are too many
        of them, he said ""run""!"
[/message]
[message]
    message=_"Night falls."
[/message]
[message]
    speaker=unit
    message=$not_told
[/message]
"""


def test_dialogue_is_who_says_what(tmp_path: Path, model: Model) -> None:
    folder = tmp_path / "usr/share/games/wesnoth/1.16/data/campaigns/Heir_To_The_Throne/scenarios"
    folder.mkdir(parents=True)
    (folder / "01_First.cfg").write_text(SCENARIO)
    (folder / "02_Second.cfg").write_text(SCENARIO.replace("Konrad", "Delfador"))
    told = '{}: There are too many of them, he said "run"!\n\nnarrator: Night falls.'
    expected = told.format("Konrad") + "\n\n" + told.format("Delfador")
    assert whole_text("throne", tmp_path) == expected
    assert read_text("throne", model, 5, tmp_path).kind == "dialogue"


def test_every_text_says_where_it_comes_from_and_its_licence() -> None:
    for source in TEXTS.values():
        assert source.licence
        assert bool(source.package) == source.path.startswith("usr/")


def test_what_cannot_be_read_is_refused_in_a_sentence(tmp_path: Path, model: Model) -> None:
    with pytest.raises(ValueError, match="There is no text 'x'; these can be read: topics, async"):
        read_text("x", model, 5, tmp_path)
    with pytest.raises(ValueError, match=r"The text emma is not here: .*janeaustenr has it"):
        read_text("emma", model, 5, tmp_path)
    file = novels(tmp_path, cut=9)
    assert len(read_text("pride", model, 5, tmp_path).ids) == 5
    with pytest.raises(ValueError, match=r"Rdata.rdb cannot be read: an object has another size"):
        read_text("sense", model, 5, tmp_path)
    with pytest.raises(ValueError, match="The text emma has 26 tokens, and 27 are asked for"):
        read_text("emma", model, 27, tmp_path)
    file.write_bytes(number(3) + zlib.compress(b"abc"))
    with pytest.raises(ValueError, match="an object is not in R's binary format"):
        read_text("emma", model, 5, tmp_path)
