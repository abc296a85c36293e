"""Chai and Nayak (2018): privacy protection in data collection, and its attainment by randomized response."""

from rropt.claims import Paper

PAPER = Paper(
    id="chainayak2018",
    name="Chai and Nayak (2018)",
    title="Jichong Chai, Tapan K. Nayak: A criterion for privacy protection in data collection and its attainment via "
    "randomized response procedures (2018)",
    conventions=(
        (
            "Procedures",
            "P is an m x k matrix: rows are responses, columns are true categories and sum to 1. A TPM has no zero "
            "row, as the paper agrees in section 1; k >= 1, and k >= 2 where a property is neither certain nor "
            "impossible.",
        ),
        (
            "Parity",
            "The largest ratio of two entries of a row, with 0/0 = 1 and a/0 infinite for a > 0 (Definition 1.3); "
            "so it is at least 1, and infinite where a row has a zero beside a positive entry.",
        ),
        (
            "Levels",
            "epsilon > 0 in Definition 2.1, beta > 1 and 0 < rho1 < rho2 < 1 in section 1, gamma > 1 from (3.5) on. "
            "There is no delta. The level without any information, epsilon = 0 or gamma = 1, is left out by all these "
            "ranges: there all rows are constant, and C_gamma is empty, as its members have no proportional rows.",
        ),
        (
            "Priors",
            "A prior distribution alpha of the k categories is any; a property Q is a set of categories, p its prior "
            "and q its posterior probability at a response of positive probability. Where p is 0 or 1, so is q: "
            "what is said of all priors is decided for 0 < p < 1.",
        ),
        (
            "Better and equivalent",
            "A is at most as informative as P where A = C P for a TPM C (a garbling), and equivalent where P = C* A "
            "as well; admissible means that no member of C_gamma is strictly more informative. C_gamma^0 is the set of "
            "its members with the conditions C1 and C2.",
        ),
    ),
    extracted=True,
)
