"""The screen KV cache."""
