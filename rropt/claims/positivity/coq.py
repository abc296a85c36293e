"""Export to Coq, the second proof kernel: a certificate becomes a self-contained theorem about real numbers.

The proof script names each product, so Debian's ``coq`` package (8.16) compiles a theorem in a fraction of a second.

A theorem of a Handelman sum proves the sign of each product of hypotheses from the signs of its factors; ``lra`` adds
the products up.

A theorem of an identity states both sides as they are in the certificate, for all numbers at which no divisor is 0.
Without relations, ``field`` proves it. With relations r_i = 0 and sides n/d and m/e, the certificate states
``n e - m d = sum c_i r_i``. The difference of the sides is therefore ``(sum c_i r_i)/(d e)``, which is 0.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from rropt.core.certificates import Certificate
from rropt.core.errors import UnsupportedProblemError

HEADER = """\
Require Import Reals Lra Nsatz.
Open Scope R_scope.

(* what field leaves over: a divisor is not 0, by a hypothesis that says so of it or of a multiple *)
Ltac no_divisor_is_zero :=
  repeat split;
  first
    [ assumption
    | lra
    | let Z := fresh in intro Z; match goal with H : _ <> 0 |- _ =>
        solve
          [ apply H; nsatz
          | apply H; unfold Rdiv; repeat match goal with |- context [/ ?x] => generalize (/ x); intro end; nsatz ]
      end ].

(* a product of a number and of powers of hypotheses is > 0, or >= 0: its factors are *)
Ltac sign_of_product :=
  first
    [ assumption
    | apply Rge_le; assumption
    | apply Rlt_le, Rgt_lt; assumption
    | apply Rmult_lt_0_compat; sign_of_product
    | apply Rmult_le_pos; sign_of_product
    | apply pow_lt; sign_of_product
    | apply pow_le; sign_of_product
    | lra ].
"""
_KEYWORDS = re.compile(  # a variable with this name gets an apostrophe, which cannot occur in a certificate's names
    "as|at|by|cofix|do|else|end|exists2?|fix|for|forall|fun|if|in|is|let|match|mod|of|return|then|using|where|with"
)


def coq_theorem(name: str, certificate: Certificate) -> str:
    """Return the text of a Coq theorem for a certificate; a file of theorems must begin with ``HEADER``.

    Args:
        name: the name of the theorem; characters that Coq does not allow become underscores.
        certificate: an accepted certificate that is proved by the way ``handelman`` or ``identity``.

    Raises:
        UnsupportedProblemError: the certificate is proved by another way.
    """
    document = certificate.to_dict()
    problem, way = document["problem"], document["proof"]["way"]
    if way not in ("handelman", "identity"):
        raise UnsupportedProblemError(f"only the ways handelman and identity are exported: received the way {way}")
    assumed, goal, steps = _handelman_sum(document) if way == "handelman" else _identity(document)
    variables = " ".join(map(real, problem["parameters"]))
    quantified = f"forall {variables} : R,\n" if variables else ""
    conditions = "".join(f"  ({text}) ->\n" for text in assumed.values())
    steps = [f"intros {' '.join([variables, *assumed])}.", *steps]
    proof = "".join(f"  {step}\n" for step in steps)
    name = re.sub(r"[^A-Za-z0-9_]", "_", name)
    return f"Theorem {name} : {quantified}{conditions}  {goal}.\nProof.\n{proof}Qed.\n"


Parts = tuple[dict[str, str], str, list[str]]  # the assumptions by name, the goal, and the steps of the proof


def _handelman_sum(document: dict[str, Any]) -> Parts:
    problem, relation = document["problem"], document["claim"]["relation"]
    hypotheses = [(real(h["polynomial"]), h["relation"]) for h in problem["hypotheses"]]
    steps = []
    for t, term in enumerate(document["proof"]["terms"]):
        is_positive = relation == ">" and all(hypotheses[int(i)][1] == ">" for i, _ in term["powers"])
        product = _product(term, [text for text, _ in hypotheses])
        steps.append(f"assert (T{t} : 0 {'<' if is_positive else '<='} {product}) by sign_of_product.")
    assumed = {f"H{i}": f"{text} {said} 0" for i, (text, said) in enumerate(hypotheses)}
    return assumed, f"({real(problem['left'])}) {relation} 0", [*steps, "lra."]


def _product(term: dict[str, Any], hypotheses: list[str]) -> str:
    text = number(Fraction(term["coefficient"]))
    for i, e in term["powers"]:
        text = f"({text} * {hypotheses[int(i)]} ^ {e})"
    return text


def real(tree: Any) -> str:
    """Return an expression tree in Coq's syntax for reals."""
    if isinstance(tree, str):
        return (f"{tree}'" if _KEYWORDS.fullmatch(tree) else tree) if tree[0].isalpha() else number(Fraction(tree))
    ((operation, parts),) = tree.items()
    if operation == "negative":
        return f"(- {real(parts)})"
    if operation == "power":
        return f"({real(parts[0])} ^ {parts[1]})"
    sign = {"sum": " + ", "product": " * ", "quotient": " / "}[operation]
    return f"({sign.join(real(part) for part in parts)})"


