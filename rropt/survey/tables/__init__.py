"""Tables of responses with one row for each respondent: reading, counting (by DuckDB) and randomizing."""
