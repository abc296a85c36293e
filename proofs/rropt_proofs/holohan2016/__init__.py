"""Holohan, Leith and Mason (2016): Optimal Differentially Private Mechanisms for Randomised Response."""

from rropt.claims import Paper

PAPER = Paper(
    id="holohan2016",
    name="Holohan, Leith and Mason (2016)",
    title="Naoise Holohan, Douglas J. Leith, Oliver Mason: Optimal Differentially Private Mechanisms for Randomised "
    "Response (2016)",
    conventions=(
        (
            "epsilon and delta",
            "The paper names no range. A privacy level has epsilon >= 0 and 0 <= delta <= 1, and every statement is "
            "tried at all of them, unless it names a range itself: epsilon > 0 in Section V, delta > 0 in Section VI, "
            "all real numbers in Lemma 5. Everything is exact in gamma = exp(epsilon), which is at least 1.",
        ),
        (
            "epsilon = delta = 0",
            "No design with p00 + p11 > 1 is private at this level: R' and R'' are empty. They are sets like others, "
            "and what is said to be in them, or of their shape, is judged at this level too, and false there. A least "
            "variance over the empty set is not defined: for a statement on minimisers this level counts as undefined.",
        ),
        (
            "Prevalence",
            "0 <= pi <= 1 up to Lemma 2, and 0 < pi < 1 after it, as the paper says there.",
        ),
        (
            "Designs",
            "(p00, p11) with p_ii = Pr(X = i | x = i); p00 + p11 > 1 from Definition 2 on, p00 + p11 != 1 before. "
            "R is the set of private designs, R' that of those with p00 + p11 > 1, and R'' the part of R' where (11a) "
            "or (11b) is tight. Two designs come back: (1, delta), which is (r(t0), s(t0)), and (m, m) with "
            "m = (gamma + delta)/(gamma + 1), which is (r(1), s(1)).",
        ),
        (
            "Variance",
            "Var is that of the formula (4), for respondents drawn with replacement. n Var stands for n times it, by "
            "(6): y (1 - y)/(p00 + p11 - 1)^2 with y = (1 - pi)(1 - p00) + pi p11.",
        ),
    ),
    extracted=True,
)
