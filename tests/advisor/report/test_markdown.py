"""The Markdown says what the document says, and nothing of a file becomes markup."""

import pytest

from advisor import RopeConfig
from advisor.report.document import explain
from advisor.report.markdown import markdown, plain
from tests.kinds import known, one_of_each_kind


def of(name: str, target: int | None = None) -> tuple[dict, str]:
    document = explain(known(name), target)
    return document, markdown(document, name)


@pytest.mark.parametrize("name", one_of_each_kind())
def test_every_part_of_the_document_is_there(name: str) -> None:
    document, text = of(name, 200000)
    lines = text.split("\n")
    assert text.startswith(f"# {plain(name)}\n")
    assert plain(document["decision"]["sentence"]) in text
    assert plain(document["memory"]["missing"]) in text
    for layer in document["layers"]:
        assert f"## Layers: {plain(layer['name'])}" in text
        for row in layer.get("methods", ()):
            told = [one for one in lines if one.startswith(f"| {row['name']} |")]
            cells = f"| {row['attention_factor']:.4f} |", f"| {row['pairs_with_new_angles']}"
            assert any(all(cell in one for cell in cells) for one in told)
    for finding in document["findings"]:
        assert plain(finding["message"]) in text
    for engine in document["settings"]["engines"]:
        if engine["text"]:
            assert f"```{engine['language']}\n{engine['text']}\n```" in text
        elif engine["refused"]:
            assert plain(engine["refused"]) in text


def test_tables_have_as_many_cells_as_heads() -> None:
    for name in ("Llama-3.1-8B", "Gemma-3-12B", "T5", "BLOOM-176B"):
        widths: list[int] = []
        for line in of(name)[1].split("\n"):
            if not line.startswith("|"):
                widths = []
                continue
            widths.append(line.replace("\\|", "").count("|"))
            assert len(set(widths)) == 1, line


def test_a_file_cannot_write_markup() -> None:
    fields = {"model_type": "<b>![x](y)\n# z", "head_dim": 64, "max_position_embeddings": 4096}
    text = markdown(explain(RopeConfig.from_hf(fields)), "`a`\n# b")
    assert "<b>" not in text
    assert "![x]" not in text
    assert text.startswith("# \\`a\\` \\# b\n")
    assert not any(line.startswith("# z") for line in text.split("\n"))


def test_sentences_are_told_by_the_readers_own_words() -> None:
    document, text = of("Qwen2.5-7B-Instruct with YaRN")
    assert document["findings"]
    loud = markdown(document, "x", str.upper)
    assert plain(document["findings"][0]["message"].upper()) in loud
    assert "## FINDINGS" in loud
    assert "## Findings" in text
