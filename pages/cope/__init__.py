"""The screen CoPE."""
