"""The peers that warn while they are imported, so that the filters stand in one place."""

import warnings

with warnings.catch_warnings():
    warnings.filterwarnings("ignore", "`torch.jit.script` is deprecated", DeprecationWarning)
    from x_transformers import x_transformers as x_transformers
