"""From a checkpoint to numbers."""
