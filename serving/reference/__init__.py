"""The reference of the library: a page for each module, made of its docstrings."""
