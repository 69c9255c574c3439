"""The portrait of an encoding: attention of one head, when position is all that differs."""

import numpy as np
import streamlit as st

from exhibits.portraits import portrait
from posenc.catalogue import CATALOGUE, ModelShape
from posenc.random_model import randomise

WIDTH, LENGTH = 32, 32


@st.cache_data(max_entries=32)
def shares(name: str) -> np.ndarray:
    """Attention weights over the largest of their row; NaN where the mask hides the key."""
    shape = ModelShape(d_model=WIDTH, num_heads=1, head_dim=WIDTH, length=LENGTH)
    encoding = randomise(CATALOGUE[name].build(shape), seed=0)
    weights = portrait(encoding, WIDTH, LENGTH)
    values = (weights / weights.amax(dim=-1, keepdim=True)).float().numpy()
    values[~np.tri(LENGTH, dtype=bool)] = np.nan
    return values
