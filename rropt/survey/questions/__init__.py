"""Several questions at once: joint distributions, marginals, group weights, utility."""
