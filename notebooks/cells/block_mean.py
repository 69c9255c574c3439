# Appended to the programs of matrices: each cell of the picture is the mean of a block.
# %%
rows = (0, 4096)  # the first row, and the row after the last
columns = (0, 4096)
row_step = 16  # rows of a block
column_step = 11
# %%
row_edges = np.append(np.arange(*rows, row_step), rows[1])
column_edges = np.append(np.arange(*columns, column_step), columns[1])


def block_means(first, end):  # of one row of blocks; cells that a mask hides do not count
    cells = np.broadcast_to(
        matrix(np.arange(first, end)[:, None], np.arange(*columns)), (end - first, np.ptp(columns))
    )
    seen = ~np.isnan(cells)
    starts = column_edges[:-1] - columns[0]
    total = np.add.reduceat(np.where(seen, cells, 0).sum(axis=0), starts)
    count = np.add.reduceat(seen.sum(axis=0), starts)
    return np.where(count > 0, total / np.maximum(count, 1), np.nan)


values = np.stack([block_means(a, b) for a, b in zip(row_edges[:-1], row_edges[1:])])
