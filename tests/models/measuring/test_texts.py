"""Texts are read from what is on the machine, the novels without R."""

import hashlib
import zlib
from pathlib import Path
from pydoc_data.topics import topics

import pytest

from models.files.find import Found
from models.measuring.texts import IN_ORDER, TEXTS, here, read_text, whole_text
from models.opened import Model, open_model
from tests.models import tiny


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Model:
    """Its tokens are bytes."""
    return open_model(Found("t", "T", tiny.save("llama", tmp_path_factory.mktemp("m"))))


def number(value: int) -> bytes:
    return value.to_bytes(4, "big")


def serialised(lines: list[str]) -> bytes:
    """A character vector as R Internals describes it."""
    data = b"X\n" + number(3) + number(0x40201) + number(0x30500) + number(5) + b"UTF-8"
    data += number(16) + number(len(lines))
    for line in lines:
        data += number(0x40009) + number(len(line.encode())) + line.encode()
    return number(len(data)) + zlib.compress(data)


def novels(folder: Path, cut: int = 0) -> Path:
    (folder / "data").mkdir()
    written = b"".join(serialised([f"Novel {name}", "", "It was – so."]) for name in IN_ORDER)
    (folder / "data" / "Rdata.rdb").write_bytes(written[: len(written) - cut])
    return folder


def test_a_text_of_python(model: Model) -> None:
    text = read_text("topics", model, 300)
    whole = "\n\n".join(topics[key] for key in sorted(topics))
    assert text.sha256 == hashlib.sha256(whole.encode()).hexdigest()[:16]
    assert len(text.ids) == 300
    assert text.ids == model.tokens(whole[:300]).ids[:300]
    assert text.kind == "python"
    assert read_text("topics", model, 20).sha256 == text.sha256


def test_every_text_of_python_is_there_and_long() -> None:
    """32,768 tokens of a real model are some 130,000 characters."""
    for name in set(TEXTS) - set(IN_ORDER):
        assert len(whole_text(name)) > 200_000
    assert set(TEXTS) - set(here(Path("/nowhere"))) == set(IN_ORDER)


def test_novels_are_read_from_the_package_of_r(tmp_path: Path, model: Model) -> None:
    folder = novels(tmp_path)
    assert here(folder) == TEXTS
    for name in IN_ORDER:
        expected = f"Novel {name}\n\nIt was – so."
        text = read_text(name, model, 20, folder)
        assert text.ids == model.tokens(expected).ids[:20]
        assert text.sha256 == hashlib.sha256(expected.encode()).hexdigest()[:16]
        assert text.kind == "prose"


def test_what_cannot_be_read_is_refused_in_a_sentence(tmp_path: Path, model: Model) -> None:
    with pytest.raises(ValueError, match="There is no text 'x'; these can be read: topics, async"):
        read_text("x", model, 5, tmp_path)
    with pytest.raises(ValueError, match=r"The novel emma is not here: .* with dpkg-deb -x"):
        read_text("emma", model, 5, tmp_path)
    folder = novels(tmp_path, cut=9)
    assert len(read_text("pride", model, 5, folder).ids) == 5
    with pytest.raises(ValueError, match=r"Rdata.rdb cannot be read: an object has another size"):
        read_text("sense", model, 5, folder)
    with pytest.raises(ValueError, match="The text emma has 26 tokens, and 27 are asked for"):
        read_text("emma", model, 27, folder)
    (folder / "data" / "Rdata.rdb").write_bytes(number(3) + zlib.compress(b"abc"))
    with pytest.raises(ValueError, match="an object is not in R's binary format"):
        read_text("emma", model, 5, folder)
