# T5's bucket against the distance, past and future.
# %%
bidirectional = True  # False: all future keys are in bucket 0
num_buckets = 32
max_distance = 128
with_mistake = False  # True: also without the last step of the formula
points = 1500  # distances at most
# %% buckets


distances = np.arange(1, 4 * max_distance + 1)
if len(distances) > points:
    distances = np.unique(np.geomspace(1, 4 * max_distance, points).round()).astype(int)
buckets = [bucket(-distances), bucket(distances)]
if with_mistake:
    buckets += [bucket(-distances, without_min=True), bucket(distances, without_min=True)]
x = np.repeat(distances, 3)[2:]  # each bucket is drawn up to where the next one starts
curves = []
for y in buckets:
    steps = np.repeat(y.astype(float), 3)[:-2]
    steps[2::3][y[1:] != y[:-1]] = np.nan  # and nothing joins it to another
    curves.append((x, steps))
