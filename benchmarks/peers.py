"""The libraries that posenc is measured against, as far as they are installed here.

transformers, x-transformers and rotary-embedding-torch come with requirements-dev.txt. torchtune
cannot be imported without torchao and more, and needs them for nothing here: its files of positions
are loaded alone (requirements-alone.txt).
"""

import importlib
import importlib.util
import warnings
from pathlib import Path
from types import ModuleType


def optional(name: str) -> ModuleType | None:
    """A module, or None where it is not installed."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)  # x-transformers uses torch.jit
            return importlib.import_module(name)
    except ModuleNotFoundError:
        return None


def model(name: str) -> ModuleType | None:
    """transformers' file of a model, or None without transformers."""
    return optional(f"transformers.models.{name}.modeling_{name}")


def torchtune_file(name: str) -> ModuleType | None:
    """A file of torchtune by its path in the package, or None without torchtune."""
    package = importlib.util.find_spec("torchtune")
    if package is None or not package.submodule_search_locations:
        return None
    path = Path(package.submodule_search_locations[0]) / name
    spec = importlib.util.spec_from_file_location(f"torchtune_{path.stem}", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


transformers = optional("transformers")
x_transformers = optional("x_transformers.x_transformers")
rotary_embedding_torch = optional("rotary_embedding_torch")
torchtune = torchtune_file("modules/position_embeddings.py")
