"""The screen Images & video (M-RoPE)."""
