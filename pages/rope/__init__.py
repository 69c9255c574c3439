"""The screen RoPE."""
