"""Tables of randomized responses, which are written row by row, and the checks of what was written."""
