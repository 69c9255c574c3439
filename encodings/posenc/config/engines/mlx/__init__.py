"""MLX: the packages for text, and for text beside images."""
