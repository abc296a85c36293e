"""Comparisons of devices and designs at equal privacy or equal cost."""
