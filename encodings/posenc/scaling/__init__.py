"""Every way to read further than a model was trained to."""
