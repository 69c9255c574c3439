"""The files of models: where they lie, how they are fetched and converted."""
