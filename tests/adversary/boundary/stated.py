"""Comparisons of the pages that are no condition of a file, each with the reason; and limits without files."""

_MEANING = "what a claim says; the conditions of the rule say how it is proved"
_DEFINITION = "a definition"
_PROOF = "an argument, proved where it stands"
_EXPANSION = "a rule of evaluation of the expansions; the ranges that come of it are tried at equality"

STATED: dict[str, list[tuple[str, str]]] = {
    "FORMAT.md": [
        ("At a level of delta 0 for all pairs every other row is positive, so `lambda_i > 0`.", _PROOF),
        ("With delta > 0, or where levels leave out pairs, a row that is not 0 may", _DEFINITION),
        ("Always `lower <= optimum <= upper`, all rational.", _PROOF),
        ("*Vacuous bounds.* A bound that every mechanism meets, `lower <= least` or `upper >= greatest`,", _DEFINITION),
    ],
    "mechanism_levels.md": [
        ("For gamma > 1, C_gamma is the set of mechanisms with m >= 2, no zero row, no two proportional rows and parity <= gamma.", _DEFINITION),
    ],
    "budget_split.md": [("`lower <= least value <= upper` over all devices", _MEANING)],
    "brackets.md": [
        ("(The region is parity <= B, so gamma is B, and `lower <= B <= upper`.)", _PROOF),
        ("gamma = q^(a/b), a > 0, b > 1:", "the form of a level, which part A fixes"),
    ],
    "composition.md": [
        ("`lower <= delta <= upper`, delta the least slack", _MEANING),
        ("The parities are g_i >= 1, the counts n_i,", _DEFINITION),
        ("`v` is the larger one of 0 and P(T < tau) - gamma Q(T < tau).", _DEFINITION),
    ],
    "shuffled.md": [
        ("`lower <= delta <= upper`, delta the least slack", _MEANING),
        ("Exchange the types 0 and 1 if `a0 < b0`; then `a1 <= b1`.", _PROOF),
    ],
    "divergence_level.md": [
        ("`lower <= D <= upper`, D the largest", _MEANING),
        ("`lower <= rho <= upper`, rho the supremum", _MEANING),
        ("over all pairs and all orders a > 1", _DEFINITION),
    ],
    "parity_bound/parity_bound.md": [
        ("B is the largest L >= 0 with `N - L D >= 0` for all p in (0, 1), on both sides:", _DEFINITION),
        ("Their Theorem 3.1: privacy holds iff parity <= B.", _MEANING),
        ("`lower <= B <= upper`, or both `\"infinite\"`;", _MEANING),
        ("Each proves F >= b on the cell,", "what conditions 1 to 4 imply"),
        ("(0 < r < 1, whole powers taken out)", _DEFINITION),
        ("W an interval around its values; w > 0 in the first two.", _EXPANSION),
        ("0 <= j <= order", _EXPANSION),
        ("With a > 0 f is first brought to the exponent 0, with a < 0 only the range", _EXPANSION),
        ("V in the domain of phi (not 0; >= 0; > 0); with j >= 1, and if phi is smooth on the hull of V and z_0 (it does not hold 0, and for r other than -1 and log it is > 0): u = v - z_0, `phi(v) = sum_(i<j) phi_i(z_0) u^i", _EXPANSION),
        ("* w^d lies in (0, W^d] for d > 0, in [W^d, infinity) for d < 0; w^d log w in (-infinity, W^d log W] for d <= 0; for d > 0 in [W^d log W, 0] if d log W <= -1,", _EXPANSION),
        ("y^(a/b) with a/b > 1 is y^(a/b - w) y^w", _DEFINITION),
    ],
    "linear_programs.md": [
        ("each row `a_i.x (<=, >=, =) b_i`, each variable nonnegative or free.", _DEFINITION),
        ("`lower <= c.x` for every x of the region; the point x is one of the region, and `c.x <= upper`", _MEANING),
    ],
    "polynomial.md": [
        ("\"relation\": \"=\" | \">=\" | \">\"}`, compared with 0", _DEFINITION),
        ("`{\"relation\": \"=\" | \">=\" | \">\"}`: for all parameters that satisfy the hypotheses", _DEFINITION),
        ("their hypotheses are `>=` or `>`.", _DEFINITION),
    ],
}  # fmt: skip

_LONG = "the file would be longer than the rest of the suite; tests/checker/test_hostile_files.py makes it"
_SLOW = "the file would take a second or more; the tests of the rule make it"
_BUDGET = "the budget of the checker ends first"

LIMITS: dict[str, str] = {
    "MAX_BYTES": _LONG,
    "MAX_TOKENS": _LONG,
    "MAX_CELL_DEPTH": "a false inequality ends there; a true one that needs so many halvings is not proved",
    "MAX_REASON": "of what the checker prints, not of a file",
    "MAX_WORK": "a limit of one checker alone: another one counts as it likes",
    "MAX_PRECISION_DIGITS": "a limit of one checker alone: another one encloses exp(r) as it likes",
    "MAX_ENTRIES": _LONG,
    "MAX_MATRIX_BITS": _LONG,
    "MAX_TERMS": _LONG,
    "MAX_COEFFICIENT_BITS": _LONG,
    "MAX_BRACKET_DIGITS": _SLOW,
    "MAX_ORDERED_INPUTS": _BUDGET,
    "MAX_COMPOSED_ITEMS": _LONG,
    "MAX_RUNS": _LONG,
    "MAX_LATTICE_POINTS": _BUDGET,
    "MAX_QUESTIONS": "tried as the number 1024, which the page of budget-split writes",
    "MAX_CONSTANTS": "how many names a constant needs is left to a checker",
    "MAX_CELLS": _LONG,
    "MAX_PATTERN_INPUTS": "tests/checker/test_rays_way.py tries it",
    "MAX_ORBIT_INPUTS": _LONG,
    "MAX_RAYS": "tests/checker/test_rays_way.py tries it",
    "MAX_DIVERGENCE_INPUTS": "tests/checker/test_cells_way.py tries it",
}
