# ALiBi's slope of each head.
# %%
num_heads = 8
# %% slopes
curves = [(range(num_heads), slopes)]
