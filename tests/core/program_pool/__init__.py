"""Programs to try the solver on, and an independent exact solver to hold it against."""
