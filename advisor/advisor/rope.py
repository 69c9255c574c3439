"""A config.json for those who have one: read it, ask what is wrong with it, write it."""

from dataclasses import dataclass, fields
from functools import cached_property
from typing import Any

from advisor.data import Config
from advisor.engines.all import settings
from advisor.engines.engine import Serving, Written
from advisor.engines.transformers.write import Generation, to_hf, to_hf_fragment
from advisor.findings.all import find
from advisor.findings.finding import Finding
from advisor.reader.file import read_config


@dataclass(frozen=True)
class RopeConfig(Config):
    """Positions as a config.json describes them, with everything that can be done with it."""

    @classmethod
    def from_hf(cls, config: object) -> "RopeConfig":
        """Read a config.json of transformers, old (rope_scaling) or new (rope_parameters).

        Args:
            config: The file's content as `json.load` returns it.

        Returns:
            The configuration; a model without rotary positions has layers that name their encoding.

        Raises:
            ValueError: If a field that is needed is missing, of a wrong type or out of range.

        Source: transformers 5.23, modeling_rope_utils.py and the models' configuration files.
        """
        fresh = read_config(config)
        return cls(**{field.name: getattr(fresh, field.name) for field in fields(fresh)})

    @cached_property
    def findings(self) -> tuple[Finding, ...]:
        """Facts about the file that are worth a reader's time, errors first."""
        return find(self)

    def to_hf(self, generation: Generation = "new") -> dict[str, Any]:
        """The file with these layers written into it; all other fields stay.

        Args:
            generation: "new" writes rope_parameters (transformers 5), "old" rope_theta and
                rope_scaling.

        Returns:
            A config.json's content, which `from_hf` reads as an equal configuration.

        Raises:
            ValueError: If the older fields cannot hold what the layers do, or the family is
                unknown.
        """
        return to_hf(self, generation)

    def to_hf_fragment(self, generation: Generation = "new") -> dict[str, Any]:
        """The fields alone that `to_hf` writes, for pasting over those of the file.

        Returns:
            The fields, within "text_config" or where else the text model stands; {} without
            rotary positions.

        Raises:
            ValueError: If the older fields cannot hold what the layers do, or the family is
                unknown.
        """
        return to_hf_fragment(self, generation)

    def settings(
        self,
        engine: str,
        before: "RopeConfig | None" = None,
        serving: Serving | None = None,
    ) -> Written:
        """Settings for an engine: text to paste, and notes on what the text cannot express.

        Args:
            engine: Id of one of `advisor.engines.all.ENGINES`.
            before: What the model's own file says, where this configuration was changed.
            serving: What else was asked for.

        Raises:
            ValueError: If the engine cannot do it, or the model is not known.
        """
        return settings(self, engine, before, serving)
