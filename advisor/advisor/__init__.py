"""From a model's config.json to a decision: read, judged, written and checked."""

from advisor.extend import extend_config
from advisor.findings.finding import Finding
from advisor.known_models import known_models
from advisor.rope import RopeConfig

__all__ = ["Finding", "RopeConfig", "extend_config", "known_models"]
