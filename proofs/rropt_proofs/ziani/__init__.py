"""Ziani: Lectures 3 and 4, The Randomized Response and Laplace Mechanisms."""

from rropt.claims import Paper

PAPER = Paper(
    id="ziani",
    name="Ziani, Lectures 3 and 4",
    title="Juba Ziani: Lectures 3 and 4, The Randomized Response and Laplace Mechanisms",
    conventions=(
        (
            "p and the mechanism",
            "RR_p is the mechanism as defined: the bit is flipped with probability p, 0 <= p <= 1/2, by every "
            "respondent with his own coin. At p = 1/2 the estimators divide by 0, which counts as undefined.",
        ),
        (
            "epsilon",
            "epsilon >= 0; compared is gamma = exp(epsilon), or 1/gamma where epsilon may be infinite, as it is at "
            "p = 0. For the Laplace mechanism epsilon > 0, since its scale divides by epsilon. The level "
            "epsilon = delta = 0 is p = 1/2: the report does not depend on the bit.",
        ),
        (
            "delta",
            "No privacy parameter here (the lectures prove epsilon-differential privacy), but the probability that an "
            "error bound fails: delta > 0, since the bounds divide by it. Theorem 5 adds delta <= 1.",
        ),
        (
            "Laplace noise",
            "Lap(b) has the density exp(-|z|/b)/(2b) and exists for b > 0 alone; so the sensitivity is positive and "
            "finite wherever noise is added. Levels are bounds on the ratio of densities at every outcome.",
        ),
        (
            "Neighbours",
            "Databases that differ in a single entry; in the examples after Definitions 6 and 10 as the text says.",
        ),
    ),
    extracted=True,
)
