"""Every picture as a Jupyter notebook that needs nothing of ours."""

from ui.notebooks.offer import Code, begin, computed, forget, notebook, window

__all__ = ["Code", "begin", "computed", "forget", "notebook", "window"]
