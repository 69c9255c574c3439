"""Numbers that posenc can reach in two independent ways, and how far apart the two are."""
