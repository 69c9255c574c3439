# Appended to the programs of matrices: each cell of the picture is the value at a block's centre.
# %%
rows = (0, 4096)  # the first row, and the row after the last
columns = (0, 4096)
row_step = 16  # rows of a block
column_step = 11
# %%
row_edges = np.append(np.arange(*rows, row_step), rows[1])
column_edges = np.append(np.arange(*columns, column_step), columns[1])
row_centres = (row_edges[:-1] + row_edges[1:] - 1) // 2
column_centres = (column_edges[:-1] + column_edges[1:] - 1) // 2
values = matrix(row_centres[:, None], column_centres)
