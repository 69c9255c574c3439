"""One engine's reading of the lengths in a file."""

from dataclasses import dataclass

from posenc.config.data import Config
from posenc.config.fields import Fields


@dataclass(frozen=True)
class EngineReading:
    """One engine's reading of the lengths in a file.

    Args:
        engine: Its name, one of `ENGINES`.
        trained_length: L₀, tokens, None where the engine does not ask for it or finds none.
        trained_from: The field it is taken from, or why there is none.
        factor: What frequencies are stretched by; α for dynamic scaling; None without scaling.
        factor_from: The field or the ratio it is taken from.
        longest: Tokens it reads unless it is told otherwise.
        longest_from: The field or the product it is taken from.
    """

    engine: str
    trained_length: int | None
    trained_from: str
    factor: float | None
    factor_from: str
    longest: int | None
    longest_from: str


def given_object(config: Config, layer_type: str) -> Fields:
    """The object of the file that describes this layer type, or the one for all."""
    return config.objects.get(layer_type) or next(iter(config.objects.values()))
