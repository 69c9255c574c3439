"""Methods compared: a length to read with the layers of a file, and what each method does to it."""
