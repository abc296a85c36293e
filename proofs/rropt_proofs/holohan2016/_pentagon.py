"""The proof of Theorem 3 and Corollary 2 for all parameters: five generators and nonnegative coefficients.

In projective coordinates (w, w p00, w p11) every design of the region is a combination ``sum c_i V_i``, c >= 0, of
``V_0 = (1, 1, 0), V_1 = (1, 1, delta), V_2 = (gamma + 1)(1, m, m), V_3 = (1, delta, 1), V_4 = (1, 0, 1)`` with
``m = (gamma + delta)/(gamma + 1)``. The probabilities l_1, l_2 of the answers 1, 0 and D = p00 + p11 - 1 are linear
there, so the excess of n Var over a candidate's is a quadratic form in c. Its coefficients are the whole proof.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import sympy as sp

from rropt.certificates import Certificate
from rropt.positivity import Hypothesis, prove_identity, prove_positive
from rropt_proofs.holohan2016._paper import DELTA, GAMMA, PI, A, B, no_slack, yes_slack
from rropt_proofs.holohan2016._segments import CORNER, DIAGONAL, SLOPE, n_variance_of

__all__ = ["ARGUMENT", "PARAMETERS", "SCOPE", "UNCHECKED", "mirror_certificates", "optimum_certificates"]

Named = tuple[tuple[str, Certificate], ...]

ARGUMENT = """\
Put k = gamma + 2 delta - 1 > 0 and h = delta (gamma + delta) - pi k^2, so that g > pi, = pi, < pi says h > 0, = 0, < 0.
(1) Every design of the region is a combination with weights c_i >= 0 of V_0 = (1, 0), V_1 = (1, delta), V_2 = (m, m),
V_3 = (delta, 1), V_4 = (0, 1), m = (gamma + delta)/(gamma + 1): with L_4 = (gamma + delta)(1 - p00) - (1 - delta) p11
and L_0 its mirror image, the three identities of the cells give such weights where L_0, L_4 >= 0, where L_4 < 0, and
where L_0 < 0 (delta < 1). (2) If g >= pi, the candidate is (1, delta), and E = delta l_1 l_2 - pi (1 - pi delta) D^2 is
delta D^2 times the excess of n Var over its value; if g <= pi, the candidate is (m, m), and E = k^2 l_1 l_2 -
(1 - delta + pi k)(gamma + delta - pi k) D^2 is k^2 D^2 times the excess. Both are sums of e_ij c_i c_j over i <= j.
(3) Each e_ij is a product of delta, 1 - delta, k > 0 and a last factor, which is > 0 if i < j and >= 0 if i = j. So
E >= 0, and E = 0 only if a single weight is not 0 and its e_ii = 0. As D > 0 excludes V_0 and V_4, the optimal designs
are exactly those of V_1, V_2, V_3 with e_ii = 0. If g >= pi: e_11 = 0; e_22 = (1 - delta) k^2 h, 0 if g = pi;
e_33 = delta^2 (1 - delta)(1 - 2 pi), 0 if pi = 1/2. If g <= pi: e_22 = 0; e_11 = -delta (1 - delta) h, 0 if g = pi;
e_33 = delta (1 - delta)((1 - 2 pi) k^2 - h), 0 if g = pi = 1/2. (4) If delta = 1, V_1 = V_2 = V_3 = (1, 1), and
D^2 (n Var - pi (1 - pi)) = (1 - pi) p00 (1 - p00) + pi p11 (1 - p11) is 0 with D > 0 only there."""
SCOPE = "all epsilon >= 0, 0 < delta <= 1, all binary designs of the region"
UNCHECKED = (
    "the sign cases of L_0 and L_4 are all cases, and weights >= 0 stay so after division by a positive number",
    "a sum of terms >= 0 is 0 only if each is, so at most one weight is positive",
)

# k is a symbol of its own here, gamma = k + 1 - 2 delta: the polynomials are shorter
K = sp.Symbol("k")
SUM = K + 1 - DELTA  # gamma + delta
EXCESS = DELTA * SUM - PI * K**2  # h of the argument
REST = 1 - DELTA
PARAMETERS = {
    "d": Hypothesis(DELTA, strict=True),
    "e": Hypothesis(REST, strict=True),
    "g": Hypothesis(K - 2 * DELTA),  # gamma >= 1
    "k": Hypothesis(K, strict=True),
    "p": Hypothesis(PI, strict=True),
    "q": Hypothesis(1 - 2 * PI),
}
GENERATORS = (
    (1, 1, 0),
    (1, 1, DELTA),
    (K + 2 - 2 * DELTA, SUM, SUM),
    (1, DELTA, 1),
    (1, 0, 1),
)
WEIGHTS = sp.symbols("c0:5")

# case -> (K, M) with E = K l_1 l_2 - M D^2; M / K is n Var of the candidate
CANDIDATES = {
    "g >= pi": (DELTA, PI * (1 - PI * DELTA)),
    "g <= pi": (K**2, (REST + PI * K) * (SUM - PI * K)),
}
CASES = {"g >= pi": Hypothesis(EXCESS), "g <= pi": Hypothesis(-EXCESS)}
# case -> pair i, j -> e_ij as a product of delta, 1 - delta, k and a last factor; the hypotheses that prove the sign
# of the last factor ("c" is that of the case), and how many factors its products have. If g >= pi, V_2 is taken k
# times, without which (1, 2) has no short proof. Pairs that are left out have e_ij = 0.
FACTORS: dict[str, dict[str, tuple[Any, Any, str, int]]] = {
    "g >= pi": {
        "01": (DELTA**2, PI, "p", 1),
        "02": (DELTA * K, REST + PI * K, "ekp", 2),
        "03": (DELTA, REST + DELTA * PI, "dep", 2),
        "04": (DELTA, sp.Integer(1), "", 0),
        "12": (DELTA * REST, K * (1 - PI * K), "degc", 2),
        "13": (DELTA * REST, 1 - 2 * PI * DELTA, "depq", 2),
        "14": (DELTA, 1 - PI * DELTA, "depq", 2),
        "22": (REST * K**2, EXCESS, "c", 1),
        "23": (DELTA * REST, K * (K + 1 - 3 * PI * K), "degkqc", 3),
        "24": (DELTA * K, SUM - PI * K, "degkpq", 2),
        "33": (DELTA**2 * REST, 1 - 2 * PI, "q", 1),
        "34": (DELTA**2, 1 - PI, "pq", 1),
    },
    "g <= pi": {
        "01": (DELTA * K**2, PI, "p", 1),
        "02": (K**2, REST + PI * K, "ekp", 2),
        "03": (K**2, REST + DELTA * PI, "dep", 2),
        "04": (K**2, sp.Integer(1), "", 0),
        "11": (DELTA * REST, -EXCESS, "c", 1),
        "12": (REST * K, K - DELTA * SUM - EXCESS, "degc", 2),
        "13": (REST, K**2 - 2 * DELTA**2 * SUM, "dekqc", 3),
        "14": (K**2, 1 - PI * DELTA, "depq", 2),
        "23": (REST * K, K - DELTA * SUM + (1 - 2 * PI) * K**2 - EXCESS, "degkqc", 3),
        "24": (K**2, SUM - PI * K, "degkpq", 2),
        "33": (DELTA * REST, (1 - 2 * PI) * K**2 - EXCESS, "kqc", 3),
        "34": (DELTA * K**2, 1 - PI, "pq", 1),
    },
}


def _forms(vertex: tuple[Any, ...]) -> tuple[Any, Any, Any]:
    """Return l_1, l_2 and D of a projective point."""
    w, a, b = vertex
    return (1 - PI) * (w - a) + PI * b, (1 - PI) * a + PI * (w - b), a + b - w


def _quadratic_form(case: str) -> Certificate:
    """Return the identity of E at sum c_i V_i with the sum of e_ij c_i c_j."""
    scale, value = CANDIDATES[case]
    weights = [c * K if i == 2 and case == "g >= pi" else c for i, c in enumerate(WEIGHTS)]
    point = [sp.Add(*(c * v[axis] for c, v in zip(weights, GENERATORS, strict=True))) for axis in range(3)]
    x, y, d = _forms(tuple(point))
    terms = [
        factor * last * WEIGHTS[int(pair[0])] * WEIGHTS[int(pair[1])]
        for pair, (factor, last, _, _) in FACTORS[case].items()
    ]
    return prove_identity(scale * x * y - value * d**2, sp.Add(*terms))


def _signs(case: str) -> Named:
    hypotheses = {**PARAMETERS, "c": CASES[case]}
    return tuple(
        (
            f"if {case}: the last factor of e_{pair} is {'>=' if pair[0] == pair[1] else '>'} 0",
            prove_positive(last, [hypotheses[name] for name in names], strict=pair[0] != pair[1], degree=degree),
        )
        for pair, (_, last, names, degree) in FACTORS[case].items()
        if names
    )


def _cells() -> Named:
    """Return the weights of a design (1, p00, p11) in the three cells, paired with any linear form z."""
    z = sp.symbols("z0:3")

    def against(vertex: tuple[Any, ...]) -> Any:
        return sp.Add(*(x * y for x, y in zip(z, vertex, strict=True))).subs(K, SLOPE)

    v = [against(vertex) for vertex in GENERATORS]
    design = against((1, A, B))
    four = (GAMMA + DELTA) * (1 - A) - REST * B
    zero = (GAMMA + DELTA) * (1 - B) - REST * A
    below = REST * yes_slack * v[0] - four * v[1] + DELTA * (1 - A) * v[2]
    above = REST * no_slack * v[4] - zero * v[3] + DELTA * (1 - B) * v[2]
    return (
        ("the cell of V_0, V_2, V_4", prove_identity(SLOPE * design, zero * v[0] + (A + B - 1) * v[2] + four * v[4])),
        ("the cell of V_0, V_1, V_2", prove_identity(DELTA * REST * design, below)),
        ("the cell of V_2, V_3, V_4", prove_identity(DELTA * REST * design, above)),
    )


@lru_cache(maxsize=1)
def optimum_certificates() -> Named:
    """Return the certificates of the argument for 0 < pi <= 1/2."""
    at_one = (1 - PI) * A * (1 - A) + PI * B * (1 - B)
    (corner_scale, corner), (diagonal_scale, diagonal) = CANDIDATES["g >= pi"], CANDIDATES["g <= pi"]
    return (
        ("k > 0", prove_positive(SLOPE, [PARAMETERS["d"], Hypothesis(GAMMA - 1)], strict=True, degree=1)),
        ("n Var at (1, delta)", prove_identity(n_variance_of(CORNER), corner / corner_scale)),
        ("n Var at (m, m)", prove_identity(n_variance_of(DIAGONAL), (diagonal / diagonal_scale).subs(K, SLOPE))),
        *_cells(),
        *((f"if {case}: E as a quadratic form", _quadratic_form(case)) for case in CASES),
        *_signs("g >= pi"),
        *_signs("g <= pi"),
        ("delta = 1", prove_identity((A + B - 1) ** 2 * (n_variance_of((A, B)) - PI * (1 - PI)), at_one)),
    )


def mirror_certificates() -> Named:
    """Return the symmetry behind Corollary 2: exchange p00 with p11 and pi with 1 - pi."""
    mirrored = {A: B, B: A, PI: 1 - PI}
    variance = n_variance_of((A, B))
    return (
        ("n Var is symmetric", prove_identity(variance.subs(mirrored, simultaneous=True), variance)),
        ("(11a) becomes (11b)", prove_identity(yes_slack.subs(mirrored, simultaneous=True), no_slack)),
        ("(11b) becomes (11a)", prove_identity(no_slack.subs(mirrored, simultaneous=True), yes_slack)),
    )
