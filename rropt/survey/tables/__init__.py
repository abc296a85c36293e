"""Tables of responses with one row for each respondent: reading, counting (by DuckDB), estimating and randomizing."""
