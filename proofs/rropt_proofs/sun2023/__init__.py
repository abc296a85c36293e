"""Sun, Zhou and Yan (2023): An Improved Christofides Mechanism for Local Differential Privacy Framework."""

from rropt.claims import Paper

PAPER = Paper(
    id="sun2023",
    name="Sun, Zhou and Yan (2023)",
    title="She Sun, Li Zhou, Xiaoran Yan: An Improved Christofides Mechanism for Local Differential Privacy Framework "
    "(2023)",
    conventions=(
        (
            "Populations",
            "N persons, all of whom are asked once each, in a random order: that is what a sample of size N without "
            "replacement from a population of size N is. N pi_A of them are in group A, an integer; x_i is 1 for the "
            "i-th who is asked if that one is in A, else 0. N >= 2 where two answers are spoken of.",
        ),
        (
            "Algorithms",
            "Run as they are printed, line by line, on coins that go through all runs with their exact chances. The "
            "coins of different persons are independent. X_i is the answer of the i-th, and N_1 their sum.",
        ),
        (
            "p and epsilon",
            "The paper has p < 1/2, and every counterexample keeps to that; entries are computed for 0 <= p <= 1, and "
            "p != 1/2 where the estimator divides by 2p - 1. epsilon > 0: at epsilon = 0 every "
            "variance is infinite. There is no delta. Levels are exact through e^epsilon, which is bracketed by "
            "rationals.",
        ),
        (
            "Cards",
            "Integers 1, ..., L with proportions p_1, ..., p_L; in section 6 L = 3, and p_1, p_3 have the ratio "
            "e^epsilon or its inverse, as in Theorems 5.5 and 5.7. Whether N p_k is an integer, so that a deck of N "
            "cards exists, is asked apart from the formulas.",
        ),
        (
            "Threat models",
            "One answer alone; all answers, with names or without; their sum, which the estimator needs. Neighbours "
            "differ in one person's x_i, N fixed. Answers by coins or cards of one's own are independent, those by "
            "cards of one deck are not: epsilon of one of them is not that of all.",
        ),
    ),
    extracted=True,
)
