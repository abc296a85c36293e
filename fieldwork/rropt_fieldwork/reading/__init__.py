"""Tables of responses with one row for each respondent: how they are read, and counted by DuckDB."""
