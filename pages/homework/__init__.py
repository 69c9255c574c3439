"""The page of the homework: questions, tasks, a result, and the results of a class."""
