"""Reading further by remapping distances: the frequencies stay, the distances shrink."""
