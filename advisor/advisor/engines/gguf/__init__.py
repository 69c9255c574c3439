"""Engines that read GGUF files: what the file says counts, and few settings change it."""
