"""Companions of the papers' claims: what rropt itself proves next to them."""

from rropt.claims import Paper

PAPER = Paper(
    id="rropt",
    name="rropt",
    title="Companions of the papers' claims",
    conventions=(
        ("Populations", "N persons, each with x_i of 0 or 1, fixed; pi is the mean of the x_i. All are asked once."),
        (
            "Categories",
            "Where an entry is about k of them: P_ij is the chance of the answer i from a person of category j, "
            "and the shares pi sum to 1.",
        ),
        ("Answers", "Independent, each from one column of a matrix Q: Q_yx is the chance of the answer y to x."),
        (
            "epsilon",
            "The largest ratio of two entries of a row of Q is at most e^epsilon. delta is 0 where none is named.",
        ),
        ("Estimators", "Functions of all N answers; unbiased is one whose mean is pi for all x_1, ..., x_N."),
    ),
)
