"""Vinterbo (2018): estimating distribution parameters from n-dimensional randomized binary responses."""

from rropt.claims import Paper

PAPER = Paper(
    id="vinterbo2018",
    name="Vinterbo (2018)",
    title="Staal A. Vinterbo: A Simple Algorithm for Estimating Distribution Parameters from n-Dimensional Randomized "
    "Binary Responses (2018)",
    conventions=(
        (
            "Strings and their index",
            "A string of n bits is (x_0, ..., x_(n-1)). The paper's own index is eta(x) = sum of x_i 2^i, from 0 on, "
            "with the inverse sigma. The rows and columns of a Kronecker product have the first factor as the leading "
            "digit: for different bits the two indices give different matrices (Theorem 4.1), for equal ones the same.",
        ),
        (
            "Randomizers",
            "C is a matrix with C[r, x] = Pr(M(x) = r): rows are responses, columns truths. C_(a,b)(n) is the n-fold "
            "Kronecker product of (a, b; b, a) for any numbers a and b; where it is a randomizer, 0 <= a <= 1 and "
            "b = 1 - a. n >= 1.",
        ),
        (
            "alpha and epsilon",
            "The paper's level of differential privacy is alpha >= 0, the epsilon of other papers, for inputs that "
            "differ in the bits that it says; there is no delta, and alpha = 0 is a = 1/2, where C has no inverse.",
        ),
        (
            "Estimates",
            "m >= 1 responses, their counts Y, and the estimator C^-1 Y/m, which exists for a != b. pi is the "
            "distribution of a string.",
        ),
    ),
    extracted=True,
)
