"""What the small transformers are trained on."""
