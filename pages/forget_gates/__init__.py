"""The screen of forget gates."""
