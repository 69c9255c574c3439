import numpy as np

segments = [(before,)]  # numbers of words, and grids of frames, rows and columns
if frames > 1 and family == "qwen3":  # each frame is an image, behind its time in words
    segments += [(stamp,), (1, rows, columns)] * frames
else:
    segments += [(frames, rows, columns)]
segments += [(after,)]

parts, start = [], 0
for sizes in segments:
    part = np.indices(sizes).reshape(len(sizes), -1)
    if len(sizes) == 3 and frames > 1 and family == "qwen2_5":  # two positions a second
        part[0] = part[0].astype(np.float32) * np.float32(2 * seconds)
    if part.size:
        parts.append(start + np.broadcast_to(part, (3, part.shape[1])))
        start = parts[-1].max() + 1
positions = np.concatenate(parts, axis=1)  # time, row and column of every token