def number(value: Fraction) -> str:
    """Return a rational number in Coq's syntax for reals."""
    text = str(abs(value.numerator)) if value.denominator == 1 else f"({abs(value.numerator)} / {value.denominator})"
    return f"(- {text})" if value < 0 else text


def divisors(tree: Any) -> Iterator[str]:
    """Iterate over the factors of the divisors in an expression tree; none of them may be 0."""
    if isinstance(tree, str):
        return
    ((operation, parts),) = tree.items()
    for part in (parts,) if operation == "negative" else parts[:1] if operation == "power" else parts:
        yield from divisors(part)
    if operation == "quotient":
        yield from map(real, _factors(parts[1]))


def _factors(tree: Any) -> list[Any]:
    """Return the factors of a product of powers, without constant factors."""
    if isinstance(tree, dict) and "product" in tree:
        return [factor for part in tree["product"] for factor in _factors(part)]
    if isinstance(tree, dict) and "power" in tree:
        return _factors(tree["power"][0])
    if isinstance(tree, dict) and "negative" in tree:
        return _factors(tree["negative"])
    return [] if isinstance(tree, str) and not tree[0].isalpha() else [tree]


def _identity(document: dict[str, Any]) -> Parts:
    problem = document["problem"]
    left, right = real(problem["left"]), real(problem["right"])
    relations = [real(hypothesis["polynomial"]) for hypothesis in problem["hypotheses"]]
    used = {i: real(c) for i, c in enumerate(document["proof"]["cofactors"]) if c != "0"}
    apart = dict.fromkeys((*divisors(problem["left"]), *divisors(problem["right"])))
    assumed = {f"D{i}": f"{divisor} <> 0" for i, divisor in enumerate(apart)}
    assumed |= {f"E{i}": f"{relation} = 0" for i, relation in enumerate(relations)}
    if problem["left"] == problem["right"]:
        steps = ["reflexivity."]
    elif used:
        zero = " + ".join(f"({c} * {relations[i]})" for i, c in used.items())
        below = " * ".join(_divisor(problem[side]) for side in ("left", "right"))
        steps = [
            "apply Rminus_diag_uniq.",
            f"replace ({left} - {right}) with (({zero}) / ({below})) by (field; no_divisor_is_zero).",
            f"assert (Z : {zero} = 0) by ({_zero_proof(list(used))}).",
            "rewrite Z; unfold Rdiv; apply Rmult_0_l.",
        ]
    else:
        steps = ["field; no_divisor_is_zero." if apart else "field."]
    return assumed, f"{left} = {right}", steps


def _zero_proof(used: list[int]) -> str:
    """Return a tactic that proves c r + c' r' + ... = 0 (nested to the left) from the relations with these indices.

    Each product is proved from its own relation, since rewriting with one relation would change other products that
    contain it.
    """
    parts = [f"(eq_trans (f_equal (Rmult _) E{i}) (Rmult_0_r _))" for i in used]
    text = parts[0]
    for part in parts[1:]:
        text = f"(eq_trans (f_equal2 Rplus {text} {part}) (Rplus_0_l 0))"
    return f"exact {text}"


def _divisor(side: Any) -> str:
    """Return the denominator of a side; 1 if the side is not a quotient."""
    return real(side["quotient"][1]) if isinstance(side, dict) and "quotient" in side else "1"
