# Each pair of channels is a hand that turns with the position, the first pair fastest.
# %%
rotary_dim = 16
base = 10000.0
position = 8
pairs = [0, 1, 2, 3, 4, 5, 6, 7]
# %%
import matplotlib.pyplot as plt
import numpy as np

theta = base ** -(np.arange(0, rotary_dim, 2) / rotary_dim)  # radians per position
tips = np.exp(1j * position * theta[pairs])  # on a circle of radius 1

figure, axes = plt.subplots(1, len(pairs), figsize=(1.6 * len(pairs), 2.2), squeeze=False)
for axis, pair, tip in zip(axes.flat, pairs, tips):
    axis.add_patch(plt.Circle((0, 0), 1, fill=False, color="grey"))
    axis.plot([0, tip.real], [0, tip.imag], marker="o", markevery=[1])
    axis.set(title=f"pair {pair}", xlim=(-1.1, 1.1), ylim=(-1.1, 1.1), aspect="equal")
    axis.axis("off")
figure.suptitle(f"The hands at position {position}")
plt.show()
