# The score of a query and a key against their distance, read as the picture of two hands reads it.
# %%


length = 32
points = 4096  # distances at most
k = 2.0  # the text is k times as long as those of the training
trained = 16
methods = ["none"]
alpha = 2.0  # of no method here
# %%

scaled, factor = globals()[methods[0]](theta, base, k, trained, alpha)
distances = np.linspace(0, length - 1, min(length, points)).round()
turned = np.exp(1j * np.outer(distances, scaled))  # each pair turns by the distance times its θ
curves = [(distances, factor**2 * (turned * q * k_.conj()).sum(axis=1).real + passed)]
