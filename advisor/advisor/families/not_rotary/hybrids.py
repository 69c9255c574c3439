"""Layers that attend without positions, beside layers that carry a state from token to token.

Source: transformers 5.23, the configuration classes; that the attention knows no order is tried in
tests/parity/test_orderless.py.
"""

from advisor.families.family import Family

FAMILIES = {
    "jamba": Family(encoding="nope"),
    "zamba": Family(encoding="nope"),
    "nemotron_h": Family(encoding="nope", other_kinds={"moe": "none", "mlp": "none"}),
    "kimi_linear": Family(encoding="nope"),
    "glm5_next_text": Family(encoding="nope"),
}
