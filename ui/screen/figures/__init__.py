"""Parts of a picture: figures as data, each of which is drawn with all that belongs to it.

What can be followed in a figure, its table, its notebook and its export are made here, so none of
it can be left out.
"""
