"""Indexers of transformers: each that turns is known, with the pairs that its code makes."""

import ast
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

from advisor.findings.kinds.indexers import INDEXERS

MODELS = Path(find_spec("transformers").origin).parent / "models"
IN_PAIRS = "apply_rotary_pos_emb_interleave"
NOT_READ = {"mistral_large4"}
"""Its frequencies are learned; nothing is said about its layers."""


def calls(tree: ast.AST) -> set[str]:
    """The names of the functions that are called."""
    nodes = (node.func for node in ast.walk(tree) if isinstance(node, ast.Call))
    return {node.id for node in nodes if isinstance(node, ast.Name)}


def rotations(tree: ast.AST) -> set[str]:
    """The rotations that are called."""
    return {name for name in calls(tree) if name.startswith("apply_rotary_pos_emb")}


def indexers() -> Iterator[tuple[str, set[str], set[str]]]:
    """Each model's folder with the rotations of its indexer and of its attention."""
    for path in sorted(MODELS.glob("*/modeling_*.py")):
        text = path.read_text()
        if "Indexer" not in text:  # to parse all would take a quarter of a minute
            continue
        classes = [one for one in ast.parse(text).body if isinstance(one, ast.ClassDef)]
        for kind in (one for one in classes if one.name.endswith("Indexer")):
            attention = [
                one
                for one in classes
                if one.name.endswith("Attention") and "Vision" not in one.name
            ]
            yield path.parent.name, rotations(kind), set().union(*map(rotations, attention))


def test_every_indexer_that_turns_is_known_with_its_pairs() -> None:
    turning = {folder: (own, main) for folder, own, main in indexers() if own}
    known = {name.removesuffix("_text"): str(how) for name, how in INDEXERS.items()}
    assert known.keys() == turning.keys() - NOT_READ
    for folder, how in known.items():
        own, main = turning[folder]
        is_half = own == {"apply_rotary_pos_emb"} and IN_PAIRS in main
        assert ("(i, i + d/2)" in how) == is_half, folder
        if "as in the attention" in how:
            assert own <= main, folder
