# LongRoPE's two lists: what the frequency of each pair is divided by, and their ratio.
# %%
short = [1.0, 1.0, 1.0, 1.0]
long = [1.0, 2.0, 8.0, 32.0]
# %%
import numpy as np

short, long, pairs = np.array(short), np.array(long), np.arange(len(short))
curves = [(pairs, short), (pairs, long), (pairs, long / short)]
