# A position of every patch of an image, or of a frame of a film.
# %%
before = 3  # words
rows = 4
columns = 6
frames = 1
family = "qwen2"  # counts frames; "qwen2_5" counts seconds, "qwen3" reads times in words
seconds = 1.0  # from frame to frame
stamp = 2  # tokens of a time in words
frame = 0  # is shown
axis = 1  # 0: time, 1: row, 2: column
# %%
after = 0
# %% mrope

first = before + frame * rows * columns
if frames > 1 and family == "qwen3":
    first += (frame + 1) * stamp
shown = positions[axis, first : first + rows * columns].reshape(rows, columns)


def matrix(row, column):
    return shown[row, column].astype(float)
