"""What the data of several chapters need: numbers as short as they are drawn, and the model."""

from typing import Any

from numpy.typing import NDArray
from torch import Tensor

from models.files.find import installed
from models.opened import Model, open_model


def rounded(values: Tensor | NDArray[Any], digits: int) -> Any:
    """As lists, with as many digits as are drawn."""
    if values.ndim:
        return [rounded(value, digits) for value in values]
    return round(float(values), digits)


def language_model() -> Model:
    """The installed one."""
    found = installed()
    assert found is not None, "the language model is not installed"
    return open_model(found)
