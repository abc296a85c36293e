"""Several questions at once: joint distributions, marginals, weights of cells, utility."""
