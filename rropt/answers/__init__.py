"""Randomized responses as they were given, and the sample that gave them: counts, rows, scores."""
