"""Functions of a table of respondents: they read what an estimate needs, and call the estimate on its columns."""
