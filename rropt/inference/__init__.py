"""From scores to inference: estimates, variances, intervals and tests, as exact numbers and arrays."""
