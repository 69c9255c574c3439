# A learned table of positions: trained numbers, or the random ones that training begins with.
# %%
from base64 import b64decode

from numpy import frombuffer, random

table = random.default_rng(0).standard_normal((512, 64)) * 0.02
# %%
import numpy as np


def matrix(position, dimension):
    return table[position, dimension]
