"""From a run to a checkpoint."""
