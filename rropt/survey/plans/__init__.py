"""Sample sizes: the least number of answers for a margin, a power, or a variance; and what a number achieves."""
