# T5's bucket against the distance, past and future.
# %%
bidirectional = True  # False: all future keys are in bucket 0
num_buckets = 32
max_distance = 128
with_mistake = False  # True: also without the last step of the formula
points = 1500  # distances at most
# %%
import numpy as np


def bucket(x, without_min=False):  # of relative positions j - i
    per_side = num_buckets // 2 if bidirectional else num_buckets
    near = per_side // 2  # distances below this have a bucket each
    distance = np.abs(x) if bidirectional else np.maximum(-x, 0)
    ratio = np.log(np.maximum(distance, near) / near) / np.log(max_distance / near)
    far = near + (ratio * (per_side - near)).astype(int)
    beyond = far if without_min else np.minimum(far, per_side - 1)
    found = np.where(distance < near, distance, beyond)
    return found + np.where(bidirectional & (x > 0), per_side, 0)


distances = np.arange(1, 4 * max_distance + 1)
if len(distances) > points:
    distances = np.unique(np.geomspace(1, 4 * max_distance, points).round()).astype(int)
buckets = [bucket(-distances), bucket(distances)]
if with_mistake:
    buckets += [bucket(-distances, without_min=True), bucket(distances, without_min=True)]
x = np.repeat(distances, 2)[1:]  # each bucket is drawn up to where the next one starts
curves = [(x, np.repeat(y, 2)[:-1]) for y in buckets]
