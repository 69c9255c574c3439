"""Tasks that the small transformers are trained on."""
