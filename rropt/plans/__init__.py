"""Sample sizes: the least n for a margin, a power or a variance, and the precision that a given n achieves."""
