# The bias of one head against the distance, in ALiBi and in its relatives.
# %%
num_heads = 8
head = 0
count = 64  # distances
# %% slopes
m, delta = slopes[head], np.arange(count)
theta = 10000.0 ** (-2 * np.arange(1, 65) / 128)  # Sandwich counts its 64 frequencies from 1
products = np.cos(np.outer(delta, theta)).sum(axis=1)
curves = [
    (delta, -m * delta),  # ALiBi
    (delta, -np.log1p(delta)),  # Kerple, logarithm, r₁ = r₂ = 1
    (delta, -m * delta**0.5),  # Kerple, power, r₁ = m, r₂ = 0.5
    (delta, (products - 64) / (8 * (head + 1) / num_heads)),  # Sandwich
]
