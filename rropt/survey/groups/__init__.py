"""Groups: comparisons of two or more groups, and estimates from responses that are subsets of the categories."""
