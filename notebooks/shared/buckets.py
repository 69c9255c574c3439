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
