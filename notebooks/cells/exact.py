# Appended to the programs of matrices: each cell of the picture is one row and one column.
# %%
rows = (0, 128)  # the first row, and the row after the last
columns = (0, 64)
# %%
row_edges = np.arange(rows[0], rows[1] + 1)
column_edges = np.arange(columns[0], columns[1] + 1)
values = matrix(row_edges[:-1, None], column_edges[:-1])
