"""Plain data that is checked when it is made: what does not fit is refused in a sentence."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Literal, Self, get_args, get_origin

from pydantic import BaseModel, ConfigDict, ValidationError


class ValidatedModel(BaseModel):
    """Frozen values, each of its kind and in its range.

    Raises:
        ValueError: Naming the first value that does not fit, and what is allowed.
    """

    model_config = ConfigDict(
        frozen=True,
        extra="forbid",
        allow_inf_nan=False,
        validate_by_name=True,
        validate_by_alias=True,
        serialize_by_alias=True,
    )

    def __init__(self, **values: Any) -> None:
        try:
            super().__init__(**values)
        except ValidationError as error:
            raise ValueError(self._refusal(error.errors()[0])) from None

    def changed(self, **values: Any) -> Self:
        """The same with other values, checked anew."""
        return type(self)(**{**dict(self), **values})

    @classmethod
    def _refusal(cls, found: Mapping[str, Any]) -> str:
        """Message about a value that does not fit."""
        if "error" in found.get("ctx", {}):  # a check of ours has said it
            return str(found["ctx"]["error"])
        name = str(found["loc"][0])
        value = found["input"]
        field = next(f for n, f in cls.model_fields.items() if name in (n, f.validation_alias))
        if get_origin(field.annotation) is Literal:
            return one_of(name, value, get_args(field.annotation))
        limits = {k: getattr(m, k) for m in field.metadata for k in ("ge", "le") if hasattr(m, k)}
        refused = whole_number if field.annotation is int else number
        return refused(name, value, limits["ge"], limits["le"])


class FromEnvironment(ValidatedModel):
    """Values that environment variables set; a field's alias is its variable."""

    @classmethod
    def read(cls, environment: Mapping[str, str], **values: Any) -> Self:
        """These values, for the rest what the variables say, else the defaults.

        Raises:
            ValueError: If a variable is not what it must be, in a sentence that names it.
        """
        set_ = {
            variable: environment.get(variable)
            for name, variable in cls._variables()
            if name not in values
        }
        return cls(**values, **{variable: text for variable, text in set_.items() if text})

    def variables(self) -> dict[str, str]:
        """The variables from which `read` makes equal values."""
        pairs = ((variable, getattr(self, name)) for name, variable in self._variables())
        return {variable: "" if value is None else str(value) for variable, value in pairs}

    @classmethod
    def _variables(cls) -> Iterator[tuple[str, str]]:
        """Names of fields, each with its variable."""
        for name, field in cls.model_fields.items():
            if isinstance(field.validation_alias, str):
                yield name, field.validation_alias


def one_of(name: str, value: object, allowed: Iterable[str]) -> str:
    """That a value is none of those that are allowed."""
    return f"{name} must be one of {', '.join(allowed)}, got {value!r:.80}."


def whole_number(name: str, value: object, low: float, high: float) -> str:
    """That a value is no whole number of a range."""
    return f"{name} must be a whole number from {low:g} to {high:g}, got {value!r:.80}."


def number(name: str, value: object, low: float, high: float) -> str:
    """That a value is no number of a range."""
    return f"{name} must be a number from {low:g} to {high:g}, got {value!r:.80}."
