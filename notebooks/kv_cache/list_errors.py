# How far the angles of cached keys are off, because LongRoPE has switched to its long list since
# they were rotated.
# %%
short = [1.0, 1.0, 1.0, 1.0]  # what the frequency of each pair is divided by
long = [1.0, 2.0, 8.0, 32.0]
base = 10000.0
trained = 4096  # tokens of the training: longer texts take the long list
prompt = 4000  # tokens that were read in one pass
length = 4200  # tokens now
is_stale = True  # keys are cached after the rotation; False: they are rotated or made again
# %%
import numpy as np


def frequencies(length):
    d = 2 * len(short)
    divisors = np.array(long if length > trained else short)
    return base ** -(np.arange(0, d, 2) / d) / divisors


def matrix(key, pair):
    written = np.stack([frequencies(max(n + 1, prompt)) for n in np.ravel(key)])
    error = np.abs(np.reshape(key, (-1, 1)) * (written - frequencies(length)))
    return is_stale * error[:, pair]
