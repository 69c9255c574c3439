"""Numbers out of environment variables, refused in a sentence."""

from collections.abc import Mapping


def number(
    environment: Mapping[str, str],
    name: str,
    default: float,
    low: float,
    high: float,
    whole: bool = False,
) -> float:
    """The number that a variable holds, or the default where it is not set.

    Raises:
        ValueError: If it is no number (no whole number where `whole`) from `low` to `high`.
    """
    text = environment.get(name)
    if not text:
        return default
    try:
        value = float(text)
    except ValueError:
        value = float("nan")
    if not low <= value <= high or (whole and not value.is_integer()):
        kind = "a whole number" if whole else "a number"
        raise ValueError(f"{name} is {text!r}; it must be {kind} from {low:g} to {high:g}.")
    return value
