"""Linear designs for every level at once: the optimum as a function of gamma, with its breakpoints."""
