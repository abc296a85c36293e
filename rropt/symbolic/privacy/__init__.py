"""Privacy criteria in symbols: B(h) and breaches."""
