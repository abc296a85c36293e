"""From a linear programme to its exact answer: float proposals, refinement, the exact simplex method."""
