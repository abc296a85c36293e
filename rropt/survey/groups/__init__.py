"""Groups: two samples, several groups, responses that are subsets."""
