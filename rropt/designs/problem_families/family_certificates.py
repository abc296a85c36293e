"""Certificates of families of problems (checker/family.md): formulas with their rows, duals in symbols, identities."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from rropt.core.certificates.record import Certificate
from rropt.core.exact.flint_numbers import as_fraction
from rropt.designs.problem_families.candidates import CandidateFormula
from rropt.designs.problem_families.classes import FamilyProblem
from rropt.designs.problem_families.formula_trees import Tree, tree_of_quotient
from rropt.designs.problem_families.parts import GAMMA
from rropt.designs.problem_families.proofs import FormulaProof, Leaf, ProblemPolynomials, Split
from rropt.designs.problem_families.quotients import Polynomial, RationalFunction, terms_of


def certify_family(
    problem: FamilyProblem, candidates: Sequence[CandidateFormula], proofs: Sequence[FormulaProof]
) -> Certificate:
    """Return the certificate that the optimum is the least of the formulas of the candidates.

    Args:
        problem: the family.
        candidates: the formulas with their covers.
        proofs: the proof of each formula.
    """
    data = ProblemPolynomials(problem)
    values = [problem.in_variables(one.value) for one in candidates]
    proof = {
        "denominator": polynomial_json(data.denominator),
        "costs": [[polynomial_json(x) for x in row] for row in data.costs],
        "rights": [None if x is None else polynomial_json(x) for x in data.rights],
        "values": [[polynomial_json(value.above), polynomial_json(value.below)] for value in values],
        "formulas": [_proof_json(each) for each in proofs],
    }
    claim = {"formulas": [formula_json(problem, one) for one in candidates]}
    return Certificate.state("family", problem.certified(), claim, proof)


def formula_json(problem: FamilyProblem, candidate: CandidateFormula) -> dict[str, Any]:
    """Return a formula of the claim: its value in the parameters and gamma, and its rows."""
    cover = candidate.covers[0]
    rows = []
    for place, weight in zip(cover.basis, cover.weights, strict=True):
        column = problem.columns[place]
        if weight:
            rows.append(
                {
                    "decision": str(column.decision),
                    "classes": "".join(map(str, column.classes)),
                    "own": str(column.own),
                    "weight": tree_of_quotient(weight, (*problem.names, GAMMA)),
                }
            )
    rows.sort(key=lambda row: (int(row["decision"]), row["classes"], row["own"]))
    return {"value": value_tree(problem, candidate.value), "rows": rows}


def value_tree(problem: FamilyProblem, value: RationalFunction) -> Tree:
    """Return a formula in the parameters and gamma; of payoffs with the opposite sign."""
    found = problem.in_gamma(value)
    return tree_of_quotient(found if problem.sense == "minimise" else -found, (*problem.names, GAMMA))


def polynomial_json(polynomial: Polynomial) -> list[list[str]]:
    """Return a polynomial as certificates write it: its terms in descending order of exponents."""
    terms = {key: as_fraction(value) for key, value in terms_of(polynomial).items()} if polynomial else {}
    return _terms_json(terms)


def _terms_json(terms: Mapping[tuple[int, ...], Fraction]) -> list[list[str]]:
    return [[str(terms[key]), *map(str, key)] for key in sorted(terms, reverse=True)]


def _proof_json(proof: FormulaProof) -> dict[str, Any]:
    pairs = [None if pair is None else [*map(polynomial_json, pair)] for pair in proof.differences]
    return {"differences": pairs, "tree": _tree_json(proof.tree)}


def _tree_json(tree: Leaf | Split) -> dict[str, Any]:
    if isinstance(tree, Split):
        return {
            "split": polynomial_json(tree.condition),
            "nonnegative": _tree_json(tree.nonnegative),
            "nonpositive": _tree_json(tree.nonpositive),
        }
    identities = [
        {
            "condition": polynomial_json(each.condition),
            "factor": _terms_json(each.multiple.factor),
            "multipliers": [_terms_json(part) for part in (each.multiple.rest, *each.multiple.multipliers)],
        }
        for each in tree.identities
    ]
    return {
        "denominator": polynomial_json(tree.denominator),
        "dual": [polynomial_json(part) for part in tree.dual],
        "identities": identities,
        "conditions": [None if pair is None else [str(pair[0]), polynomial_json(pair[1])] for pair in tree.conditions],
    }
