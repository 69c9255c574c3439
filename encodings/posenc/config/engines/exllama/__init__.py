"""ExLlama's second and third generation."""
